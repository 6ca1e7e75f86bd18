"""Sentences for the window: codes to text, through the translator.

`words` is what `spec.words` takes: it maps an English template to the language shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from workbench.charts.labels import ENGLISH
from workbench.gui.commands import Step
from workbench.gui.messages import Message
from workbench.spec import words as spec_words
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS
from workbench.spec.words.errors import NOTES

if TYPE_CHECKING:

    def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
        """Mark a text for translation (Qt's own is typed too loosely)."""
        return text

else:
    from PySide6.QtCore import QT_TRANSLATE_NOOP

translate = QCoreApplication.translate


def without_mnemonic(text: str) -> str:
    """Return an action's text as it stands outside a menu: without the letter underlined there."""
    # Chinese has the letter in brackets behind the words.
    text = re.sub(r"\s?\(&\w\)", "", text)
    return re.sub("&(.)", r"\1", text)


def sentences(*texts: str) -> str:
    """Put sentences after each other; empty ones count for nothing."""
    said = [text for text in texts if text]
    joint = translate("Sentences", "{one} {two}")
    whole = said[0] if said else ""
    for text in said[1:]:
        whole = joint.replace("{one}", whole, 1).replace("{two}", text, 1)
    return whole


def labelled(name: str, value: str) -> str:
    """Put a value behind its name."""
    return translate("Sentences", "{name}: {value}").format(name=name, value=value)


def listed(texts: Iterable[str]) -> str:
    """Name several things: "one, two"."""
    return translate("Sentences", ", ").join(text for text in texts if text)


def words(text: str) -> str:
    """Translate a template of `spec.words`."""
    return translate("Words", text)


def preset_name(name: str, namespace: str = "builtin") -> str:
    """Say the name of a preset; one that a person gave stays as it is."""
    return spec_words.preset_name(name, words) if namespace == "builtin" else name


def chart_label(code: str) -> str:
    """Translate a label of `charts.labels`."""
    return translate("Charts", ENGLISH[code])


_EXAMPLE: Mapping[str, str] = {
    "Example": QT_TRANSLATE_NOOP("Example", "Example"),
    "Llama-3.1-8B on four": QT_TRANSLATE_NOOP("Example", "Llama-3.1-8B on four"),
}


def example_name(name: str) -> str:
    """Say what the built-in example or a scenario of it is called; a model keeps its name."""
    return translate("Example", _EXAMPLE[name]) if name in _EXAMPLE else name


_STEPS: Mapping[str, str] = {
    "set_field": QT_TRANSLATE_NOOP("Steps", "set {field} to {value}"),
    "clear_field": QT_TRANSLATE_NOOP("Steps", "reset {field}"),
    "choose_model": QT_TRANSLATE_NOOP("Steps", "choose {name}"),
    "choose_gpu": QT_TRANSLATE_NOOP("Steps", "choose {name}"),
    "choose_weight_format": QT_TRANSLATE_NOOP("Steps", "weights in {name}"),
    "choose_kv_format": QT_TRANSLATE_NOOP("Steps", "KV cache in {name}"),
    "choose_workload": QT_TRANSLATE_NOOP("Steps", "choose workload {name}"),
    "choose_engine": QT_TRANSLATE_NOOP("Steps", "engine {name}"),
    "set_flag": QT_TRANSLATE_NOOP("Steps", "set {flag} to {value}"),
    "clear_flag": QT_TRANSLATE_NOOP("Steps", "reset {flag}"),
    "set_lengths": QT_TRANSLATE_NOOP("Steps", "change the lengths"),
    "set_sizing": QT_TRANSLATE_NOOP("Steps", "change the length drawn"),
    "set_notes": QT_TRANSLATE_NOOP("Steps", "edit the notes"),
    "add_scenario": QT_TRANSLATE_NOOP("Steps", "add {name}"),
    "duplicate_scenario": QT_TRANSLATE_NOOP("Steps", "duplicate {name}"),
    "rename_scenario": QT_TRANSLATE_NOOP("Steps", "rename to {name}"),
    "paste_scenario": QT_TRANSLATE_NOOP("Steps", "paste {name}"),
    "paste_scenarios": QT_TRANSLATE_NOOP("Steps", "paste {count} scenarios"),
    "delete_scenarios": QT_TRANSLATE_NOOP("Steps", "delete {count} scenarios"),
    "adopt_preset": QT_TRANSLATE_NOOP("Steps", "take the new revision of {name}"),
    "apply_fix": QT_TRANSLATE_NOOP("Steps", "apply: {name}"),
    "apply_cell": QT_TRANSLATE_NOOP("Steps", "set {x} to {x_value} and {y} to {y_value}"),
    "delete_scenario": QT_TRANSLATE_NOOP("Steps", "delete {name}"),
    "move_scenario": QT_TRANSLATE_NOOP("Steps", "move {name}"),
    "set_baseline": QT_TRANSLATE_NOOP("Steps", "baseline {name}"),
}
_PRESET_STEPS = frozenset(
    {
        "choose_gpu",
        "choose_weight_format",
        "choose_kv_format",
        "choose_workload",
        "adopt_preset",
    }
)
"""Steps that name a preset."""
_OTHER_STEP = QT_TRANSLATE_NOOP("Steps", "change the scenario")

_MESSAGES: Mapping[str, str] = {
    "example": QT_TRANSLATE_NOOP("Messages", "Example: edit anything, Ctrl+Z undoes."),
    "recovered": QT_TRANSLATE_NOOP(
        "Messages", "Unsaved work on {name} from {when} was kept when the program ended."
    ),
    "restored": QT_TRANSLATE_NOOP("Messages", "Restored. Save it to keep it."),
    "still_saving": QT_TRANSLATE_NOOP(
        "Messages", "The disk has not answered yet; {name} is still being saved."
    ),
    "flags_left_behind": QT_TRANSLATE_NOOP(
        "Messages", "{engine} does not take over: {flags}. Undo brings them back."
    ),
    "chart_copied": QT_TRANSLATE_NOOP("Messages", "Chart copied: picture and table."),
    "comparison_copied": QT_TRANSLATE_NOOP(
        "Messages", "Comparison copied: the table as text, the charts as a picture."
    ),
    "chart_saved": QT_TRANSLATE_NOOP("Messages", "Chart saved as {path}."),
    "not_a_plan_file": QT_TRANSLATE_NOOP(
        "Messages",
        "{name} cannot be opened: drop plans (.kvw), a record (.docx, .md, .pdf) or a preset "
        "(.json).",
    ),
    "not_a_local_file": QT_TRANSLATE_NOOP(
        "Messages", "Only files of this computer can be opened: drop plans or a preset."
    ),
    "plans_dropped": QT_TRANSLATE_NOOP(
        "Messages", "{names} can be compared with this plan: its scenarios are then added here."
    ),
    "scenarios_copied": QT_TRANSLATE_NOOP("Messages", "Copied: {names}."),
    "clipboard_empty": QT_TRANSLATE_NOOP("Messages", "The clipboard holds no scenario."),
    "name_unusable": QT_TRANSLATE_NOOP(
        "Messages", "{name} cannot be a name: use up to 200 visible characters."
    ),
    "preset_saved": QT_TRANSLATE_NOOP("Messages", "Preset saved: {reference}."),
    "preset_imported": QT_TRANSLATE_NOOP("Messages", "Preset imported: {reference}."),
    "preset_exported": QT_TRANSLATE_NOOP("Messages", "Preset written to {path}."),
    "preset_deleted": QT_TRANSLATE_NOOP("Messages", "Preset {name} deleted."),
    "preset_old_revision": QT_TRANSLATE_NOOP(
        "Messages", "The old revision of {name} is still used in: {scenarios}."
    ),
    "plan_stale": QT_TRANSLATE_NOOP("Messages", "{name}: {what}."),
    "plan_stale_more": QT_TRANSLATE_NOOP(
        "Messages", "{name}: {what}. Other scenarios that are concerned: {count}."
    ),
    "record_opened": QT_TRANSLATE_NOOP(
        "Messages", "The plan of {name} is open as a new document; the record stays as it is."
    ),
    "record_changed_plan": QT_TRANSLATE_NOOP(
        "Messages",
        "The plan in {name} is not the one that its figures were worked out for: it was changed.",
    ),
    "record_changed_answers": QT_TRANSLATE_NOOP(
        "Messages",
        "The answers in {name} were changed after it was written; those shown are worked out anew.",
    ),
    "record_changed_text": QT_TRANSLATE_NOOP(
        "Messages", "The text of {name} was changed after it was written; the plan inside was not."
    ),
    "bug": QT_TRANSLATE_NOOP("Messages", "Something went wrong inside the program: {summary}"),
}

_ACTIONS: Mapping[str, str] = {
    "save_as": QT_TRANSLATE_NOOP("MessageActions", "Save as…"),
    "retry": QT_TRANSLATE_NOOP("MessageActions", "Try again"),
    "overwrite": QT_TRANSLATE_NOOP("MessageActions", "Overwrite"),
    "reload": QT_TRANSLATE_NOOP("MessageActions", "Reload"),
    "restore": QT_TRANSLATE_NOOP("MessageActions", "Restore"),
    "discard": QT_TRANSLATE_NOOP("MessageActions", "Discard"),
    "take": QT_TRANSLATE_NOOP("MessageActions", "Take the new revision"),
    "difference": QT_TRANSLATE_NOOP("MessageActions", "Show difference"),
    "undo_delete": QT_TRANSLATE_NOOP("MessageActions", "Undo"),
    "keep_both": QT_TRANSLATE_NOOP("MessageActions", "Keep both"),
    "replace_mine": QT_TRANSLATE_NOOP("MessageActions", "Replace mine"),
    "show_preset": QT_TRANSLATE_NOOP("MessageActions", "Show it"),
    "part_links": QT_TRANSLATE_NOOP("MessageActions", "Save anyway"),
    "compare": QT_TRANSLATE_NOOP("MessageActions", "Compare"),
}


_FLAG_WORDS: Mapping[str, str] = {
    "on": QT_TRANSLATE_NOOP("Flags", "on"),
    "off": QT_TRANSLATE_NOOP("Flags", "off"),
    "yes": QT_TRANSLATE_NOOP("Flags", "yes"),
    "no": QT_TRANSLATE_NOOP("Flags", "no"),
    "server": QT_TRANSLATE_NOOP("Flags", "server"),
    "offline": QT_TRANSLATE_NOOP("Flags", "offline"),
    "plain": QT_TRANSLATE_NOOP("Flags", "plain"),
}


def flag_word(code: str) -> str:
    """Say the value of a switch; a text that is no code stays as it is."""
    return translate("Flags", _FLAG_WORDS[code]) if code in _FLAG_WORDS else code


def step_text(step: Step) -> str:
    """Name an undo step: "set context to 128k"."""
    params = dict(step.params)
    field = FIELDS.get(str(params.get("field")))
    code = step.code
    if field is not None:
        params["field"] = words(spec_words.FIELDS.get(field.id, field.id))
        text = field.format(params.get("value"))  # type: ignore[arg-type]
        code, params["value"] = ("set_field", text) if text else ("clear_field", text)
    if code in _PRESET_STEPS:
        params["name"] = preset_name(str(params["name"]))
    if code == "apply_cell":
        for axis in ("x", "y"):
            varied = str(params[axis])
            params[axis] = words(spec_words.FIELDS.get(varied, varied))
    if code == "set_flag":
        flag = str(params["flag"])
        params["flag"] = words(spec_words.FIELDS.get(flag, flag))
        params["value"] = flag_word(str(params["value"]))
        code = "set_flag" if params["value"] else "clear_flag"
    text = _filled(translate("Steps", _STEPS.get(code, _OTHER_STEP)), params)
    if "scenarios" in params:
        several = translate("Steps", "{step} in {count} scenarios")
        return _filled(several, {"step": text, "count": params["scenarios"]})
    return text


def message_text(message: Message) -> str:
    """Say a message in one sentence."""
    if message.code in _MESSAGES:
        return _filled(translate("Messages", _MESSAGES[message.code]), message.params)
    if message.code in NOTES:
        note = spec_words.fill(words(NOTES[message.code]), message.params)
        source = message.params.get("source")
        return labelled(str(source), note) if source else note
    return spec_words.error_text(UserError(message.code, **message.params), words)


def action_text(code: str) -> str:
    """Caption of a message's button."""
    return translate("MessageActions", _ACTIONS[code])


def _filled(template: str, params: Mapping[str, object]) -> str:
    return spec_words.fill(template, {name: str(value) for name, value in params.items()})
