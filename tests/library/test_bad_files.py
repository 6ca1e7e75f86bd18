"""Hand-made bad files, named by what is wrong; each is refused with its own code and sentence."""

# ruff: noqa: E501  A table is read along its rows.

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from tests.library.samples import builtin, plan, slim
from workbench.library import jsonfile, paths, plans, presets, refusal, save
from workbench.library.engine_choice import engine_of
from workbench.spec.engine import ENGINE_CLASSES
from workbench.spec.errors import UserError
from workbench.spec.words import error_text
from workbench.spec.words.errors import ACCEPTED, ERRORS, NOTES

MIB = 2**20
GOOD = json.loads(plans.dumps(plan()))
GOOD_PRESET = json.loads(presets.dumps(builtin().model("llama-3.1-8b")))
GOOD_CARD = json.loads(presets.dumps(builtin().gpu("8x-h100-sxm")))


def edited(*way: str | int, value: Any, base: dict[str, Any] = GOOD) -> bytes:
    """Return a good file with the value at the end of the way replaced; None removes it."""
    document = copy.deepcopy(base)
    place: Any = document
    for step in way[:-1]:
        place = place[step]
    if value is ...:
        del place[way[-1]]
    else:
        place[way[-1]] = value
    return json.dumps(document).encode()


def in_text(old: str, new: bytes) -> bytes:
    return plans.dumps(plan()).replace(old.encode(), new)


TITLE = '"A plan"'
S0 = ("scenarios", 0)
RUN = (*S0, "model", "layers", 0)

BYTES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "file_empty"),
    "blank": (b" \n\t\r\n", "file_empty"),
    "BOM (J4)": (b"\xef\xbb\xbf{}", "encoding_bom"),
    "UTF-16 with BOM (J4)": ("{}".encode("utf-16"), "encoding_utf16"),
    "UTF-16 without BOM": ("{}".encode("utf-16-le"), "encoding_utf16"),
    "UTF-32": ("{}".encode("utf-32-be"), "encoding_utf16"),
    "Latin-1": (in_text(TITLE, '"Größe"'.encode("latin-1")), "encoding_not_utf8"),
    "overlong slash": (in_text(TITLE, b'"\xc0\xaf"'), "encoding_not_utf8"),
    "encoded surrogate": (in_text(TITLE, b'"\xed\xa0\x80"'), "encoding_not_utf8"),
    "cut in a character": ('{"a":"ü"'.encode()[:-2], "encoding_not_utf8"),
    "gzip": (b"\x1f\x8b\x08\x00\x00", "encoding_utf16"),
    "PNG": (b"\x89PNG\r\n\x1a\n\x00\x00", "encoding_not_utf8"),
    "pickle": (b"\x80\x04\x95\x10\x00\x00", "encoding_not_utf8"),
    "cut short": (plans.dumps(plan())[:-40], "json_syntax"),
    "two documents": (b"{}{}", "json_syntax"),
    "trailing comma": (b'{"a":1,}', "json_syntax"),
    "comment": (b'{"a":1} // note', "json_syntax"),
    "single quotes": (b"{'a':1}", "json_syntax"),
    "YAML": (b"format: kvw\n", "json_syntax"),
    "NaN (J3)": (b'{"a":NaN}', "json_syntax"),
    "Infinity (J3)": (b'{"a":-Infinity}', "json_syntax"),
    "1e999 (J3)": (b'{"a":[0,1e999]}', "json_number_not_finite"),
    "-1e999": (b'{"a":-1e999}', "json_number_not_finite"),
    "leading zero": (b'{"a":007}', "json_syntax"),
    "hexadecimal": (b'{"a":0x10}', "json_syntax"),
    "4,301 digits (J1)": (b'{"a":' + b"9" * 4301 + b"}", "json_number_too_large"),
    "20 digits": (b'{"a":' + b"9" * 20 + b"}", "json_number_too_large"),
    "2 to the 63rd": (b'{"a":9223372036854775808}', "json_number_too_large"),
    "65 lists (J2)": (b"[" * 65 + b"]" * 65, "json_too_deep"),
    "201 objects (J2)": (b'{"a":' * 201 + b"1" + b"}" * 201, "json_too_deep"),
    "995 lists (J2)": (b"[" * 995 + b"]" * 995, "json_too_deep"),
    "100,000 lists (J2)": (b"[" * 100_000, "json_too_deep"),
    "depth hidden behind quotes": (b'["\\"",' * 65 + b"1" + b"]" * 65, "json_too_deep"),
    "a list": (b"[]", "json_not_an_object"),
    "a number": (b"7", "json_not_an_object"),
    "null": (b"null", "json_not_an_object"),
    "duplicate key": (in_text('"format": "kvw"', b'"format": "kvw", "format": "x"'), "json_duplicate_key"),
    "duplicate key inside": (in_text('"tokens": 8192', b'"tokens": 8192, "tokens": 1'), "json_duplicate_key"),
    "duplicate key, spelled otherwise": (b'{"a":1,"\\u0061":2}', "json_duplicate_key"),
    "lone surrogate (2)": (in_text(TITLE, b'"\\ud800"'), "json_half_character"),
    "lone low surrogate": (in_text(TITLE, b'"\\udc00 x"'), "json_half_character"),
    "NUL in a text (J4)": (in_text(TITLE, b'"a\\u0000b"'), "unwanted_character"),
    "raw NUL": (in_text(TITLE, b'"a\x00b"'), "json_syntax"),
    "escape character": (in_text(TITLE, b'"\\u001b[31m"'), "unwanted_character"),
    "non-character": (in_text(TITLE, b'"\\uffff"'), "unwanted_character"),
    "new line in a title": (in_text(TITLE, b'"a\\nb"'), "unwanted_character"),
    "control character in a key": (b'{"a\\u0007":1}', "unwanted_character"),
    "key of 1,001 characters": (b'{"' + b"k" * 1001 + b'":1}', "json_key_too_long"),
    "raw tab in a text": (in_text(TITLE, b'"a\tb"'), "json_syntax"),
    "text of more than 1 MiB": (b'{"a":"' + b"x" * (MIB + 1) + b'"}', "json_text_too_long"),
    "too many groups": (b'{"a":[' + b"[]," * 150_001 + b"1]}", "json_too_many_groups"),
    "too many values": (b'{"a":[' + b"1," * 500_001 + b"1]}", "json_too_many_values"),
}  # fmt: skip

