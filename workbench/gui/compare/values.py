"""How inputs and assumptions are printed in a cell."""

from __future__ import annotations

from pydantic import BaseModel

from workbench.core.inputs import InputKind
from workbench.export import preset_words, wording
from workbench.export.options import Language
from workbench.gui.labels import visible
from workbench.gui.tr import flag_word, listed, translate, words
from workbench.library.preset_fields import kind_of
from workbench.spec import units
from workbench.spec.engine import Amount
from workbench.spec.model import Tensor
from workbench.spec.units import ByteUnit


def input_name(input_id: str) -> str:
    """Return the name of an input as it reads without its section above it."""
    return wording.input_alone(input_id, Language(words))


def input_text(value: object, kind: InputKind) -> str:
    """Print a value of an input as exports do; empty for None."""
    if isinstance(value, tuple | list | BaseModel) and not isinstance(value, Amount):
        return plain_text(value)
    return visible(wording.input_text(value, kind, Language(words)), limit=200)


def plain_text(value: object) -> str:
    """Print a flag, a name, a list, or a part of a preset."""
    if isinstance(value, bool):
        return flag_word("on" if value else "off")
    if isinstance(value, tuple | list):
        return listed(plain_text(item) for item in value) or flag_word("no")
    if isinstance(value, float):
        return units.format_number(value)
    if isinstance(value, int):
        return units.group_digits(value)
    name = getattr(value, "name", None)
    if name is None and hasattr(value, "model_dump"):
        return _parts_text(value.model_dump(exclude_none=True))
    return visible(flag_word(str(value) if name is None else str(name)), limit=200)


def _parts_text(parts: dict[str, object]) -> str:
    return listed(f"{name} {value}" for name, value in parts.items() if name != "kind")


def assumption_name(kind: str, code: str) -> str:
    """Return the name of an assumption: of an entry, of an input of a formula, of a flag."""
    return wording.assumption_name(kind, code, Language(words))


def assumption_text(item: object, unit: ByteUnit) -> str:
    """Print what one scenario assumes; empty for nothing."""
    if isinstance(item, tuple | list):
        return plain_text(item)
    return wording.assumption_text(item, unit, Language(words))


def default_text(default: object, kind: InputKind) -> str:
    """Print what the engine takes where a value is left to it."""
    text = input_text(default, kind)
    return translate("Compare", "default {value}").format(value=text) if text else ""


def preset_text(path: str, value: object) -> tuple[str, str]:
    """Print a field of a preset as it reads best, and in full; empty where it says nothing."""
    if value in (None, "", ()):
        return "", ""
    kind = "tensor" if isinstance(value, Tensor) else kind_of(path, value)
    if kind == "lines":
        text = listed(str(line) for line in value)  # type: ignore[attr-defined]
    else:
        text = preset_words.preset_value(path, value, words)
    if isinstance(value, Tensor):
        return text, tensor_in_full(value)
    if kind == "bytes" and isinstance(value, int):
        return text, f"{units.group_digits(value)} B"
    if isinstance(value, int) and kind in ("whole", "signed", "tokens"):
        return text, units.group_digits(value)
    return visible(text, limit=200), visible(text)


def tensor_in_full(tensor: Tensor) -> str:
    """Print everything about a tensor."""
    said = ((name, value) for name, value in tensor if value is not None and name != "name")
    return listed(f"{_field_word(name)} {plain_text(value)}" for name, value in said)


def path_text(path: str) -> str:
    """Name a field of a preset by its way: "layers 1 · KV heads"."""
    return preset_words.path_text(path, words)


def _field_word(name: str) -> str:
    return preset_words.field_word(name, words)
