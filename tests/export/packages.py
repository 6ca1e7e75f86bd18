"""Looks into office packages: whether they are whole, and what their parts say."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections import Counter
from xml.etree import ElementTree

RELATIONSHIPS = "{http://schemas.openxmlformats.org/package/2006/relationships}"
TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"


def parts_of(data: bytes) -> dict[str, bytes]:
    """Return the parts of a package by name; each name stands once."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        names = package.namelist()
        assert len(set(names)) == len(names)
        assert all(entry.date_time == (1980, 1, 1, 0, 0, 0) for entry in package.filelist)
        return {name: package.read(name) for name in names}


def check_package(data: bytes) -> dict[str, bytes]:
    """Assert that a package is whole; return its parts."""
    parts = parts_of(data)
    kinds = ElementTree.fromstring(parts["[Content_Types].xml"])
    defaults = {one.get("Extension", "").lower() for one in kinds.iter(f"{TYPES}Default")}
    overrides = {one.get("PartName", "").lstrip("/") for one in kinds.iter(f"{TYPES}Override")}
    assert overrides <= set(parts), "a content type names a part that is not there"
    for name, part in parts.items():
        if name.endswith((".xml", ".rels")):
            ElementTree.fromstring(part)
        known = name in overrides or name.rpartition(".")[2].lower() in defaults
        assert known or name == "[Content_Types].xml", f"{name} has no content type"
        if name.endswith(".rels"):
            _check_relations(name, part, parts)
    return parts


def _check_relations(name: str, part: bytes, parts: dict[str, bytes]) -> None:
    folder = posixpath.dirname(posixpath.dirname(name))
    found = list(ElementTree.fromstring(part).iter(f"{RELATIONSHIPS}Relationship"))
    ids = Counter(one.get("Id") for one in found)
    assert not ids or max(ids.values()) == 1, f"{name} has an id twice"
    for one in found:
        assert one.get("TargetMode") != "External", f"{name} points outside the file"
        target = one.get("Target", "")
        path = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
        assert posixpath.normpath(path) in parts, f"{name} points to {target}, which is not there"