PLANS: dict[str, tuple[bytes, str]] = {
    "no format": (edited("format", value=...), "not_a_plan"),
    "another format": (edited("format", value="kvx"), "not_a_plan"),
    "format is a list": (edited("format", value=["kvw"]), "not_a_plan"),
    "a preset": (json.dumps(GOOD_PRESET).encode(), "preset_not_a_plan"),
    "no version": (edited("schema_version", value=...), "schema_version_missing"),
    "version 0": (edited("schema_version", value=0), "schema_version_missing"),
    "version true": (edited("schema_version", value=True), "schema_version_missing"),
    "version 1.0": (edited("schema_version", value=1.0), "schema_version_missing"),
    "version is a text": (edited("schema_version", value="1"), "schema_version_missing"),
    "app_version is a number": (edited("app_version", value=1), "field_wrong_type"),
    "scenarios is an object": (edited("scenarios", value={}), "field_wrong_type"),
    "scenarios is null": (edited("scenarios", value=None), "baseline_unknown"),
    "a scenario is a text": (edited(*S0, value="x"), "field_wrong_type"),
    "501 scenarios": (edited("scenarios", value=slim(GOOD["scenarios"]) * 501), "list_too_long"),
    "no baseline": (edited("baseline", value=None), "baseline_missing"),
    "unknown baseline": (edited("baseline", value="zz"), "baseline_unknown"),
    "same id twice": (edited("scenarios", value=GOOD["scenarios"] * 2), "scenario_ids_repeat"),
    "id with a slash": (edited(*S0, "id", value="a/b"), "field_wrong_form"),
    "id with a new line at the end": (edited(*S0, "id", value="lab\n"), "field_wrong_form"),
    "name missing": (edited(*S0, "name", value=...), "field_missing"),
    "name empty": (edited(*S0, "name", value=""), "text_too_short"),
    "name of 201 characters": (edited(*S0, "name", value="x" * 201), "text_too_long"),
    "notes of 10,001 characters": (edited(*S0, "notes", value="x" * 10_001), "text_too_long"),
    "model missing": (edited(*S0, "model", value=...), "field_missing"),
    "no layers": (edited(*S0, "model", "layers", value=[]), "list_too_short"),
    "10,001 layers": (edited(*RUN, "count", value=10_001), "field_too_large"),
    "20,000 layers in two runs": (edited(*S0, "model", "layers", value=[{**GOOD["scenarios"][0]["model"]["layers"][0], "count": 10_000}] * 2), "too_many_layers"),
    "layer kind unknown": (edited(*RUN, "mixer", "kind", value="quantum"), "field_not_a_choice"),
    "layer kind missing": (edited(*RUN, "mixer", "kind", value=...), "kind_missing"),
    "kv_heads 0": (edited(*RUN, "mixer", "kv_heads", value=0), "field_too_small"),
    "kv_heads -1": (edited(*RUN, "mixer", "kv_heads", value=-1), "field_too_small"),
    "kv_heads 8.0": (edited(*RUN, "mixer", "kv_heads", value=8.5), "field_wrong_type"),
    "kv_heads is a text": (edited(*RUN, "mixer", "kv_heads", value="8"), "field_wrong_type"),
    "kv_heads true": (edited(*RUN, "mixer", "kv_heads", value=True), "field_wrong_type"),
    "head_dim 2 to the 21st": (edited(*RUN, "mixer", "head_dim", value=2**21), "field_too_large"),
    "shape with nine sides": (edited(*RUN, "tensors", value=[{"name": "t", "shape": [1] * 9}]), "list_too_long"),
    "shape without sides": (edited(*RUN, "tensors", value=[{"name": "t", "shape": []}]), "list_too_short"),
    "shard unknown": (edited(*RUN, "tensors", value=[{"name": "t", "shape": [1], "shard": "x"}]), "field_not_a_choice"),
    "memory 0": (edited(*S0, "gpu", "device_total_bytes", value=0), "field_too_small"),
    "memory as a text": (edited(*S0, "gpu", "device_total_bytes", value="80 GiB"), "field_wrong_type"),
    "tp 0": (edited(*S0, "deployment", "tp", value=0), "field_too_small"),
    "tp × pp too many": (edited(*S0, "deployment", value={"tp": 4096, "pp": 2}), "too_many_ranks"),
    "partition of another length": (edited(*S0, "deployment", value={"pp": 2, "pp_partition": [1]}), "partition_length"),
    "block of 0 tokens": (edited(*S0, "engine", "block_tokens", value=0), "field_too_small"),
    "engine kind unknown": (edited(*S0, "engine", "kind", value="x"), "field_not_a_choice"),
    "amount of both": (edited(*S0, "reserves", "headroom", value={"size_bytes": 1, "share": 0.1}), "amount_needs_one"),
    "amount of neither": (edited(*S0, "reserves", "headroom", value={}), "amount_needs_one"),
    "share 1.5": (edited(*S0, "reserves", "headroom", value={"share": 1.5}), "field_too_large"),
    "quantiles fall": (edited(*S0, "workload", "lengths", value={"kind": "quantiles", "points": [{"q": 0.5, "tokens": 9}, {"q": 1, "tokens": 8}]}), "quantiles_not_rising"),
    "quantiles without the longest": (edited(*S0, "workload", "lengths", value={"kind": "quantiles", "points": [{"q": 0.5, "tokens": 9}]}), "quantiles_need_the_longest"),
    "lengths of an unknown kind": (edited(*S0, "workload", "lengths", value={"kind": "x"}), "field_not_a_choice"),
    "prefix shares over 100 %": (edited(*S0, "workload", "prefix_groups", value=[{"shared_tokens": 1}] * 2), "prefix_shares_over_one"),
    "reference without fingerprint": (edited(*S0, "model_ref", "fingerprint", value=...), "field_missing"),
    "fingerprint in capitals": (edited(*S0, "model_ref", "fingerprint", value="A" * 16), "field_wrong_form"),
    "namespace unknown": (edited(*S0, "model_ref", "namespace", value="web"), "field_not_a_choice"),
    "id that climbs": (edited(*S0, "model_ref", "id", value="../../x"), "field_wrong_form"),
    "currency of four letters": (edited(*S0, "prices", value={"per_gpu_hour": 1, "currency": "EURO"}), "field_wrong_form"),
    "1,001 unknown keys": (edited(*S0, value=GOOD["scenarios"][0] | {f"k{n}": n for n in range(1001)}), "too_many_unknown_keys"),
}  # fmt: skip

