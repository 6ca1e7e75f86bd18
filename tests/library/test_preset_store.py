"""The folder of a person's own presets: written, read in the background, moved aside, adopted."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.library.samples import builtin
from workbench.library import compose, preset_edits, presets
from workbench.library.paths import presets_dir
from workbench.library.presets import Library, Preset
from workbench.library.stale import adopted, current_of, is_edited, stale_part, stale_parts
from workbench.spec.errors import UserError
from workbench.spec.scenario import Scenario


@pytest.fixture
def user(tmp_path: Path) -> Path:
    return tmp_path / "presets"


@pytest.fixture
def library(user: Path) -> Library:
    return Library(presets_dir(), user)


def own(library: Library, kind: str = "gpus", name: str = "l40s") -> Preset[Any]:
    """A saved copy of a built-in preset."""
    return library.save_user(preset_edits.own_copy(library, library.find(kind, name)))  # type: ignore[arg-type]


def changed(preset: Preset[Any], **values: object) -> Preset[Any]:
    return replace(preset, value=preset.value.with_(**values))


# Writing


def test_a_file_that_changed_since_it_was_read_is_not_overwritten(
    library: Library, user: Path
) -> None:
    mine = own(library)
    digest = library.digest("gpus", mine.value.id)
    path = user / "gpus" / f"{mine.value.id}.json"
    other = presets.dumps(changed(mine, power_w=1.0))
    path.write_bytes(other)
    with pytest.raises(UserError, match="changed_on_disk"):
        library.store(changed(mine, power_w=2.0), expected_digest=digest)
    assert path.read_bytes() == other
    path.unlink()
    with pytest.raises(UserError, match="gone_from_disk"):
        library.store(changed(mine, power_w=2.0), expected_digest=digest)
    assert not path.exists()


def test_a_store_counts_on_from_the_file_and_is_noted_when_adopted(library: Library) -> None:
    mine = own(library)
    digest = library.digest("gpus", mine.value.id)
    stored = library.store(changed(mine, power_w=2.0), expected_digest=digest)
    assert stored.preset.value.rev == 2
    assert library.get("gpus", "user", mine.value.id) == mine
    library.adopt(stored)
    assert library.get("gpus", "user", mine.value.id).value.power_w == 2.0
    assert library.digest("gpus", mine.value.id) == stored.digest
    again = library.store(stored.preset, expected_digest=stored.digest)
    assert again.preset.value.rev == 2


def test_a_new_preset_replaces_no_file(library: Library) -> None:
    mine = own(library)
    with pytest.raises(UserError, match="file_exists"):
        library.store(mine)


# Moving aside


def test_a_deleted_preset_is_moved_aside_and_brought_back(library: Library, user: Path) -> None:
    mine = own(library)
    preset_id = mine.value.id
    path = user / "gpus" / f"{preset_id}.json"
    content = path.read_bytes()
    place = library.put_aside("gpus", preset_id)
    library.forget("gpus", preset_id)
    assert not path.exists()
    assert place.read_bytes() == content
    assert user in place.parents
    assert all(item.id != preset_id for item in library.listed("gpus"))
    library.refresh()
    assert all(item.id != preset_id for item in library.listed("gpus"))
    # One of the same id that was made since stays.
    again = own(library)
    assert again.value.id == preset_id
    with pytest.raises(UserError, match="file_exists"):
        library.bring_back("gpus", preset_id, place)
    second = library.put_aside("gpus", preset_id)
    assert second != place
    library.bring_back("gpus", preset_id, place)
    library.forget("gpus", preset_id)
    assert library.get("gpus", "user", preset_id) == mine


def test_formats_are_moved_aside_below_the_same_folder(library: Library, user: Path) -> None:
    mine = own(library, "formats/kv", "fp8")
    place = library.put_aside("formats/kv", mine.value.id)
    assert place.is_relative_to(user / "deleted" / "formats" / "kv")


def test_what_is_not_there_cannot_be_moved(library: Library) -> None:
    with pytest.raises(UserError):
        library.put_aside("gpus", "none")
    with pytest.raises(UserError, match="no_user_folder"):
        builtin().put_aside("gpus", "none")


# Reading in the background


def test_own_presets_are_read_anew_when_their_files_change(library: Library, user: Path) -> None:
    mine = own(library)
    assert library.own_files_changed()
    assert library.take_own(library.read_own())
    assert not library.own_files_changed()
    path = user / "gpus" / "second.json"
    path.write_bytes(presets.dumps(preset_edits.with_id(mine, "second")))
    (user / "gpus" / "broken.json").write_text("{")
    assert library.own_files_changed()
    assert library.take_own(library.read_own())
    listed = {item.id: item for item in library.listed("gpus") if item.namespace == "user"}
    assert set(listed) == {mine.value.id, "second", "broken"}
    assert listed["broken"].problem is not None
    assert library.digest("gpus", "second") is not None
    path.unlink()
    assert library.take_own(library.read_own())
    assert library.known("gpus", "user:second") is None


def test_what_was_written_meanwhile_is_not_forgotten(library: Library) -> None:
    own(library)
    read = library.read_own()
    second = own(library)
    assert not library.take_own(read)
    assert library.get("gpus", "user", second.value.id) == second


def test_a_broken_file_is_read_once(
    library: Library, user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (user / "gpus").mkdir(parents=True)
    (user / "gpus" / "broken.json").write_text("[" * 100_000)
    assert library.take_own(library.read_own())

    def refuse(*_: object) -> bytes:
        raise AssertionError("read again")

    monkeypatch.setattr("workbench.library.jsonfile.read_bytes", refuse)
    (listed,) = (item for item in library.listed("gpus") if item.namespace == "user")
    assert listed.problem is not None
    assert listed.problem.code == "json_too_deep"


@pytest.mark.skipif(os.name != "posix", reason="links and pipes as on Unix")
def test_hostile_files_are_listed_with_the_reason(library: Library, user: Path) -> None:
    folder = user / "models"
    folder.mkdir(parents=True)
    (folder / "loop.json").symlink_to("loop.json")
    os.mkfifo(folder / "pipe.json")
    (folder / "folder.json").mkdir()
    (folder / "deep.json").write_bytes(b'{"a":' * 5_000)
    with (folder / "huge.json").open("wb") as huge:
        huge.truncate(2**40)
    wrong = presets.dumps(library.gpu("l40s"))
    (folder / "l40s.json").write_bytes(wrong)
    assert library.take_own(library.read_own())
    codes = {i.id: i.problem.code for i in library.listed("models") if i.problem is not None}
    assert codes == {
        "loop": "link_loop",
        "pipe": "is_a_pipe",
        "folder": "is_a_folder",
        "deep": "json_too_deep",
        "huge": "file_too_large",
        "l40s": "preset_kind_wrong",
    }
    assert (folder / "l40s.json").read_bytes() == wrong


# Scenarios and their presets


def scenario(library: Library, model: Preset[Any], gpu: Preset[Any]) -> Scenario:
    return compose.new_scenario(library, "a", "A", model, gpu)


def test_a_scenario_keeps_its_copy_until_it_takes_the_revision(library: Library) -> None:
    model, card = own(library, "models", "llama-3.1-8b"), own(library)
    made = scenario(library, model, card)
    assert stale_parts(library, made) == ()
    newer = library.save_user(changed(model, hidden_size=4), overwrite=True)
    found = stale_part(library, made, "model")
    assert found is not None
    assert not found.gone
    assert "hidden_size" in found.fields
    assert current_of(library, made, "model") == newer
    taken = adopted(library, made, "model")
    assert taken.model == newer.value
    assert taken.model_ref == newer.ref
    assert stale_parts(library, taken) == ()
    assert taken.with_(model=made.model, model_ref=made.model_ref) == made


def test_a_card_edited_in_the_scenario_counts_as_edited(library: Library) -> None:
    model, card = own(library, "models", "llama-3.1-8b"), own(library)
    made = scenario(library, model, card)
    assert not is_edited(made, "gpu")
    edited = made.with_(gpu=made.gpu.with_(device_total_bytes=1))
    assert is_edited(edited, "gpu")
    assert not is_edited(edited, "model")


def test_a_set_of_own_cards_is_held_against_the_set(library: Library) -> None:
    model = library.model("llama-3.1-8b")
    cards = own(library, "gpus", "4x-80-gib")
    made = scenario(library, model, cards)
    assert stale_parts(library, made) == ()
    other = made.with_(deployment=made.deployment.with_(tp=2))
    card = cards.value.card.with_(device_total_bytes=2**36)
    library.save_user(changed(cards, card=card), overwrite=True)
    found = stale_part(library, other, "gpu")
    assert found is not None
    assert "device_total_bytes" in found.fields
    taken = adopted(library, other, "gpu")
    assert taken.gpu == card
    assert taken.deployment == other.deployment
    assert stale_parts(library, taken) == ()


def test_a_deleted_preset_is_gone_and_nothing_is_taken(library: Library) -> None:
    model, card = library.model("llama-3.1-8b"), own(library)
    made = scenario(library, model, card)
    library.put_aside("gpus", card.value.id)
    library.forget("gpus", card.value.id)
    found = stale_part(library, made, "gpu")
    assert found is not None
    assert found.gone
    assert adopted(library, made, "gpu") == made


def test_a_workload_is_taken_with_the_scenarios_own_concurrency(library: Library) -> None:
    workload = own(library, "workloads", "sharegpt-8k")
    made = scenario(library, library.model("llama-3.1-8b"), library.gpu("l40s"))
    made = made.with_(workload=made.workload.with_(concurrency=7))
    made = compose.with_workload(made, workload)
    inner = workload.value.workload.with_(sizing="max")
    library.save_user(changed(workload, workload=inner), overwrite=True)
    assert stale_part(library, made, "workload") is not None
    taken = adopted(library, made, "workload")
    assert (taken.workload.sizing, taken.workload.concurrency) == ("max", 7)
    assert stale_part(library, taken, "workload") is None
