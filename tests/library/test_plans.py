"""Plans: round trips, unknown keys, versions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tests.library.random_plans import Generator
from tests.library.samples import DATA, plan, scenario
from workbench.library import jsonfile, migrate, plans
from workbench.library.engine_choice import ENGINES, engine_of
from workbench.library.plans import dumps, load, loads, save_plan
from workbench.library.release_table import read_releases
from workbench.spec.engine import PlainEngine
from workbench.spec.errors import UserError
from workbench.spec.scenario import Plan

RANDOM_PLANS = 2_000


def test_random_plans_come_back_byte_for_byte() -> None:
    generator = Generator(20260401)
    for _ in range(RANDOM_PLANS):
        made = generator.plan()
        data = dumps(made)
        loaded = loads(data, "random")
        assert dumps(loaded.plan) == data
        assert _without_extra(loaded.plan) == _without_extra(made)
        assert not loaded.read_only


def _without_extra(made: Plan) -> Plan:
    scenarios = tuple(item.with_(extra=()) for item in made.scenarios)
    return made.with_(extra=(), scenarios=scenarios)


def test_the_form_of_a_file() -> None:
    text = dumps(plan()).decode()
    document = json.loads(text)
    assert text == json.dumps(document, sort_keys=True, indent=2, ensure_ascii=False) + "\n"
    assert (document["format"], document["schema_version"]) == ("kvw", 1)
    assert document["scenarios"][0]["model"]["id"] == "ledger-lab"
    assert "extra" not in document
    assert "extra" not in document["scenarios"][0]


@pytest.mark.parametrize("kind", [kind for kind in ENGINES if kind not in ("plain", "vllm")])
def test_a_plan_with_any_release_of_an_engine_comes_back(kind: str) -> None:
    for release in read_releases(kind):
        changed = scenario().with_(engine=engine_of(kind, release))
        made = plan().with_(scenarios=(changed,))
        assert loads(dumps(made), release).plan == made


@pytest.mark.parametrize("path", sorted(DATA.glob("*.kvw")), ids=lambda path: path.name)
def test_every_released_version_opens(path: Path) -> None:
    loaded = load(path)
    assert loaded.plan.scenarios
    assert not loaded.read_only
    if loaded.schema_version == migrate.SCHEMA_VERSION:
        document = json.loads(path.read_bytes())
        assert (
            plans.jsonfile.to_bytes(plans.to_document(loaded.plan, document["app_version"]))
            == path.read_bytes()
        )
    assert loads(dumps(loaded.plan), "again").plan == loaded.plan


def test_the_fixture_of_version_1_holds_what_it_did() -> None:
    loaded = load(DATA / "v1.kvw")
    first, second = loaded.plan.scenarios
    assert (first.name, loaded.plan.baseline) == ("Ledger lab", first.id)
    assert second.model.parameters == 8_030_261_248
    assert {item.pointer for item in plans.unknown_keys(loaded.plan)} == {
        "/view",
        "/scenarios/0/colour",
        "/scenarios/1/model/layers/0/mixer/soft_cap",
        "/scenarios/1/model/layers/0/tensors/2/note~1here",
    }


def test_what_older_files_held_opens_and_is_told() -> None:
    document = json.loads((DATA / "v1.kvw").read_bytes())
    first, second = document["scenarios"]
    first["engine"]["release"], second["engine"]["release"] = "0.19.1", ""
    first["name"] = first["model"]["name"] = second["precision"]["kv"]["name"] = " \u3000"
    loaded = loads(json.dumps(document).encode(), "old")
    one, two = loaded.plan.scenarios
    assert {one.engine, two.engine} == {PlainEngine()}
    assert (one.name, one.model.name, two.precision.kv.name) == (
        one.id,
        one.model.id,
        two.precision.kv.id,
    )
    names, releases, *_ = loaded.notes
    assert (names.code, names.is_warning) == ("blank_names_filled", False)
    assert names.params["found"] == 3
    assert (releases.code, releases.is_warning) == ("releases_replaced", True)
    assert releases.params["where"] == (
        'scenarios[0].engine.release "0.19.1" → "1", scenarios[1].engine.release "" → "1"'
    )
    with pytest.raises(ValidationError, match="pattern"):
        one.with_(name=" \u3000")


@pytest.mark.parametrize("kind", [kind for kind in ENGINES if kind != "plain"])
def test_a_release_that_names_none_is_taken_from_the_other(kind: str) -> None:
    document = json.loads(dumps(plan().with_(scenarios=(scenario(),))))
    made = engine_of(kind)
    for way in ("release", "rules"):
        profile = made.model_dump(mode="json", exclude_none=True)
        profile |= {"release": " "} if way == "release" else {}
        profile["rules"] |= {"read_release": "ü"} if way == "rules" else {}
        document["scenarios"][0]["engine"] = profile
        loaded = loads(json.dumps(document).encode(), "old")
        assert loaded.plan.scenarios[0].engine == made
        assert [note.code for note in loaded.notes] == ["releases_replaced"]


# Unknown keys


def _with_unknown() -> dict[str, Any]:
    document = json.loads(dumps(plan()))
    document["view"] = {"zoom": 1.5, "panels": ["a", None]}
    document["extra"] = [1]
    one = document["scenarios"][0]
    one["extra"] = "mine"
    one["model"]["layers"][0]["mixer"]["a/b~c"] = {"deep": {"er": []}}
    one["workload"]["lengths"]["new"] = True
    one["reserves"]["headroom"]["why"] = "because"
    one["precision"]["kv"]["x"] = 1e300
    return document


def test_unknown_keys_survive_in_place() -> None:
    data = jsonfile.to_bytes(_with_unknown())
    loaded = loads(data, "x")
    assert [(note.code, note.params) for note in loaded.notes] == [
        ("unknown_keys_kept", {"keys": 7, "where": "extra, view, scenarios[0].extra, …"})
    ]
    assert dumps(loaded.plan) == data


def test_unknown_keys_survive_edits_and_go_with_what_held_them() -> None:
    loaded = loads(jsonfile.to_bytes(_with_unknown()), "x")
    one = loaded.plan.scenarios[0]
    edited = one.with_(name="Other", reserves=one.reserves.with_(tight_below=None))
    document = json.loads(dumps(loaded.plan.replacing(edited)))
    assert document["scenarios"][0]["model"]["layers"][0]["mixer"]["a/b~c"] == {"deep": {"er": []}}
    assert document["scenarios"][0]["extra"] == "mine"
    gone = edited.with_(model=scenario().model.with_(layers=one.model.layers[:1]), extra=one.extra)
    assert dumps(loaded.plan.replacing(gone))


def test_a_known_key_is_never_taken_from_the_kept_ones() -> None:
    loaded = loads(jsonfile.to_bytes(_with_unknown()), "x")
    one = loaded.plan.scenarios[0]
    clash = one.extra[0].with_(pointer="/name", json_text='"stolen"')
    document = json.loads(dumps(loaded.plan.replacing(one.with_(extra=(clash,)))))
    assert document["scenarios"][0]["name"] == "Ledger lab"


def test_too_many_unknown_keys() -> None:
    document = json.loads(dumps(plan()))
    document["scenarios"][0] |= {f"key{number}": number for number in range(1_001)}
    with pytest.raises(UserError, match="too_many_unknown_keys"):
        loads(jsonfile.to_bytes(document), "x")


def test_keys_of_another_engine_are_told_as_its_own() -> None:
    document = json.loads(dumps(plan()))
    vllm = json.loads(engine_of("vllm").model_dump_json(exclude_none=True))
    engine = vllm | {"kind": "plain", "release": "1", "max_num_seqz": 4}
    document["scenarios"][0]["engine"] = engine
    other = document["scenarios"][0] | {"id": "other"}
    other["engine"] = {"kind": "plain", "attention_backend": "x"}
    document["scenarios"].append(other)
    loaded = loads(jsonfile.to_bytes(document), "x")
    assert all(note.is_warning for note in loaded.notes)
    told = [(note.code, note.params) for note in loaded.notes]
    theirs, sglang, rest = told
    assert theirs[0] == sglang[0] == "keys_of_another_engine"
    assert theirs[1]["owner"] == '"vllm"'
    assert theirs[1]["kind"] == sglang[1]["kind"] == '"plain"'
    assert theirs[1]["keys"] == len(vllm.keys() - PlainEngine.model_fields)
    assert sglang[1]["where"] == "scenarios[1].engine.attention_backend"
    assert rest == ("unknown_keys_kept", {"keys": 1, "where": "scenarios[0].engine.max_num_seqz"})
    kept = json.loads(dumps(loaded.plan))["scenarios"]
    assert [kept[0]["engine"] | engine, kept[1]["engine"]["attention_backend"]] == [
        kept[0]["engine"],
        "x",
    ]


# Versions


def test_newer_file_opens_read_only_and_is_never_written_over(tmp_path: Path) -> None:
    document = json.loads(dumps(plan())) | {"schema_version": 7, "app_version": "9.9", "new": 1}
    path = tmp_path / "newer.kvw"
    path.write_bytes(jsonfile.to_bytes(document))
    opened = load(path)
    assert opened.read_only
    assert [note.code for note in opened.notes] == ["plan_newer", "unknown_keys_kept"]
    with pytest.raises(UserError, match="plan_newer_read_only"):
        save_plan(path, opened.plan, opened=opened, expected_digest=opened.digest)
    assert path.read_bytes() == jsonfile.to_bytes(document)
    save_plan(tmp_path / "copy.kvw", opened.plan, opened=opened)


def test_newer_file_that_is_built_otherwise_is_refused() -> None:
    document = json.loads(dumps(plan())) | {"schema_version": 2}
    document["scenarios"][0]["gpu"]["device_total_bytes"] = {"value": 1, "unit": "GiB"}
    with pytest.raises(UserError, match="field_wrong_type"):
        loads(jsonfile.to_bytes(document), "x")


def test_steps_are_chained() -> None:
    steps: migrate.Steps = {}

    @migrate.migration(1, 2, steps)
    def _first(document: migrate.Document) -> migrate.Document:
        return document | {"title": document.pop("name")}

    @migrate.migration(2, 3, steps)
    def _second(document: migrate.Document) -> migrate.Document:
        assert document["schema_version"] == 2
        return document | {"title": document["title"].upper()}

    result = migrate.migrate({"name": "a", "schema_version": 1}, 1, "x", target=3, steps=steps)
    assert result == {"title": "A", "schema_version": 3}
    with pytest.raises(UserError, match="migration_failed"):
        migrate.migrate({"schema_version": 1}, 1, "x", target=3, steps=steps)
    with pytest.raises(UserError, match="schema_version_unknown"):
        migrate.migrate({"name": "a", "schema_version": 1}, 1, "x", target=5, steps=steps)
    with pytest.raises(ValueError, match="stand alone"):
        migrate.migration(1, 2, steps)
    with pytest.raises(ValueError, match="must lead to"):
        migrate.migration(5, 7, steps)


def test_first_save_over_an_older_file_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old.kvw"
    old = dumps(plan("Old"))
    path.write_bytes(old)
    monkeypatch.setattr(plans, "SCHEMA_VERSION", 2)
    monkeypatch.setattr(plans, "migrate", lambda document, version, name: document)
    opened = load(path)
    assert opened.notes[0].code == "plan_migrated"
    saved = save_plan(path, plan("New"), opened=opened, expected_digest=opened.digest)
    assert (tmp_path / "old.v1.kvw").read_bytes() == old
    save_plan(path, plan("Newer"), opened=opened, expected_digest=saved.digest)
    assert (tmp_path / "old.v1.kvw").read_bytes() == old
    assert load(path).plan.title == "Newer"


def test_a_plan_that_could_not_be_read_back_is_not_written() -> None:
    model = scenario().model.with_(sources=("ä" * 10_000,) * 2)
    many = tuple(scenario().with_(id=f"s{number}", model=model) for number in range(500))
    with pytest.raises(UserError, match="file_too_large"):
        dumps(Plan(scenarios=many, baseline="s0"))