PRESETS: dict[str, tuple[bytes, str]] = {
    "a plan": (json.dumps(GOOD).encode(), "not_a_preset"),
    "newer": (edited("schema_version", value=2, base=GOOD_PRESET), "preset_newer"),
    "no version": (edited("schema_version", value=None, base=GOOD_PRESET), "schema_version_missing"),
    "unknown kind": (edited("kind", value="x", base=GOOD_PRESET), "preset_kind_wrong"),
    "kind that climbs": (edited("kind", value="../models", base=GOOD_PRESET), "preset_kind_wrong"),
    "unknown key outside": (edited("more", value=1, base=GOOD_PRESET), "key_unknown"),
    "unknown key inside": (edited("preset", "more", value=1, base=GOOD_PRESET), "key_unknown"),
    "no preset": (edited("preset", value=..., base=GOOD_PRESET), "field_missing"),
    "preset is a list": (edited("preset", value=[], base=GOOD_PRESET), "field_wrong_type"),
    "based on nothing": (edited("based_on", value="x", base=GOOD_PRESET), "field_wrong_form"),
    "based on a number": (edited("based_on", value=1, base=GOOD_PRESET), "field_wrong_form"),
    "id in capitals": (edited("preset", "id", value="Llama", base=GOOD_PRESET), "field_wrong_form"),
    "id missing": (edited("preset", "id", value=..., base=GOOD_PRESET), "field_missing"),
    "rev 0": (edited("preset", "rev", value=0, base=GOOD_PRESET), "field_too_small"),
    "alias is a number": (edited("preset", "aliases", value=[1], base=GOOD_PRESET), "field_wrong_type"),
    "published is a text": (edited("published", value="x", base=GOOD_PRESET), "field_wrong_type"),
    "published figure is a text": (edited("published", "parameters", value="8B", base=GOOD_PRESET), "field_wrong_type"),
    "set of 0 cards": (edited("preset", "count", value=0, base=GOOD_CARD), "field_too_small"),
    "set without a card": (edited("preset", "card", value=..., base=GOOD_CARD), "field_missing"),
    "neither card nor set": (edited("preset", "kind", value="rack", base=GOOD_CARD), "field_not_a_choice"),
    "rate of 0": (edited("preset", "card", "memory_bytes_per_s", value=0, base=GOOD_CARD), "field_too_small"),
}  # fmt: skip


