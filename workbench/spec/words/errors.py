"""English sentences of the errors a person can do something about, by code.

Parameters are filled in by name; the end of a name says how it is printed (`_bytes`, `_tokens`,
`_share`). `accepted` is looked up in `ACCEPTED` and printed as it stands when it is not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from workbench.spec.quoting import WHOLE
from workbench.spec.words.export_errors import EXPORT_ERRORS
from workbench.spec.words.record import RECORD_ERRORS

ACCEPTED: Final[Mapping[str, str]] = {
    # Kinds of quantity (spec.units)
    "tokens": "tokens such as 128k or 131072",
    "count": "a whole number such as 16 or 2k",
    "bytes": "bytes such as 80 GiB, 80 GB or 81559 MiB",
    "share": "a share such as 0.9 or 90 %",
    "amount": "bytes such as 2 GiB or a share such as 5 %",
    "number": "a number such as 2.5",
    # Kinds of value in a file
    "integer": "a whole number",
    "decimal": "a number",
    "text": "a text in quotes",
    "boolean": "true or false",
    "list": "a list in [ ]",
    "object": "an object in { }",
    "object_with_kind": 'an object with a known "kind"',
    "null": "null",
    # Forms of a text
    "slug": "lower-case letters, digits, dots and dashes, such as llama-3.1-8b",
    "scenario_id": "up to 64 lower-case letters, digits and dashes",
    "fingerprint": "16 hexadecimal digits",
    "currency": "three capital letters such as USD",
    "tensor_name": "up to 100 letters, digits, dots, dashes and underscores",
    "tensor_pattern": "up to 100 letters, digits, dots, dashes, underscores and * ? [ ] !",
    "title": "names with a character that can be seen",
    "release": "releases such as 0.19.0, at most 200 characters",
    "preset_reference": "builtin:ID@1 or user:ID@1",
}

PLACES: Final[Mapping[str, str]] = {WHOLE: "the top level"}
"""Places of a file that have no name there."""

_TYPED: Final[Mapping[str, str]] = {
    "quantity_too_long": "At most {limit} characters are read here: type {accepted}.",
    "quantity_empty": "Type {accepted}.",
    "quantity_negative": "{text} is below zero: type {accepted}.",
    "factor_without_value": "{text} needs a value to multiply: type {accepted}.",
    "quantity_unreadable": "{text} cannot be read: type {accepted}.",
    "unit_unknown": "The unit {unit} in {text} is not known here: type {accepted}.",
    "thousands_or_decimal": "{text} can mean {whole} or {decimal}: type one of these.",
    "not_whole": "{text} is {value}, no whole number: type {accepted}.",
    "number_too_large": "{text} is too large: type {accepted}, below 9.2 × 10¹⁸.",
    "share_out_of_range": "{text} is no share: type a value from 0 to 1, or 0 % to 100 %.",
    "number_too_small": "{text} is too small: type {accepted}, 0 or at least 0.000000001.",
    "field_needs_a_value": "{field} cannot be empty: type {accepted}.",
    "field_of_another_engine": "{field} is no quantity of the engine {engine}: choose the engine "
    "that has it first.",
    "layers_differ": (
        "The layers of {model} differ: only a model with equal layers can be reshaped here."
    ),
}

_EDITED: Final[Mapping[str, str]] = {
    "value_missing": "Type a value: this cannot be empty.",
    "layer_kind_not_offered": "A layer can be turned into one of these: {accepted}.",
    "last_row": "One row must remain.",
}

_READING: Final[Mapping[str, str]] = {
    "file_missing": "{path} does not exist; choose a file that does.",
    "path_unusable": "{path} cannot be the name of a file; choose another name.",
    "read_not_permitted": "You may not read {path}; change its permissions or choose another.",
    "read_failed": "{path} could not be read ({reason}); copy it to another disk and try again.",
    "is_a_folder": "{path} is a folder; accepted is an ordinary file.",
    "is_a_pipe": "{path} is a pipe; accepted is an ordinary file.",
    "is_a_socket": "{path} is a socket; accepted is an ordinary file.",
    "is_a_device": "{path} is a device; accepted is an ordinary file.",
    "is_no_file": "{path} is no ordinary file, which alone is accepted.",
    "link_loop": "{path} is a symbolic link that leads back to itself; accepted is a file.",
    "name_too_long": "The name {path} is too long for this disk; choose a shorter one.",
    "file_too_large": ("{path} is larger than accepted: {size_bytes}, at most {limit_bytes}."),
    "file_over_limit": "{path} is larger than the {limit_bytes} that are accepted at most.",
    "file_empty": "{path} is empty; accepted is a JSON object.",
    "encoding_bom": "{path} begins with a byte order mark; accepted is UTF-8 without one.",
    "encoding_utf16": "{path} is written in UTF-16 or is no text; accepted is UTF-8.",
    "encoding_not_utf8": "{path}, line {line}: no valid UTF-8; accepted is a UTF-8 text.",
    "json_syntax": "{path}, line {line}, column {column}: no valid JSON from here on.",
    "json_half_character": "{path}, line {line}, column {column}: half a character (a surrogate "
    "without its other half); accepted is whole text.",
    "json_too_deep": (
        "{path}, line {line}, column {column}: nested too deep; at most {limit} levels are "
        "accepted."
    ),
    "json_too_many_groups": "{path} holds too many lists and objects; accepted are {limit}.",
    "json_too_many_values": "{path} holds too many values; at most {limit} are accepted.",
    "json_number_too_large": "{path}, {where}: a number is too large; accepted is up to {limit}.",
    "json_number_not_finite": "{path}, {where}: a number is too large; accepted is below 1.8e308.",
    "json_duplicate_key": "{path}: {where} stands twice in its object; accepted is once.",
    "json_key_too_long": "{path}, {where}: a key is longer than the {limit} characters accepted.",
    "json_text_too_long": (
        "{path}, line {line}, column {column}: this text is too long; accepted is {limit_bytes}."
    ),
    "json_not_an_object": "{path} is JSON of another kind; accepted is an object in {{ }}.",
    "not_a_plan": "{path} is no plan; accepted is a JSON object with {accepted}.",
    "preset_not_a_plan": "{path} is a preset, not a plan; import it into the presets instead.",
    "not_a_preset": "{path} is no preset; accepted is a JSON object with {accepted}.",
    "schema_version_missing": (
        "{path} has no usable “schema_version”; accepted is a whole number from 1 to {limit}."
    ),
    "schema_version_unknown": (
        "{path} has schema version {version}, which cannot be read; accepted is up to {limit}."
    ),
    "migration_failed": (
        "{path} says it has schema version {version} but is not built like one; accepted is a "
        "plan as this program wrote it."
    ),
    "preset_newer": (
        "{path} has schema version {version}; this program reads up to {limit}: use a newer one."
    ),
}

_FIELDS: Final[Mapping[str, str]] = {
    "field_missing": "{path}: {where} is missing; it is needed.",
    "kind_missing": "{path}: {where} is missing; accepted is {accepted}.",
    "key_unknown": "{path}: {where} is not known here; accepted is a file without it.",
    "too_many_unknown_keys": (
        "{path}: {where} holds {found} keys that are not known here ({keys}); at most {limit} are "
        "kept."
    ),
    "field_wrong_type": "{path}: {where} is {value}; accepted is {accepted}.",
    "field_too_small": "{path}: {where} is {value}; accepted is at least {limit}.",
    "field_too_large": "{path}: {where} is {value}; accepted is at most {limit}.",
    "field_wrong_form": "{path}: {where} is {value}; accepted are {accepted}.",
    "field_not_a_choice": "{path}: {where} is {value}; accepted is {accepted}.",
    "choice_of_kind_wrong": (
        "{path}: {where} is {value}; accepted under the kind {kind} is {accepted}."
    ),
    "engine_of_another_kind": (
        "{path}: {where} is of the kind {kind} but has the fields of {owner}, which do not go "
        'together; accepted is "kind": {owner}, and the engine can then be changed in the window.'
    ),
    "field_refused": "{path}: {where} is {value}, which is not accepted ({rule}).",
    "list_too_long": "{path}: {where} is longer than the {limit} entries accepted.",
    "list_too_short": (
        "{path}: {where} is too short; accepted are lists of {limit} or more entries."
    ),
    "text_too_long": "{path}: {where} is longer than the {limit} characters accepted.",
    "text_too_short": (
        "{path}: {where} is {value}; accepted are texts of {limit} or more characters."
    ),
    "unwanted_character": (
        "{path}: {where} holds the character {character}, which no text field takes; accepted are "
        "printable characters."
    ),
    "amount_needs_one": "{path}: {where} takes either size_bytes or share, exactly one of them.",
    "baseline_missing": "{path}: a plan with scenarios needs a baseline; name one of them.",
    "baseline_unknown": "{path}: the baseline names no scenario of the plan; name one of them.",
    "scenario_ids_repeat": "{path}: two scenarios have the same id; each needs its own.",
    "partition_length": (
        "{path}: {where} names {stages} pipeline stages and pp is {pp}; accepted is as many."
    ),
    "too_fine": "{path}: {where} is too fine; accepted is 0 or at least 0.000000001.",
    "tensor_name_repeats": (
        "{path}: {where} names the tensor “{name}” twice; accepted is once, with copies."
    ),
    "too_many_scenarios": "A plan holds at most {limit} scenarios.",
    "too_many_layers": "{path}: {where} holds {layers} layers; at most {limit} are accepted.",
    "too_many_ranks": (
        "{path}: {where} makes a replica of {ranks} ranks (tp × pp); at most {limit} are accepted."
    ),
    "quantiles_not_rising": (
        "{path}: {where} has quantile {q} with {tokens} tokens after {previous_q} with "
        "{previous_tokens}; accepted are points that rise."
    ),
    "quantiles_need_the_longest": (
        "{path}: {where} does not end with quantile 1; accepted is a table up to the longest."
    ),
    "prefix_shares_over_one": (
        "{path}: {where} gives prefix groups {percent} % of the requests; accepted is 100 %."
    ),
}

_SAVING: Final[Mapping[str, str]] = {
    "disk_full": "The disk is full. {path} is as it was; save to another place or make room.",
    "quota_full": "Your disk quota is used up. {path} is as it was; save to another place.",
    "file_size_limit": (
        "The system limits the size of files. {path} is as it was; save to another place."
    ),
    "disk_read_only": "The disk is read-only. {path} is as it was; save to another place.",
    "write_not_permitted": (
        "{path} may not be written by you and is as it was; save to another place."
    ),
    "disk_error": "The disk reports an error. {path} is as it was; save to another disk.",
    "cannot_replace": (
        "{path} cannot be replaced in one step in its folder and is as it was; save to another "
        "place."
    ),
    "folder_missing": "The folder of {path} does not exist; save to another place.",
    "folder_busy": (
        "Another program is saving in the folder of {path}, which is as it was; try again."
    ),
    "save_failed": (
        "{path} could not be written ({reason}) and is as it was; save to another place."
    ),
    "file_exists": "{path} exists already; choose to replace it, or another name.",
    "gone_from_disk": (
        "{path} has been removed since it was opened; save it again under this or another name."
    ),
    "changed_on_disk": (
        "{path} has been changed by another program since it was opened and was left as it is; "
        "save under another name, or choose to replace it."
    ),
    "hard_linked": (
        "{path} is one file under {names} names; saving would part them. Choose to part them, or "
        "save under another name."
    ),
    "plan_newer_read_only": (
        "{path} was written by a newer version and is open for reading only; save under another "
        "name."
    ),
}

_PRESETS: Final[Mapping[str, str]] = {
    "preset_unknown": "“{text}” is no preset in {kind}; close to it: {candidates}.",
    "preset_unknown_alone": "“{text}” is no preset in {kind}; “kvw presets list” shows them all.",
    "preset_ambiguous": "“{text}” means several presets in {kind}; name one: {candidates}.",
    "preset_kind_wrong": "{path} holds a preset of the kind {value}; accepted is {accepted}.",
    "preset_id_mismatch": "{path} holds the preset “{id}”; accepted is a file of that name.",
    "preset_unreadable": "{path} cannot be read; accepted is a preset as this program writes it.",
    "preset_name_shared": "The name “{text}” also belongs to {other}; each needs its own.",
    "preset_without_source": "The preset does not say where its figures come from.",
    "set_card_differs": "The set holds another card “{text}” than the preset of that name.",
    "parameters_differ": "The tensors count {found} parameters, published are {published}.",
    "kv_elements_differ": ("The layers cache {found} elements a token, published are {published}."),
    "cache_source_wrong": "Layer {layer} reads the cache of layer {source}, which writes none.",
    "shipped_format_unknown": "The published checkpoint is in the format “{text}”, of no preset.",
    "memory_readings_differ": "It plans with {found_bytes}, but another reading is {other_bytes}.",
    "memory_below_seen": "Engine logs have shown at least {seen_bytes} of this card.",
    "memory_above_seen": "Engine logs have shown at most {seen_bytes} of this card.",
    "preset_exists": (
        "You have a preset {reference} already, with other figures; keep both, or replace yours."
    ),
    "preset_same": "You have this preset already: {reference}.",
    "no_user_folder": "There is no folder for your own presets.",
    "engine_unknown": "“{text}” is no engine known here: accepted is {accepted}.",
    "release_unknown": "“{text}” is no release of {engine} known here: accepted is {accepted}.",
    "release_unreadable": "“{text}” names no release; accepted is one such as {accepted}.",
}

_RECOVERY: Final[Mapping[str, str]] = {
    "not_a_recovery_file": "{path} is no recovery file; accepted is one that this program wrote.",
    "recovery_not_verified": (
        "{path} could not be read back after writing; the older copy has been kept."
    ),
    "picture_too_large": (
        "A picture of {width} × {height} points is too large; at most {limit} points are drawn."
    ),
    "not_settings": "{path} holds no settings; the defaults are used.",
}

ERRORS: Final[Mapping[str, str]] = {
    **EXPORT_ERRORS,
    **RECORD_ERRORS,
    **_TYPED,
    **_EDITED,
    **_READING,
    **_FIELDS,
    **_SAVING,
    **_PRESETS,
    **_RECOVERY,
}
"""Code -> sentence: what, where, and what would be accepted."""

NOTES: Final[Mapping[str, str]] = {
    "plan_migrated": "The plan was of schema version {version} and has been brought up to date.",
    "plan_newer": (
        "A newer version wrote this plan (schema {version}, this program knows {limit}): it is "
        "open for reading only."
    ),
    "unknown_keys_kept": (
        "Keys that are not known here are kept and change no figure ({keys} in all): {where}."
    ),
    "keys_of_another_engine": (
        "Keys that belong to {owner} are kept but change no figure under the kind {kind} "
        "({keys} in all): {where}."
    ),
    "blank_names_filled": (
        "Names of which nothing can be seen are replaced by the id ({found} in all): {where}."
    ),
    "releases_replaced": (
        "Texts that name no release of their engine were replaced ({found} in all): {where}."
    ),
    "settings_reset": "The settings could not be read; the defaults are used.",
}
"""Code -> sentence of what a person should know about a file that was read."""
