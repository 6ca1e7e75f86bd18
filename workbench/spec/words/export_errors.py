"""Sentences of what can go wrong with an export, by code."""

from __future__ import annotations

from collections.abc import Mapping

EXPORT_ERRORS: Mapping[str, str] = {
    "nothing_to_export": "The plan has no scenario: add one, then export.",
    "export_suffix": "{path} does not end as this kind of file does: accepted is {accepted}.",
    "export_over_input": "{path} is read for this export and is not written over: choose another "
    "name.",
    "export_no_process": "The process that makes the file cannot be started ({reason}): close "
    "other programs, then export again.",
    "export_ended": "The process that makes the file was ended from outside (signal {signal}): "
    "nothing was written; close other programs, then export again.",
    "export_no_stdout": "The standard output is closed: accepted is the name of a file instead "
    "of -.",
    "export_not_kept": "{path} does not hold what was written: save to another place.",
    "template_too_large": "{path} is larger than {limit_bytes}: accepted is a smaller template.",
    "template_encrypted": "{path} is encrypted or an old presentation (.ppt): accepted is a .pptx "
    "without a password.",
    "template_no_package": "{path} is no presentation or is damaged: accepted is a .pptx.",
    "template_no_slides": "{path} holds no presentation that can be read: accepted is a .pptx.",
    "template_macros": "{path} carries macros: accepted is a .pptx without them.",
    "template_too_many_parts": "{path} has more than {limit} parts: accepted is a simpler "
    "template.",
    "template_odd_part": "{path} names a part outside itself: accepted is a .pptx as an office "
    "program writes it.",
    "template_unpacked": "{path} unpacks to more than it says or than {limit_bytes}: accepted is a "
    "smaller template.",
    "template_no_layout": "{path} has no slide layout: accepted is a template with one.",
    "template_odd_size": "{path} has slides of a size that holds no chart: accepted are 3 to "
    "56 inches.",
}