ANY: Any = mock.ANY


def refused(read: Callable[[bytes], object], data: bytes, code: str) -> UserError:
    start = time.process_time()
    with pytest.raises(UserError) as caught:
        read(data)
    assert caught.value.code == code
    # The aim is 0.2 s; a loaded machine is given more.
    assert time.process_time() - start < 5.0
    sentence = error_text(caught.value)
    assert caught.value.code not in sentence
    assert "{" not in sentence.replace("{ }", "").replace("{…}", "")
    return caught.value


@pytest.mark.parametrize("name", BYTES)
def test_bytes_that_no_reader_takes(name: str) -> None:
    data, code = BYTES[name]
    refused(lambda data: plans.loads(data, "bad.kvw"), data, code)
    if code != "unwanted_character":
        refused(lambda data: presets.loads(data, "bad.json", "user"), data, code)


@pytest.mark.parametrize("name", PLANS)
def test_bad_plans(name: str) -> None:
    data, code = PLANS[name]
    refused(lambda data: plans.loads(data, "bad.kvw"), data, code)


@pytest.mark.parametrize("name", PRESETS)
def test_bad_presets(name: str) -> None:
    data, code = PRESETS[name]
    refused(lambda data: presets.loads(data, "bad.json", "user"), data, code)


def test_there_are_enough_of_them() -> None:
    assert len(PLANS) + len(PRESETS) >= 60
    assert len(BYTES) >= 40


