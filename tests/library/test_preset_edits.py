"""Editing presets: fields as they are typed, layers with their tensors, names and forks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.library.samples import builtin
from workbench.library import model_edits, preset_edits
from workbench.library.card_edits import TYPED, card_fields, set_fields
from workbench.library.figures import compare, kept
from workbench.library.paths import presets_dir
from workbench.library.preset_diff import differences, is_changed, origin_of
from workbench.library.preset_facts import facts, remarks
from workbench.library.preset_fields import EditField, edit_fields
from workbench.library.presets import KINDS, Library, fork
from workbench.library.workload_edits import LENGTH_KINDS, length_fields, with_length_kind
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS
from workbench.spec.gpu import GpuSet
from workbench.spec.model import ModelSpec

MODELS = [item.id for item in builtin().listed("models")]


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(presets_dir(), tmp_path / "presets")


def model(name: str) -> ModelSpec:
    return builtin().get("models", "builtin", name).value


# Fields


def all_fields(value: object) -> list[EditField]:
    """Every field that some form offers for a value."""
    if isinstance(value, ModelSpec):
        return [*model_edits.model_fields().values(), *model_edits.expert_fields(value)]
    if hasattr(value, "device_total_bytes"):
        return [field for group in card_fields().values() for field in group]
    if isinstance(value, GpuSet):
        groups = card_fields(in_set=True).values()
        return [*set_fields(), *(field for group in groups for field in group)]
    return list(edit_fields(type(value)))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_field_prints_can_be_typed_again(kind) -> None:
    for item in builtin().listed(kind):
        value = builtin().get(kind, "builtin", item.id).value
        for field in all_fields(value):
            if field.applies(value):
                assert field.typed(value, field.text(value)) == value, (item.id, field.path)


def test_what_the_table_of_layers_prints_can_be_typed_again() -> None:
    for name in MODELS[::5]:
        value = model(name)
        for run in value.layers:
            fields = (*model_edits.run_columns(value), *model_edits.mixer_fields(run))
            for field in fields:
                if field.applies(run):
                    assert field.typed(run, field.text(run)) == run, (name, field.path)


@pytest.mark.parametrize(
    ("path", "text", "value"),
    [
        ("device_total_bytes", "80 GiB", 85_899_345_920),
        ("device_total_bytes", "85899345920", 85_899_345_920),
        ("device_total_bytes", "81559 MiB", 85_520_809_984),
        ("smi_total_mib", "81559", 81_559),
        ("smi_total_mib", "81559 MiB", 81_559),
        ("memory_bytes_per_s", "3.35 TB/s", 3.35e12),
        ("peak_ops_per_s.bf16", "989 TFLOPS", 9.89e14),
        ("peak_ops_per_s.bf16", "989 T", 9.89e14),
        ("link.bytes_per_s", "450 GB/s", 4.5e11),
        ("memory_bytes_per_s", "", None),
    ],
)
def test_figures_of_a_card_as_people_type_them(path, text, value) -> None:
    card = builtin().gpu("h100-sxm").value
    field = next(f for group in card_fields().values() for f in group if f.path == path)
    assert field.read(field.typed(card, text)) == value


@pytest.mark.parametrize("text", ["", "eighty", "-1 GiB", "80 GHz", "1,234"])
def test_a_total_that_cannot_be_read_is_refused(text) -> None:
    card = builtin().gpu("h100-sxm").value
    field = card_fields()["memory"][0]
    with pytest.raises((UserError, ValidationError)):
        field.typed(card, text)


def test_a_typed_total_says_so() -> None:
    card = builtin().gpu("h100-sxm").value
    field = card_fields()["memory"][0]
    assert field.typed(card, "80 GiB").device_total_basis == TYPED
    assert field.typed(card, field.text(card)) == card


def test_the_card_of_a_set_is_edited_in_it() -> None:
    cards = builtin().gpu("8x-h100-sxm").value
    field = next(f for f in card_fields(in_set=True)["memory"] if f.name == "device_total_bytes")
    changed = field.typed(cards, "80 GiB")
    assert changed.card.device_total_bytes == 80 * 2**30
    assert changed.with_(card=cards.card) == cards


def test_a_link_is_there_as_soon_as_it_is_typed() -> None:
    card = builtin().gpu("80-gib").value
    assert card.link is None
    field = next(f for f in card_fields()["link"] if f.name == "bytes_per_s")
    assert field.typed(card, "") == card
    assert field.typed(card, "64 GB/s").link.bytes_per_s == 64e9


# Layers


def test_kv_heads_are_written_as_the_scenario_field_writes_them() -> None:
    llama = model("llama-3.1-70b")
    changed = model_edits.with_attention(llama, "kv_heads", 4)
    assert changed == llama.with_attention(kv_heads=4)
    assert kept(changed).growing * 2 == kept(llama).growing
    shapes = {t.name: t.shape for t in changed.layers[0].tensors}
    assert shapes["self_attn.k_proj"] == shapes["self_attn.v_proj"] == (512, 8192)
    assert FIELDS["model.kv_heads"].id == "model.kv_heads"


@pytest.mark.parametrize("name", MODELS[::3])
@pytest.mark.parametrize("figure", ["kv_heads", "heads", "head_dim"])
def test_a_figure_doubled_and_halved_gives_the_same_model(name, figure) -> None:
    value = model(name)
    before = model_edits.shared_figure(value, figure)
    if before is None:
        with pytest.raises(UserError, match="layers_differ"):
            model_edits.with_attention(value, figure, 2)
        return
    doubled = model_edits.with_attention(value, figure, 2 * before)
    assert model_edits.shared_figure(doubled, figure) == 2 * before
    assert model_edits.with_attention(doubled, figure, before) == value


def test_widths_take_their_matrices_along() -> None:
    # Llama-3.1-8B, worked out by hand: embedding and head, 32 layers, a last norm.
    hidden, inner, vocabulary = 2048, 5632, 32_000
    made = model("llama-3.1-8b")
    for name, value in (
        ("hidden_size", hidden),
        ("intermediate_size", inner),
        ("vocab_size", vocabulary),
    ):
        made = model_edits.with_width(made, name, value)
    attention = 2 * 4096 * hidden + 2 * 1024 * hidden
    layer = attention + 3 * hidden * inner + 2 * hidden
    assert made.parameters == 2 * vocabulary * hidden + 32 * layer + hidden


@pytest.mark.parametrize("name", MODELS[::3])
@pytest.mark.parametrize("width", ["hidden_size", "intermediate_size", "vocab_size"])
def test_a_width_changed_to_itself_or_back_is_the_same(name, width) -> None:
    value = model(name)
    before = getattr(value, width)
    assert model_edits.with_width(value, width, before) == value
    if before is None:
        return
    # A width that no tensor has: nothing else can be mistaken for it on the way back.
    changed = model_edits.with_width(value, width, 999_983)
    assert getattr(changed, width) == 999_983
    assert model_edits.with_width(changed, width, before) == value


def test_more_experts_are_more_copies() -> None:
    value = model("mixtral-8x7b-v0.1")
    field = {f.name: f for f in model_edits.expert_fields(value)}["experts"]
    changed = field.typed(value, "16")
    routed = sum(
        run.count * sum(t.elements for t in run.tensors if t.shard == "experts")
        for run in value.layers
    )
    routers = sum(
        run.count * sum(t.elements for t in run.tensors if t.shape[0] == 8) for run in value.layers
    )
    assert changed.parameters == value.parameters + routed + routers


@pytest.mark.parametrize("kind", model_edits.CONVERTIBLE)
@pytest.mark.parametrize("name", MODELS[::12])
def test_a_layer_becomes_another_kind(name, kind) -> None:
    for run in model(name).layers[:4]:
        made = model_edits.converted(run, kind)
        assert made.mixer.kind == kind
        assert made.tensors == run.tensors
        if run.mixer.kind == kind:
            assert made is run


def test_a_layer_cannot_become_what_needs_more_than_figures() -> None:
    with pytest.raises(UserError) as caught:
        model_edits.converted(model("llama-3.1-8b").layers[0], "state")
    assert caught.value.code == "layer_kind_not_offered"


def test_the_window_column_writes_windows_and_chunks() -> None:
    value = model("gemma-3-27b-it")
    column = next(c for c in model_edits.run_columns(value) if c.path == "window_tokens")
    sliding, full = value.layers[0], value.layers[1]
    assert column.text(sliding) == "1k"
    assert column.typed(sliding, "2k").mixer.window_tokens == 2048
    assert not column.applies(full)
    assert column.text(full) == ""


def test_a_layer_without_a_width_of_its_own_shows_the_models() -> None:
    value = model("llama-3.1-8b")
    column = next(c for c in model_edits.run_columns(value) if c.path == "intermediate_size")
    run = value.layers[0]
    assert column.text(run) == "14336"
    assert run.intermediate_size is None
    assert column.typed(run, "8192").intermediate_size == 8192
    assert column.typed(column.typed(run, "8192"), "14336") == run


# What does not add up


def test_an_edited_fork_says_what_it_no_longer_adds_up_to() -> None:
    origin = builtin().model("llama-3.1-70b")
    assert remarks(origin) == ()
    mine = fork(origin, "mine", "Mine")
    mine = replace(mine, value=model_edits.with_attention(mine.value, "kv_heads", 4))
    found = {remark.code: remark.params for remark in remarks(mine)}
    assert found["parameters_differ"]["published"] == 70_553_706_496
    assert found["kv_elements_differ"] == {"found": 81_920, "published": 163_840}
    free = preset_edits.without_published(mine)
    assert remarks(free) == ()
    assert compare(free.value, free.published) == ()


def test_a_total_beyond_what_logs_show_is_remarked() -> None:
    mine = fork(builtin().gpu("h100-sxm"), "mine", "Mine")
    mine = replace(mine, value=mine.value.with_(device_total_bytes=80 * 2**30))
    assert [remark.code for remark in remarks(mine)] == ["memory_above_seen"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_preset_has_figures_that_follow_from_their_formulas(kind) -> None:
    for item in builtin().listed(kind)[::4]:
        for term in facts(builtin().get(kind, "builtin", item.id)):
            if term.formula is None:
                continue
            values = {t.symbol: int(t.value) for t in term.formula.terms}
            expression = term.formula.expression.format(**values).replace("×", "*")
            product = sum(_product(part) for part in expression.split("+"))
            assert product == term.value, (item.id, term.symbol)


def _product(text: str) -> int:
    made = 1
    for factor in text.split("*"):
        made *= int(factor)
    return made


# Names, forks, differences


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("Llama-3.1-70B copy", "llama-3.1-70b-copy"),
        ("  NVIDIA H100 (80 GiB) ", "nvidia-h100-80-gib"),
        ("Größe ÄÖ", "groe-ao"),
        ("我的模型", "model"),
        ("..", "model"),
        ("x" * 300, "x" * 100),
    ],
)
def test_ids_are_made_from_names(name, made) -> None:
    assert preset_edits.slug(name, "models") == made


@given(st.text(max_size=150), st.sampled_from(KINDS))
def test_any_name_gives_an_id_that_is_accepted(name, kind) -> None:
    made = preset_edits.free_id(builtin(), kind, name)
    value = builtin().get(kind, "builtin", builtin().listed(kind)[0].id).value
    assert value.with_(id=made).id == made
    assert made not in {item.id for item in builtin().listed(kind)}


def test_copies_get_names_and_ids_of_their_own(library: Library) -> None:
    origin = library.gpu("h100-sxm")
    first = library.save_user(preset_edits.own_copy(library, origin))
    second = preset_edits.own_copy(library, origin)
    third = preset_edits.own_copy(library, origin, {second.value.id})
    assert first.value.name == "NVIDIA H100 SXM 80GB copy"
    assert second.value.name == "NVIDIA H100 SXM 80GB copy 2"
    assert len({first.value.id, second.value.id, third.value.id}) == 3
    assert first.based_on == second.based_on == "builtin:h100-sxm@1"


def test_a_fork_differs_from_its_origin_in_nothing_until_it_is_edited(library: Library) -> None:
    for kind in KINDS:
        origin = library.get(kind, "builtin", library.listed(kind)[0].id)
        copy = library.save_user(preset_edits.own_copy(library, origin))
        assert differences(origin.value, copy.value) == ()
        assert origin_of(library, copy) == origin
        listed = next(i for i in library.listed(kind) if i.namespace == "user")
        assert not is_changed(library, listed)


def test_differences_name_the_fields_in_the_order_of_the_form(library: Library) -> None:
    origin = library.model("llama-3.1-70b")
    mine = preset_edits.own_copy(library, origin)
    value = model_edits.with_attention(mine.value, "kv_heads", 4).with_(hidden_size=1, family="")
    found = {d.path: (d.before, d.after) for d in differences(origin.value, value)}
    assert list(found) == [
        "family",
        "hidden_size",
        "layers[0].mixer.kv_heads",
        "layers[0].tensors[self_attn.k_proj].shape",
        "layers[0].tensors[self_attn.v_proj].shape",
    ]
    assert found["layers[0].mixer.kv_heads"] == (8, 4)
    assert found["family"] == ("Llama 3.1", None)
    saved = library.save_user(replace(mine, value=value))
    assert is_changed(library, next(i for i in library.listed("models") if i.id == saved.value.id))


def test_reverting_takes_the_figures_and_keeps_the_name(library: Library) -> None:
    origin = library.model("llama-3.1-70b")
    mine = fork(origin, "mine", "Mine")
    value = model_edits.with_attention(mine.value, "kv_heads", 4).with_(rev=7, aliases=("My own",))
    back = preset_edits.reverted(library, replace(mine, value=value))
    assert back is not None
    assert differences(origin.value, back.value) == ()
    assert (back.value.id, back.value.name, back.value.rev) == ("mine", "Mine", 7)
    assert back.value.aliases == ("My own",)
    assert preset_edits.reverted(library, replace(mine, based_on="builtin:gone@1")) is None
    assert preset_edits.reverted(library, replace(mine, based_on=None)) is None


# Workloads


@pytest.mark.parametrize("name", ["azure2023-conv", "sharegpt-8k"])
def test_lengths_are_turned_from_one_kind_into_another(name) -> None:
    preset = builtin().workload(name).value
    longest = preset.workload.lengths.points[-1].tokens
    for kind in LENGTH_KINDS:
        made = with_length_kind("lengths", preset, kind).workload.lengths
        assert made.kind == kind
        assert getattr(made, "tokens", longest) == longest
    assert with_length_kind("lengths", preset, preset.workload.lengths.kind) == preset
    with pytest.raises(ValidationError):
        with_length_kind("lengths", preset, None)
    assert with_length_kind("outputs", preset, None).workload.outputs is None


def test_fields_of_lengths_apply_to_the_kinds_that_have_them() -> None:
    preset = builtin().workload("azure2023-conv").value
    fields = {field.name: field for field in length_fields("lengths")}
    assert not fields["tokens"].applies(preset)
    assert fields["requests"].text(preset)
    constant = with_length_kind("lengths", preset, "constant")
    assert fields["tokens"].typed(constant, "16k").workload.lengths.tokens == 16_384
