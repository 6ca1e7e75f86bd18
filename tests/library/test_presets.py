"""Presets: the figures they hold, how they are found, and the person's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.library.samples import builtin
from workbench.library import jsonfile, paths, presets
from workbench.library.check import check
from workbench.library.presets import KINDS, Library, fork
from workbench.spec.errors import UserError
from workbench.spec.words.errors import ERRORS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def user(tmp_path: Path) -> Path:
    return tmp_path / "presets"


@pytest.fixture
def library(user: Path) -> Library:
    return Library(paths.presets_dir(), user)


@pytest.mark.parametrize(
    ("name", "parameters", "elements"),
    [
        ("llama-3.1-8b", 8_030_261_248, 65_536),
        ("llama-3.1-70b", 70_553_706_496, 163_840),
        ("qwen3-32b", 32_762_123_264, 131_072),
        ("ledger-lab", 0, 65_536),
    ],
)
def test_counts_equal_the_published_ones(
    library: Library, name: str, parameters: int, elements: int
) -> None:
    preset = library.model(name)
    assert preset.value.parameters == parameters
    assert preset.published is not None
    assert preset.published.kv_elements_per_token == elements


def test_no_builtin_preset_has_a_problem(library: Library) -> None:
    assert check(library) == ()


def test_check_tells_a_wrong_count(library: Library) -> None:
    mine = fork(library.model("llama-3.1-8b"), "mine", "Mine")
    run = mine.value.layers[0]
    shorter = mine.value.with_(layers=(run.with_(count=31),))
    library.save_user(presets.replace(mine, value=shorter))
    codes = {(problem.reference, problem.code) for problem in check(library)}
    assert codes == {("user:mine", "parameters_differ"), ("user:mine", "kv_elements_differ")}


def test_scale_bytes_of_fp8_weights_give_the_observed_checkpoint(library: Library) -> None:
    model, form = library.model("llama-3.1-8b").value, library.weight_format("fp8").value
    total = 0
    for count, tensors in ((run.count, run.tensors) for run in model.layers):
        for tensor in tensors:
            bits = form.bits if tensor.quantised else form.other_bits
            scale = form.tensor_scale_bytes if tensor.quantised else 0
            total += count * (tensor.elements * bits // 8 + scale)
    total += sum(tensor.elements * form.other_bits // 8 for tensor in model.tensors)
    assert total == 9_081_201_536


@pytest.mark.parametrize(
    ("name", "bytes_of_a_head"),
    [("bf16", 512), ("fp8", 256), ("fp8-per-token-head", 264), ("int8", 264), ("int4", 136),
     ("nvfp4", 144)],
)  # fmt: skip
def test_kv_bytes_of_one_head_and_token_of_128(
    library: Library, name: str, bytes_of_a_head: int
) -> None:
    form = library.kv_format(name).value
    vectors = (form.k_bits + form.v_bits) * 128 // 8
    heads = form.k_head_scale_bytes + form.v_head_scale_bytes
    groups = 0
    if form.group_elements:
        groups = 2 * (128 // form.group_elements) * form.group_scale_bytes
    assert vectors + heads + groups == bytes_of_a_head


def test_cards(library: Library) -> None:
    assert library.gpu("80-gib").value.device_total_bytes == 85_899_345_920
    assert library.gpu("h100-sxm").value.device_total_bytes == 85_056_458_588
    assert library.gpu("h100-sxm").value.smi_total_mib == 81_559
    assert library.gpu("80-gib").value.memory_bytes_per_s is None
    for name, card, count in (
        ("4x-80-gib", "80-gib", 4),
        ("8x-h100-sxm", "h100-sxm", 8),
        ("8x-h200-sxm", "h200", 8),
    ):
        cards = library.gpu(name).value
        assert (cards.card, cards.count, cards.tp) == (library.gpu(card).value, count, count)


def test_workloads_agree_with_the_facts(library: Library, shared: Path) -> None:
    facts = json.loads((shared / "facts" / "workloads.json").read_bytes())
    for name in ("azure2023-conv", "mooncake-conversation", "sharegpt-8k"):
        fact = facts[name.replace("-", "_")]
        lengths = library.workload(name).value.workload.lengths
        assert len(lengths.points) == 101
        assert lengths.mean_tokens == fact["total"]["mean"]
        for step, key in (
            (0, "min"),
            (50, "p50"),
            (90, "p90"),
            (95, "p95"),
            (99, "p99"),
            (100, "max"),
        ):
            assert 0 <= lengths.points[step].tokens - round(fact["total"][key], 6) < 1


def test_generator_gives_the_committed_files(shared: Path, tmp_path: Path) -> None:
    script = ROOT / "packaging" / "make_presets.py"
    args = [sys.executable, script, "--facts", shared / "facts", "--out", tmp_path]
    subprocess.run(args, check=True)
    made = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.json")}
    kept = {path.relative_to(ROOT / "presets"): path for path in (ROOT / "presets").rglob("*.json")}
    assert made.keys() <= kept.keys()
    assert [path for path in made if kept[path].read_bytes() != made[path]] == []


# Finding


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("llama-3.1-8b", "llama-3.1-8b"),
        ("meta-llama/Llama-3.1-8B", "llama-3.1-8b"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b"),
        ("META-LLAMA/llama-3.1-8b-instruct", "llama-3.1-8b"),
        ("llama-3.1-8b-instruct", "llama-3.1-8b"),
        ("meta-llama-3.1-70b", "llama-3.1-70b"),
        ("Qwen/Qwen3-32B", "qwen3-32b"),
        (" qwen3-32b ", "qwen3-32b"),
        ("builtin:qwen3-32b", "qwen3-32b"),
        ("builtin:qwen3-32b@1", "qwen3-32b"),
    ],
)
def test_models_are_found_by_any_of_their_names(library: Library, text: str, found: str) -> None:
    assert library.model(text).value.id == found


@pytest.mark.parametrize(
    ("text", "found"),
    [("h100-sxm-80gb", "h100-sxm"), ("a100-sxm-80gb", "a100-80-sxm"), ("h200-sxm-141gb", "h200"),
     ("HGX H100", "h100-sxm"), ("l40s", "l40s"), ("NVIDIA L40S 48GB", "l40s")],
)  # fmt: skip
def test_cards_are_found_by_their_aliases(library: Library, text: str, found: str) -> None:
    assert library.gpu(text).value.id == found


def test_formats_are_found_by_their_aliases(library: Library) -> None:
    assert library.weight_format("fp16").value.id == "bf16"
    assert library.kv_format("auto").value.id == "bf16"
    assert library.kv_format("fp8_e4m3").value.id == "fp8"


@pytest.mark.parametrize(
    "text", ["", "nothing like it", "../gpus/l40s", "/etc/passwd", "user:llama-3.1-8b", "x" * 9999,
             "llama-3.1-8b\n/", "\0", "\ud800"],
)  # fmt: skip
def test_unknown_name(library: Library, text: str) -> None:
    with pytest.raises(UserError) as caught:
        library.model(text)
    assert caught.value.code in ("preset_unknown", "preset_unknown_alone")
    assert library.known("models", text) is None


def test_a_name_is_known_without_a_search_for_close_ones(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("difflib.get_close_matches", None)
    assert library.known("models", "lama-3.1-8b") is None
    found = library.known("models", " meta-llama/Llama-3.1-8B-Instruct ")
    assert found is not None
    assert found.value.id == "llama-3.1-8b"


def test_unknown_name_offers_close_ones(library: Library) -> None:
    with pytest.raises(UserError) as caught:
        library.model("lama-3.1-8b")
    assert "llama-3.1-8b" in str(caught.value.params["candidates"])


def test_one_exact_id_reads_one_file(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    original = jsonfile.read_bytes
    monkeypatch.setattr(
        jsonfile,
        "read_bytes",
        lambda path, limit: read.append(path) or original(path, limit),
    )
    library.model("qwen3-32b")
    assert [path.name for path in read] == ["qwen3-32b.json"]


def test_three_hundred_presets_are_listed_quickly(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    content = json.loads((paths.presets_dir() / "models" / "qwen3-32b.json").read_bytes())
    for number in range(330):
        content["preset"] |= {"id": f"m{number}", "hf_id": f"Org/M{number}"}
        (folder / f"m{number}.json").write_text(json.dumps(content, indent=2))
    times = []
    for _ in range(5):
        start = time.process_time()
        library = Library(tmp_path)
        assert len(library.listed("models")) == 330
        assert library.model("org/m77").value.id == "m77"
        times.append(time.process_time() - start)
    # 0.05 s is the aim; this only catches a list that has become quadratic.
    assert min(times) <= 2


# The person's own


def test_fork_remembers_its_origin_and_leaves_the_names_behind(library: Library) -> None:
    origin = library.model("llama-3.1-8b")
    saved = library.save_user(fork(origin, "mine", "Mine"))
    assert saved.ref.namespace == "user"
    library.refresh()
    found = library.model("mine")
    assert found.based_on == "builtin:llama-3.1-8b@1"
    assert found == saved
    assert library.model("meta-llama/Llama-3.1-8B") == origin
    assert [item.reference for item in library.listed("models")][-1] == "user:mine"


def test_own_preset_wins_over_nothing(library: Library) -> None:
    mine = fork(library.model("ledger-lab"), "llama-3.1-8b", "Mine")
    library.save_user(mine)
    assert library.model("llama-3.1-8b").namespace == "builtin"
    assert library.model("user:llama-3.1-8b").value.name == "Mine"


def test_saving_again_needs_consent_and_counts_the_revision(library: Library) -> None:
    first = library.save_user(fork(library.gpu("l40s"), "mine", "Mine"))
    with pytest.raises(UserError, match="file_exists"):
        library.save_user(first)
    assert library.save_user(first, overwrite=True).value.rev == 1
    changed = presets.replace(first, value=first.value.with_(name="Other"))
    assert library.save_user(changed, overwrite=True).value.rev == 2


def test_two_own_presets_of_one_alias_are_ambiguous(library: Library) -> None:
    for name in ("one", "two"):
        mine = fork(library.gpu("l40s"), name, name)
        library.save_user(presets.replace(mine, value=mine.value.with_(aliases=("Both",))))
    with pytest.raises(UserError) as caught:
        library.gpu("both")
    assert caught.value.code == "preset_ambiguous"
    assert caught.value.params["candidates"] == "user:one, user:two"


def test_broken_own_files_are_listed_and_kept(library: Library, user: Path) -> None:
    (user / "gpus").mkdir(parents=True)
    bad = {
        "a.json": b"{",
        "b.json": b"",
        "c.json": b'{"format": "kvw-preset", "schema_version": 2, "kind": "gpus", "preset": {}}',
        "d\xff.json".encode("latin-1"): b"[]",
        "E F.json": presets.dumps(library.gpu("l40s")),
    }
    for name, data in bad.items():
        (
            user
            / "gpus"
            / (name if isinstance(name, str) else name.decode("utf-8", "surrogateescape"))
        ).write_bytes(data)
    listed = [item for item in library.listed("gpus") if item.namespace == "user"]
    assert len(listed) == 5
    assert all(item.problem is not None and item.problem.code in ERRORS for item in listed)
    assert len(list((user / "gpus").iterdir())) == 5
    assert library.gpu("l40s").namespace == "builtin"
    with pytest.raises(UserError, match="json_syntax"):
        library.gpu("user:a")


def test_an_unknown_kind_of_layer_is_named(library: Library, user: Path) -> None:
    content = json.loads(presets.dumps(library.model("llama-3.1-8b")))
    content["preset"]["id"] = "mine"
    content["preset"]["layers"][0]["mixer"]["kind"] = "hyperattention"
    (user / "models").mkdir(parents=True)
    (user / "models" / "mine.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(UserError) as caught:
        library.model("user:mine")
    assert caught.value.code == "field_not_a_choice"
    assert caught.value.params["value"] == '"hyperattention"'
    assert caught.value.params["where"] == "preset.layers[0].mixer.kind"


def test_no_user_folder() -> None:
    with pytest.raises(UserError, match="no_user_folder"):
        builtin().save_user(fork(builtin().gpu("l40s"), "mine", "Mine"))


def test_fork_with_an_unusable_id() -> None:
    with pytest.raises(UserError) as caught:
        fork(builtin().gpu("l40s"), "Not a slug", "Mine")
    assert (caught.value.code, caught.value.params["where"]) == ("field_wrong_form", "id")


def test_reading_and_writing_give_the_same_preset() -> None:
    library = builtin()
    for kind in KINDS:
        for item in library.listed(kind)[::7]:
            preset = library.get(kind, "builtin", item.id)
            written = presets.dumps(preset)
            assert presets.loads(written, item.id, "builtin") == preset
            assert presets.dumps(presets.loads(written, item.id, "builtin")) == written


@pytest.mark.skipif(os.name != "posix", reason="links and pipes as on Unix")
def test_links_that_lead_nowhere_and_files_that_go_are_listed_as_broken(
    user: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = user / "models"
    folder.mkdir(parents=True)
    (folder / "nowhere.json").symlink_to("nothing")
    (folder / "loop.json").symlink_to("loop.json")
    os.mkfifo(folder / "pipe.json")
    found = {item.id: item.problem for item in library.listed("models") if item.problem}
    codes = {name: problem.code for name, problem in found.items()}
    assert codes == {"nowhere": "file_missing", "loop": "link_loop", "pipe": "is_a_pipe"}
    for name in (*codes, "user:nowhere@1", "no such model"):
        with pytest.raises(UserError):
            library.model(name)
    # Gone between the listing of the folder and the reading of the file.
    monkeypatch.setattr(Path, "glob", lambda self, pattern: [self / "gone.json"])
    gone = Library(paths.presets_dir(), user).listed("models")
    problems = [item.problem.code for item in gone if item.problem]
    assert problems == ["preset_unreadable", "file_missing"]


def test_a_closed_folder_of_own_presets_holds_nothing(
    user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stat = os.stat

    def closed(path: object, *how: object, **more: object) -> object:
        if str(path).startswith(str(user)):
            raise PermissionError(13, "Permission denied")
        return stat(path, *how, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "stat", closed)
    monkeypatch.setattr(os, "lstat", closed)
    with pytest.raises(UserError, match="preset_unknown"):
        Library(paths.presets_dir(), user).model("no-such-model")


def test_a_name_that_nobody_can_see_is_read_as_the_id(library: Library) -> None:
    content = json.loads(presets.dumps(library.gpu("8x-h100-sxm")))
    content["preset"]["name"] = content["preset"]["card"]["name"] = "  "
    found = presets.loads(json.dumps(content).encode(), "own.json", "user").value
    assert (found.name, found.card.name) == (found.id, found.card.id)
    with pytest.raises(UserError, match="field_wrong_form"):
        fork(library.gpu("80-gib"), "mine", "\u2003")