@pytest.mark.parametrize(
    ("way", "value", "where"),
    [
        ((*RUN, "mixer", "kv_heads"), 0, "scenarios[0].model.layers[0].mixer.kv_heads"),
        ((*S0, "workload", "lengths", "tokens"), "x", "scenarios[0].workload.lengths.tokens"),
        ((*S0, "gpu", "name"), ..., "scenarios[0].gpu.name"),
        ((*S0, "notes"), "\x07", "scenarios[0].notes"),
    ],
)
def test_the_place_is_named(way: tuple[str | int, ...], value: object, where: str) -> None:
    with pytest.raises(UserError) as caught:
        plans.loads(edited(*way, value=value), "bad.kvw")
    assert caught.value.params["where"] == where


KINDS = '"plain", "vllm", "sglang", "trtllm", "llamacpp", "lmdeploy"'
ENGINE = (*S0, "engine")


@pytest.mark.parametrize(
    ("way", "value", "sentence"),
    [
        (ENGINE, {}, f"scenarios[0].engine.kind is missing; accepted is {KINDS}."),
        ((*ENGINE, "kind"), None, f"scenarios[0].engine.kind is null; accepted is {KINDS}."),
        ((*ENGINE, "kind"), True, f"scenarios[0].engine.kind is true; accepted is {KINDS}."),
        ((*ENGINE, "kind"), ["plain"], f"scenarios[0].engine.kind is […]; accepted is {KINDS}."),
        ((*ENGINE, "kind"), " plain", f'scenarios[0].engine.kind is " plain"; accepted is {KINDS}.'),
        ((*ENGINE, "release"), 1, 'scenarios[0].engine.release is 1; accepted under the kind "plain" is "1".'),
        ((*ENGINE, "block_tokens"), "16", 'scenarios[0].engine.block_tokens is "16"; accepted is a whole number.'),
        ((*S0, "workload", "sizing"), "p96", 'scenarios[0].workload.sizing is "p96"; accepted is "mean", "p50", "p95", "p99", "max".'),
        ((*S0, "id"), "a b", 'scenarios[0].id is "a b"; accepted are up to 64 lower-case letters, digits and dashes.'),
        (("app_version",), ["1"], "app_version is […]; accepted is a text in quotes."),
    ],
)  # fmt: skip
def test_values_are_quoted_as_the_file_has_them(
    way: tuple[str | int, ...], value: object, sentence: str
) -> None:
    error = refused(lambda data: plans.loads(data, "bad.kvw"), edited(*way, value=value), ANY)
    assert error_text(error) == f"bad.kvw: {sentence}"


@pytest.mark.parametrize("owner", ENGINE_CLASSES)
def test_a_profile_under_another_kind_is_told_as_such(owner: str) -> None:
    profile = engine_of(owner).model_dump(mode="json", exclude_none=True) | {"mine": 1}
    for kind in ENGINE_CLASSES.keys() - {owner, "plain"}:
        data = edited(*ENGINE, value=profile | {"kind": kind})
        error = refused(lambda data: plans.loads(data, "bad.kvw"), data, "engine_of_another_kind")
        told = (error.params["where"], error.params["kind"], error.params["owner"])
        assert told == ("scenarios[0].engine", f'"{kind}"', f'"{owner}"')
    # Something else is wrong with it: its own kind would not take it either.
    broken = edited(*ENGINE, value=profile | {"kind": "sglang", "block_tokens": "x", "rules": 1})
    error = refused(lambda data: plans.loads(data, "bad.kvw"), broken, ANY)
    assert error.code != "engine_of_another_kind"


