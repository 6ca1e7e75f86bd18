"""`kvw presets check` catches what is not as published, and the builders what they do not know."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import RunProgram
from workbench.library import paths, presets
from workbench.library.check import check
from workbench.library.presets import Library, Preset, fork
from workbench.spec.layers import SharedCache, SlidingAttention
from workbench.spec.model import ModelSpec

ROOT = Path(__file__).parents[2]


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(paths.presets_dir(), tmp_path / "presets")


def changed(name: str, change: Callable[[ModelSpec], ModelSpec], library: Library) -> set[str]:
    """Return what the check says of a model of one's own, made from a built-in one."""
    mine = fork(library.model(name), "mine", "Mine")
    library.save_user(presets.replace(mine, value=change(mine.value)))
    return {problem.code for problem in check(library) if problem.reference == "user:mine"}


def first_run(**changes: Any) -> Callable[[ModelSpec], ModelSpec]:
    def change(model: ModelSpec) -> ModelSpec:
        first, *rest = model.layers
        return model.with_(layers=(first.with_(**changes), *rest))

    return change


def test_an_unchanged_fork_is_clean(library: Library) -> None:
    assert changed("google/gemma-3-27b-it", lambda model: model, library) == set()


def test_a_missing_tensor(library: Library) -> None:
    def change(model: ModelSpec) -> ModelSpec:
        return model.with_(tensors=model.tensors[:-1])

    assert changed("moonshotai/Kimi-K2.5", change, library) == {"parameters_differ"}


def test_a_tower_of_another_size(library: Library) -> None:
    def change(model: ModelSpec) -> ModelSpec:
        assert model.vision is not None
        return model.with_(vision=model.vision.with_(tensors=model.vision.tensors[1:]))

    assert changed("Qwen/Qwen3-VL-2B-Instruct", change, library) == {"parameters_differ"}


def test_a_known_difference_that_grew(library: Library) -> None:
    def change(model: ModelSpec) -> ModelSpec:
        return model.with_(tensors=model.tensors[1:])

    assert changed("moonshotai/Kimi-K3", change, library) == {"parameters_differ"}


def test_another_window(library: Library) -> None:
    window = library.model("google/gemma-3-27b-it").value.layers[0].mixer
    assert isinstance(window, SlidingAttention)
    wider = first_run(mixer=window.with_(window_tokens=2048))
    assert changed("google/gemma-3-27b-it", wider, library) == {"kv_elements_differ"}


def test_another_state_and_another_indexer(library: Library) -> None:
    state = library.model("Qwen/Qwen3.5-4B").value.layers[0].mixer
    smaller = state.tensors[1].with_(shape=(1, 128, 128))
    change = first_run(mixer=state.with_(tensors=(state.tensors[0], smaller)))
    assert changed("Qwen/Qwen3.5-4B", change, library) == {"kv_elements_differ"}


def test_a_layer_that_reads_a_cache_nobody_writes(library: Library) -> None:
    def change(model: ModelSpec) -> ModelSpec:
        runs = list(model.layers)
        for number, run in enumerate(runs):
            if isinstance(run.mixer, SharedCache):
                runs[number] = run.with_(mixer=run.mixer.with_(source_layer=29))
        return model.with_(layers=tuple(runs))

    assert "cache_source_wrong" in changed("google/gemma-3n-E2B-it", change, library)


def test_a_format_of_no_preset(library: Library) -> None:
    def change(model: ModelSpec) -> ModelSpec:
        return model.with_(shipped_format="fp3")

    assert changed("deepseek-v3", change, library) == {"shipped_format_unknown"}


def test_memory_readings_that_contradict(library: Library) -> None:
    card = fork(library.gpu("h100-sxm"), "mine", "Mine")
    for field, value in (
        ("device_total_bytes", 86 * 10**9),
        ("smi_total_mib", 100_000),
        ("framework_total_bytes_low", 86 * 10**9),
        ("framework_total_bytes_high", 80 * 10**9),
        ("marketing_gb", 40),
    ):
        saved = presets.replace(card, value=card.value.with_(**{field: value}))
        library.save_user(saved, overwrite=True)
        codes = {item.code for item in check(library) if item.reference == "user:mine"}
        assert codes == {"memory_readings_differ"}, field


