"""A model's mixers as the planner's layers."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from workbench.core.engines.vllm.layers import (
    AttentionKv,
    LatentKv,
    NoKv,
    StateKv,
    StateTypes,
    UnknownLayer,
    layer_positions,
    model_layers,
    stage_entries,
)
from workbench.spec.layers import (
    CompressedAttention,
    FullAttention,
    LatentAttention,
    Mixer,
    NoMixer,
    ParallelMixer,
    RecurrentState,
    SharedCache,
    SlidingAttention,
    SparseIndexer,
    StateTensor,
)
from workbench.spec.model import Component, LayerRun, ModelSpec

FULL = FullAttention(heads=32, kv_heads=8, head_dim=128)
SLIDING = SlidingAttention(heads=32, kv_heads=8, head_dim=64, v_head_dim=32, window_tokens=512)
MAMBA2 = RecurrentState(
    variant="mamba2",
    tensors=(
        StateTensor(name="conv", shape=(8192 + 2 * 8 * 128, 3), shard_axis=0),
        StateTensor(name="state", shape=(128, 64, 128), dtype="fp32", shard_axis=0),
    ),
    conv_kernel=4,
    groups=8,
)
LATENT = LatentAttention(
    heads=128, kv_lora_rank=512, qk_rope_head_dim=64, qk_nope_head_dim=128, v_head_dim=128
)


def _model(*runs: tuple[Mixer, int], draft: tuple[Mixer, int] | None = None) -> ModelSpec:
    def as_runs(given: tuple[tuple[Mixer, int], ...]) -> tuple[LayerRun, ...]:
        return tuple(LayerRun(mixer=mixer, count=count) for mixer, count in given)

    component = None if draft is None else Component(name="mtp", layers=as_runs((draft,)))
    return ModelSpec(id="m", name="m", layers=as_runs(runs), draft=component)


def test_kinds_one_by_one():
    shared = SharedCache(heads=32, kv_heads=8, head_dim=128, source_layer=0)
    model = _model((FULL, 2), (SLIDING, 1), (shared, 3), (NoMixer(), 1), (LATENT, 1))
    assert model_layers(model, StateTypes()) == (
        (AttentionKv("full", 8, 128, 128), 2),
        (AttentionKv("sliding", 8, 64, 32, 512), 1),
        (NoKv(), 4),
        (LatentKv(512, 64), 1),
    )


def test_a_state_keeps_its_groups_apart():
    ((state, count),) = model_layers(_model((MAMBA2, 3)), StateTypes(2, 2))
    assert count == 3
    assert state == StateKv("mamba2", 3, 8192, 8, 256, (128, 64, 128), 2, 4, 1)


def test_a_flag_decides_over_the_models_state_type_except_for_kda():
    forced = StateTypes(2, 2, forced=True)
    ((state, _),) = model_layers(_model((MAMBA2, 1)), forced)
    assert isinstance(state, StateKv)
    assert state.state_element_bytes == 2
    kda = RecurrentState(
        variant="kda",
        tensors=(
            StateTensor(name="conv", shape=(3 * 4096, 3), shard_axis=0),
            StateTensor(name="state", shape=(32, 128, 128), dtype="fp32", shard_axis=0),
        ),
        conv_kernel=4,
    )
    ((state, _),) = model_layers(_model((kda, 1)), forced)
    assert state == StateKv("kda", 3, 12_288, 0, 0, (32, 128, 128), 2, 4)


def test_layers_of_two_parts_are_entries_in_a_row():
    both = ParallelMixer(attention=FULL, state=MAMBA2)
    indexed = LATENT.with_(indexer=SparseIndexer(heads=64, head_dim=128))
    again = indexed.with_(indexer=indexed.indexer.with_(shared_with_previous=True))
    model = _model((both, 2), (indexed, 1), (again, 1))
    kinds = [
        type(layer).__name__
        for layer, count in model_layers(model, StateTypes())
        for _ in range(count)
    ]
    assert kinds == ["StateKv", "AttentionKv"] * 2 + ["LatentKv", "IndexKv", "LatentKv"]
    assert layer_positions(model, StateTypes()) == (0, 2, 4, 6, 7)
    assert stage_entries(model, StateTypes(), ((0, 1), (1, 4))) == ((0, 2), (2, 7))


def test_draft_layers_come_last_and_only_when_asked():
    model = _model((SLIDING, 2), draft=(FULL, 1))
    assert model_layers(model, StateTypes()) == ((AttentionKv("sliding", 8, 64, 32, 512), 2),)
    assert stage_entries(model, StateTypes(), ((0, 1), (1, 2)), draft=True) == ((0, 1), (1, 3))
    assert model_layers(model, StateTypes(), draft=True)[-1] == (
        AttentionKv("full", 8, 128, 128),
        1,
    )


def test_edges_are_left_unquantised_on_models_without_states():
    marked = model_layers(_model((FULL, 6)), StateTypes(), edge_layers_left=2)
    assert [(count, getattr(layer, "quantised", None)) for layer, count in marked] == [
        (2, False),
        (2, True),
        (2, False),
    ]
    few = model_layers(_model((FULL, 3)), StateTypes(), edge_layers_left=2)
    assert [count for _, count in few] == [3]
    hybrid = model_layers(_model((FULL, 6), (MAMBA2, 1)), StateTypes(), edge_layers_left=2)
    assert len(hybrid) == 2


@pytest.mark.parametrize(
    ("mixer", "name"),
    [
        (
            CompressedAttention(
                heads=64,
                kv_heads=1,
                head_dim=512,
                qk_rope_head_dim=64,
                window_tokens=128,
                compress_ratio=4,
            ),
            "compressed",
        ),
        (FULL.with_(values_are_keys=True), "full with one vector for key and value"),
        (FULL.with_(indexer=SparseIndexer(heads=4, head_dim=128)), "full with an indexer"),
    ],
)
def test_a_layer_without_a_rule_is_refused_by_name(mixer: Mixer, name: str):
    with pytest.raises(UnknownLayer) as refused:
        model_layers(_model((FULL, 1), (mixer, 1)), StateTypes())
    assert refused.value.kind == name


def test_an_axis_beyond_the_shape_is_refused():
    with pytest.raises(ValidationError) as refused:
        StateTensor(name="state", shape=(32, 128), shard_axis=2)
    (detail,) = refused.value.errors()
    assert (detail["type"], detail["loc"]) == ("less_than_equal", ("shard_axis",))
    assert detail["ctx"] == {"le": 1}
    assert StateTensor(name="state", shape=(32, 128), shard_axis=1).shard_axis == 1


def test_a_state_that_lists_its_convolution_alone():
    conv = StateTensor(name="conv", shape=(1024, 3), shard_axis=0)
    mixer = RecurrentState(variant="mamba2", tensors=(conv,))
    ((state, _),) = model_layers(_model((mixer, 1)), StateTypes())
    assert isinstance(state, StateKv)
    assert state.conv_channels == 1024