def test_too_many_keys_are_counted_placed_and_some_named() -> None:
    more = {f"key {number:04}": 0 for number in range(1_001)}
    for document, where in (
        (GOOD | more, "the top level"),
        (GOOD | {"scenarios": [GOOD["scenarios"][0] | more]}, "scenarios[0]"),
    ):
        data = json.dumps(document).encode()
        error = refused(lambda data: plans.loads(data, "bad.kvw"), data, "too_many_unknown_keys")
        assert error_text(error) == (
            f"bad.kvw: {where} holds 1,001 keys that are not known here "
            '(["key 0000"], ["key 0001"], ["key 0002"], …); at most 1,000 are kept.'
        )


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ('"tokens": 8192', b'"tokens": ' + b"7" * 5000, "scenarios[0].workload.lengths.tokens"),
        ('"tokens": 8192', b'"tokens": 8192, "tokens": 1', "scenarios[0].workload.lengths.tokens"),
        (TITLE, b'{"' + b"k" * 10_000 + b'": 1}', f'title["{"k" * 39}…"]'),
        (TITLE, b'{"a b": {"' + b"k" * 900 + b'": [1e999]}}', f'title["a b"]["{"k" * 39}…"][0]'),
        (TITLE, b'{"' + b'kkk": {"' * 60 + b'kkk": 1e999' + b"}" * 61, f"title{'.kkk' * 13}.kk…kkk{'.kkk' * 24}"),
    ],
)  # fmt: skip
def test_a_place_is_named_and_short(old: str, new: bytes, where: str) -> None:
    error = refused(lambda data: plans.loads(data, "bad.kvw"), in_text(old, new), ANY)
    assert error.params["where"] == where


