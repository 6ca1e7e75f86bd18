"""The names a built-in preset answers to, read without reading its layers.

Lists of presets are shown at every start; parsing the tensors of some hundred models for their
names would take longer than all else.
"""

from __future__ import annotations

import re
from typing import Any, Final

from pydantic_core import from_json

_MEMBER: Final = re.compile(rb'\n    "(name|hf_id|aliases|family|vendor)": (\[[^\[\]]*\]|"[^\n]*")')
"""A member of the preset itself: files of ours indent by two, so it alone stands four deep.

It starts with a fixed text, which `re` looks for fast; "^" would stop at every line.
"""


def headline(data: bytes) -> tuple[str, tuple[str, ...], str]:
    """Return name, other names with the Hugging Face id first, and family or vendor of a preset.

    Raises `ValueError`, `KeyError` or `TypeError` for what is no preset.
    """
    found: dict[str, Any] = {}
    for member in _MEMBER.finditer(data):
        found.setdefault(member[1].decode(), from_json(member[2]))
    if "name" not in found:
        # Not as we write it: look at all of it.
        found = from_json(data)["preset"]
    other = (found.get("hf_id"), *found.get("aliases", ()))
    group = found.get("family") or found.get("vendor") or ""
    return found["name"], tuple(text for text in other if text), group