def test_broken_files_are_listed_with_their_reason(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "presets" / "models"
    folder.mkdir(parents=True)
    (folder / "cut.json").write_text('{"format": ', encoding="utf-8")
    (folder / "list.json").write_text("[]", encoding="utf-8")
    (folder / "empty.json").write_bytes(b"")
    (folder / "bytes.json").write_bytes(b"\xff\xfe")
    found = {item.reference: item.code for item in check(library) if "user:" in item.reference}
    assert found.keys() == {"user:cut", "user:list", "user:empty", "user:bytes"}


# The command


def test_the_table_shows_differences_and_a_summary(
    run_kvw: RunProgram, ask_kvw: RunProgram, tmp_path: Path
) -> None:
    home = {"XDG_DATA_HOME": str(tmp_path), "COLUMNS": "160"}
    shown = run_kvw(["presets", "check"], **home).stdout
    assert "kimi-k3" in shown
    assert "(recorded)" in shown
    assert "llama-3.1-8b" not in shown
    assert "3 differ as recorded, 0 differ" in shown
    every = ask_kvw(["presets", "check", "--all"], **home).stdout
    assert "builtin:llama-3.1-8b" in every
    assert "8,030,261,248" in every


def test_a_wrong_preset_of_ones_own_ends_in_1(ask_kvw: RunProgram, tmp_path: Path) -> None:
    library = Library(paths.presets_dir(), tmp_path / "kvw" / "presets")
    mine: Preset[ModelSpec] = fork(library.model("llama-3.1-8b"), "mine", "Mine")
    one = mine.value.with_(layers=(mine.value.layers[0].with_(count=31),))
    library.save_user(presets.replace(mine, value=one))
    done = ask_kvw(["presets", "check", "--json"], XDG_DATA_HOME=str(tmp_path))
    assert done.returncode == 1
    told = json.loads(done.stdout)
    rows = [row for row in told["rows"] if row["preset"] == "user:mine"]
    assert {row["code"] for row in rows} == {"parameters_differ", "kv_elements_differ"}
    figures = [row for row in told["figures"] if row["preset"] == "user:mine"]
    assert {row["agrees"] for row in figures} == {False}


# The builders


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import preset_parts.layers
    import preset_parts.models

    return preset_parts


def fact(**changes: Any) -> dict[str, Any]:
    return {
        "id": "someone/New",
        "model_type": "new",
        "hidden_size": 64,
        "intermediate_size": 128,
        "counting": {},
        "layer_types": ["full"],
        "ffn_types": ["dense"],
        "attn": {"full": {"kind": "gqa", "num_heads": 4, "num_kv_heads": 2, "head_dim": 16}},
    } | changes


def test_builders_know_plain_layers(parts: Any) -> None:
    (run_,) = parts.layers.runs(fact(layer_types=["full"] * 3, ffn_types=["dense"] * 3))
    assert run_.count == 3


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"attn": {"full": {"kind": "retention"}}}, "retention"),
        ({"ffn_types": ["hash"]}, "hash"),
        ({"counting": {"norms_per_layer": 9}}, "9 norms"),
        ({"counting": {"extra_per_layer": 5}}, "5 extra"),
        (
            {"attn": {"full": {"kind": "gqa", "num_heads": 4, "num_kv_heads": 2, "head_dim": 16,
                               "rotor": 1}}},
            "rotor",
        ),
    ],
)  # fmt: skip
def test_builders_name_what_they_do_not_know(
    parts: Any, changes: dict[str, Any], named: str
) -> None:
    with pytest.raises(SystemExit, match=named):
        parts.layers.runs(fact(**changes))