@pytest.mark.parametrize(
    ("data", "code", "column"),
    [
        (b'{"a": "[[\\"[[",\n "b": ' + b"[" * 65, "json_too_deep", 70),
        (b'{"a":\n  "' + b'\\"' * (MIB // 2 + 1), "json_text_too_long", 3),
        # One as long as is accepted stands before it.
        (b'{"a": "' + b"x" * MIB + b'",\n"b": "' + b"x" * (MIB + 1), "json_text_too_long", 6),
    ],
)
def test_what_is_too_much_is_placed(data: bytes, code: str, column: int) -> None:
    error = refused(lambda data: plans.loads(data, "bad.kvw"), data, code)
    assert (error.params["line"], error.params["column"]) == (2, column)


def test_every_code_has_a_sentence() -> None:
    root = Path(__file__).parents[2] / "workbench"
    raised, rules = set(), set()
    for path in (*(root / "library").glob("*.py"), *(root / "spec").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        raised |= set(re.findall(r'(?:UserError|_Found|Note)\(\s*"(\w+)"', text))
        rules |= set(re.findall(r'PydanticCustomError\(\s*"(\w+)"', text))
    # A rule that is not listed would come out as "not accepted (its_code)".
    assert rules == refusal.OWN_RULES
    raised |= set(save._CODES.values()) | refusal.OWN_RULES
    assert raised - ERRORS.keys() - NOTES.keys() == set()
    patterns = {
        found
        for path in (root / "spec").glob("*.py")
        for found in re.findall(r'pattern=r"([^"]+)"', path.read_text(encoding="utf-8"))
    }
    # One without a name would be shown as a regular expression.
    assert patterns == refusal.FORMS.keys()
    assert set(refusal.FORMS.values()) <= ACCEPTED.keys()
    assert len(raised) > 60
    for code, sentence in ERRORS.items():
        assert sentence.endswith("."), code


# What is no file


def test_special_files_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.kvw")
    (tmp_path / "loop.kvw").symlink_to(tmp_path / "loop.kvw")
    (tmp_path / "dangling.kvw").symlink_to(tmp_path / "nothing")
    cases = {
        tmp_path: "is_a_folder",
        tmp_path / "pipe.kvw": "is_a_pipe",
        tmp_path / "loop.kvw": "link_loop",
        tmp_path / "dangling.kvw": "file_missing",
        tmp_path / "nothing.kvw": "file_missing",
        tmp_path / ("x" * 300): "name_too_long",
        Path("/dev/null"): "is_a_device",
        Path("/dev/zero"): "is_a_device",
        Path("/proc/self/mem"): "read_failed",
        Path("a\0b"): "path_unusable",
    }
    for path, code in cases.items():
        refused(lambda _, path=path: plans.load(path), b"", code)


def test_files_without_a_size_are_read_to_the_limit_only() -> None:
    with pytest.raises(UserError):
        plans.load(Path("/proc/self/maps"))


def test_ceiling_is_checked_before_reading(tmp_path: Path) -> None:
    path = tmp_path / "big.kvw"
    with path.open("wb") as file:
        file.truncate(16 * MIB + 1)
    error = refused(lambda _: plans.load(path), b"", "file_over_limit")
    assert error.params["limit_bytes"] == 16 * MIB
    assert "larger than the 16 MiB" in error_text(error)
    with path.open("wb") as file:
        file.truncate(200 * MIB)
    error = refused(lambda _: plans.load(path), b"", "file_too_large")
    assert "200 MiB, at most 16 MiB" in error_text(error)


COSTLY = {
    "brackets": b"[" + b"[]," * (5 * MIB) + b"1]",
    "deep": b"[" * 16 * MIB,
    "objects": b"[" + b'{"a":1},' * 149_000 + b"1]",
    "backslashes": b"\\" * 16 * MIB,
    "quotes": b'"' * 16 * MIB,
    "letters": b"a" * 16 * MIB,
    "one character outside the BMP": b'["\xf0\x9d\x84\x9e' + b"a" * (15 * MIB) + b'"]',
    "values": b"[" + b"1.5," * 499_000 + b"1]",
    "zeros": bytes(16 * MIB),
    "spaces": b" " * 16 * MIB,
    "no UTF-8 at the end": b" " * (15 * MIB) + b"\xff",
}

CHILD = """
import os, resource, sys, time
from pathlib import Path
from workbench.library import plans
from workbench.spec.errors import UserError
limit = 1 << 30
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
plans.loads(Path(sys.argv[1]).read_bytes(), "warm")
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for name in sys.argv[2:]:
    # Each in its own child, so that one peak does not hide another.
    process = os.fork()
    if process == 0:
        Path("/proc/self/clear_refs").write_text("5")
        before = int(Path("/proc/self/statm").read_text().split()[1]) * 4096
        start = time.process_time()
        try:
            plans.load(Path(name))
            code = "accepted"
        except UserError as error:
            code = error.code
        spent = time.process_time() - start
        status = Path("/proc/self/status").read_text()
        high = int(status.split("VmHWM:")[1].split()[0]) * 1024
        print(Path(name).name, code, round(spent, 3), (high - before) >> 20, sep="\\t", flush=True)
        os._exit(0)
    assert os.waitpid(process, 0)[1] == 0, name
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_refusing_costs_little_time_and_memory(tmp_path: Path) -> None:
    good = tmp_path / "good.kvw"
    good.write_bytes(plans.dumps(plan()))
    names = []
    for name, data in COSTLY.items():
        (tmp_path / name).write_bytes(data)
        names.append(str(tmp_path / name))
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(good), *names],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert len(rows) == len(COSTLY)
    for name, code, spent, mebibytes in rows:
        assert code in ERRORS, name
        assert float(spent) <= 1.0, (name, spent)
        assert int(mebibytes) <= 64, (name, mebibytes)


def test_paths_are_shown_safely_and_come_back() -> None:
    for raw in (b"/a b/-rf.kvw", b"/\xff\n\x1b[0m.kvw", "/ü/中文%41.kvw".encode(), b"C:\\x"):
        path = os.fsdecode(raw)
        text = paths.path_to_text(path)
        assert text.isascii()
        assert os.fsencode(paths.path_from_text(text)) == raw
        assert paths.shown(path).isprintable()
    assert paths.shown("/x\u202eevil.kvw") == "/x\\u202eevil.kvw"
    assert jsonfile.MAX_DEPTH == 64
