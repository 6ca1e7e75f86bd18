"""The planner against a second one that was written from the specification alone.

Random layer mixes and flags in the vocabulary of the recorded cases, far beyond those recorded,
on every release that was read.  `unclear` names what is left out, nearly always because the
specification does not say which answer is right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.conformance import cases
from tests.conformance.cases import DEFAULT_CASES, DEFAULT_HOLDS, load
from tests.core.vllm.oracle_groups import expected, group, stages
from tests.core.vllm.oracle_plan import RELEASES, Layer, Refused, at_least, build_layers
from workbench.core.engines.vllm.inputs import PlanInputs, default_partition

Json = dict[str, Any]

NEWEST = "0.33.0"
COMPARED = {"0.8.5": 150, "0.10.2": 150, "0.11.2": 200, "0.19.1": 250, NEWEST: 550}
LENGTHS = (1, 2, 16, 17, 1000, 2048, 8192, 16384, 33_333, 65_536, 100_000, 262_144, 10_000_000)
BATCHES = (1, 256, 777, 1500, 2048, 4096, 8192, 16384, 65_536)
WINDOWS = (128, 512, 1024, 2047, 2048, 4096, 8192)
MEMORY = (50_000_000, 400_000_000, 1_234_567_890, 17_985_454_080, 65_498_251_264, 150_000_000_000)
KERNELS = (*["mult16"] * 6, "64", "128", "16,32,64", "mult64", "32,64", "mult32", "16,32,64,128")
ONE_BYTE = ("fp8", "fp8_per_token_head", "int8_per_token_head", "int4_per_token_head")
TURBO = tuple(f"turboquant_{bits}" for bits in ("k8v4", "4bit_nc", "3bit_nc", "k3v4_nc"))
PACKED_HEADS = ("nvfp4", "ultraquant_4bit", *TURBO)
MLA = {"type": "mla", "latent": 512, "rope": 64}
TWO_TENSORS = ("mamba1", "mamba2", "gated_delta")


# Shapes


def heads(r: Random, kind: str, **more: int) -> Json:
    made: Json = {
        "type": kind,
        "kv_heads": r.choice((1, 2, 4, 8, 8, 10, 16, 20, 32)),
        "head_dim": r.choice((64, 64, 96, 128, 128, 160, 192, 256, 512)),
    }
    if r.random() < 0.12:
        made["head_dim_v"] = r.choice((64, 128, 192))
    return made | more


def like(kind: Json, name: str, **reach: int) -> Json:
    return {**kind, "type": name, **reach}


def state(r: Random, families: tuple[str, ...]) -> tuple[Json, list[str]]:
    family = r.choice(families)
    made: Json = {"type": "state", "family": family, "checkpoint_blocks": 0}
    dtypes = ["bfloat16", r.choice(("bfloat16", "float32"))]
    if family != "linear":
        made["conv"] = r.choice((3, 4))
    match family:
        case "mamba1":
            made |= {"intermediate": r.choice((4096, 8192)), "state": 16}
        case "mamba2":
            count, dim = r.choice((48, 64, 80, 128)), r.choice((64, 128))
            made |= {"heads": count, "head_dim": dim, "intermediate": count * dim}
            made |= {"groups": r.choice((1, 2, 3, 8)), "state": r.choice((64, 128, 256))}
            made["checkpoint_blocks"] = r.choice((0, 1))
        case "gated_delta":
            made |= {"k_heads": 16, "k_dim": 128, "v_dim": r.choice((64, 128))}
            made |= {"v_heads": r.choice((16, 32, 64)), "checkpoint_blocks": r.choice((0, 0, 1))}
        case "kda":
            made |= {"heads": r.choice((16, 32)), "head_dim": 128}
            dtypes = ["bfloat16", "float32"]
        case "linear":
            made |= {"heads": r.choice((32, 64)), "head_dim": r.choice((64, 128))}
            dtypes = [r.choice(("bfloat16", "float32"))]
        case "short_conv":
            made["intermediate"] = r.choice((1024, 2048))
            dtypes = ["bfloat16"]
    return made, dtypes


def with_attention(r: Random) -> dict[str, Json]:
    full = heads(r, "full")
    match r.randrange(10):
        case 0:
            return {"f": full}
        case 1:
            return {name: heads(r, "full") for name in "abc"[: r.choice((2, 3))]}
        case 2 | 3:
            kinds = {"f": full}
            for name in ("s", "t")[: r.choice((1, 1, 2))]:
                other = like(full, "sliding") if r.random() < 0.6 else heads(r, "sliding")
                kinds[name] = other | {"window": r.choice(WINDOWS)}
            return kinds
        case 4:
            kinds = {"s": heads(r, "sliding", window=r.choice(WINDOWS))}
            if r.random() < 0.4:
                kinds["t"] = heads(r, "sliding", window=r.choice(WINDOWS))
            return kinds
        case 5:
            other = like(full, "chunked") if r.random() < 0.7 else heads(r, "chunked")
            return {"f": full, "c": other | {"chunk": r.choice((1024, 8192))}}
        case 6:
            return {"m": MLA, "i": {"type": "mla_index", "index_dim": r.choice((128, 256))}}
        case 7:
            near = heads(r, "sliding", window=r.choice(WINDOWS))
            if r.random() < 0.3:
                near = like(near, "sliding", kv_heads=2, head_dim=r.choice((144, 288, 576)))
            return {"m": MLA, "s": near} | ({"f": full} if r.random() < 0.2 else {})
        case 8:
            return {"f": full, "x": like(full, "cross", encoder_tokens=1500)}
    twins = {name: like(full, "sliding", window=1024) for name in "st"}
    return {"a": full, "b": dict(full)} | twins


def with_states(r: Random) -> tuple[dict[str, Json], list[str]]:
    kind, dtypes = state(r, (*TWO_TENSORS, "kda", "linear", "short_conv"))
    full = heads(r, "full")
    match r.randrange(8):
        case 0:
            return {"k": kind}, dtypes
        case 1 | 2 | 3:
            return {"k": kind, "f": full}, dtypes
        case 4:
            return {"k": kind, "f": MLA}, dtypes
        case 5:
            near = like(full, "sliding") if r.random() < 0.6 else heads(r, "sliding")
            return {"k": kind, "f": full, "s": near | {"window": 1024}}, dtypes
        case 6:
            index = {"type": "mla_index", "index_dim": 128}
            return {"k": kind, "m": MLA, "i": index}, dtypes
    one, dtypes = state(r, TWO_TENSORS)
    other, _ = state(r, TWO_TENSORS)
    return {"k": one, "l": other} | ({"f": full} if r.random() < 0.7 else {}), dtypes


def runs(r: Random, names: list[str]) -> list[list[Any]]:
    r.shuffle(names)
    match r.randrange(3):
        case 0:
            pattern = [[name, r.choice((1, 1, 2, 3, 5))] for name in names]
            made = [list(run) for _ in range(r.randint(1, 10)) for run in pattern]
            return made + ([[r.choice(names), r.randint(1, 4)]] if r.random() < 0.5 else [])
        case 1:
            return [[name, r.randint(1, 30)] for name in names]
    made = [[r.choice(names), r.randint(1, 3)] for _ in range(r.randint(2, 20))]
    return made + [[name, 1] for name in names]


def shape(r: Random, share_of_states: float) -> Json:
    recurrent = r.random() < share_of_states
    kinds, dtypes = with_states(r) if recurrent else (with_attention(r), None)
    rle = runs(r, list(kinds))
    for name, kind in (("n", "none"), ("z", "shared")):
        if r.random() < 0.15:
            kinds = {**kinds, name: {"type": kind}}
            rle.insert(r.randint(0, len(rle)), [name, r.randint(1, 3)])
    total = sum(count for _, count in rle)
    return {"layer_kinds": kinds, "layers_rle": rle, "num_layers": total, "state_dtypes": dtypes}


# Cases


def random_case(r: Random, release: str) -> Json:
    made = shape(r, 0.05 if release == "0.8.5" else 0.4)
    kinds = made["layer_kinds"].values()
    types = {kind["type"] for kind in kinds}
    tp = r.choice((1, 1, 1, 2, 2, 4, 8, 16))
    pp = min(r.choice((1, 1, 1, 1, 2, 2, 3, 4, 5)), made["num_layers"])
    shards = [n for n in (2, 4, 8) if n <= tp] if at_least(release, "0.11.2") else []
    base = r.choice(MEMORY)
    formats = [*["auto"] * 6, *ONE_BYTE, "fp8", "float32"]
    if "mla" not in types:
        formats += [] if any("head_dim_v" in kind for kind in kinds) else PACKED_HEADS
    elif not types & {"full", "sliding"}:
        formats += ["fp8_ds_mla", "nvfp4_ds_mla"]
    kv = r.choice(formats)
    inputs = {
        "async_scheduling": r.random() < 0.75,
        "available_bytes": [int(base * r.uniform(0.6, 1.4)) for _ in range(pp)],
        "block_size_flag": r.choice((None, None, None, None, 16, 32, 64, 128, 256)),
        "blocks_override": r.choice((*[None] * 9, 1, 2, 100, 5000)),
        "decode_context_parallel": r.choice(shards or [1]) if r.random() < 0.12 else 1,
        "fit_max_model_len": r.random() < 0.15,
        "hybrid_manager": r.random() < 0.75,
        "kernel_block_sizes": r.choice(KERNELS),
        "kv_dtype": kv,
        "layout": "BLHNC" if release == NEWEST and r.random() < 0.35 else "LBNHC",
        "max_batched_tokens": r.choice(BATCHES),
        "max_model_len": r.choice(LENGTHS),
        "max_seqs": r.choice((1, 64, 256, 1024)),
        "model_dtype": "float32" if kv == "float32" else r.choice(("bfloat16", "float16")),
        "pipeline_parallel": pp,
        "prefix_caching": r.choice((None, True, False)),
        "second_generation_runner": r.random() < 0.7,
        "speculative_tokens": r.choice((0, 0, 0, 1, 3, 5)),
        "tensor_parallel": tp,
    }
    case = {"engine": "vllm", "engine_version": release, "shape": made, "inputs": inputs}
    if r.random() < 0.4:
        case["more"] = more(r, case)
    elif release == NEWEST and not inputs["fit_max_model_len"] and r.random() < 0.5:
        prompt, output = r.choice((1, 15, 16, 100, 5000)), r.choice((1, 2, 37, 200, 1500))
        if prompt + output <= inputs["max_model_len"]:
            inputs |= {"prefix_caching": False, "speculative_tokens": 0}
            case["hold_inputs"] = {"prompt_tokens": prompt, "output_tokens": output}
            case["hold_inputs"]["watermark"] = r.choice((0.0, 0.0, 0.01, 0.05))
    return case


def more(r: Random, case: Json) -> Json:
    """What the vocabulary of the recorded cases has no word for."""
    made: Json = {}
    if r.random() < 0.6:
        made["kernels"] = [r.choice(KERNELS) for _ in range(r.choice((1, 2, 2, 3)))]
        case["inputs"]["kernel_block_sizes"] = made["kernels"][0]
    if r.random() < 0.4:
        made["lookahead"] = r.choice((1, 2, 4))
    if case["engine_version"] != NEWEST:
        return made
    made["checkpoint_alignment"] = r.choice((1, 16, 48, 64, 256))
    if r.random() < 0.3:
        made["match_unit"] = r.choice((16, 32))
    kinds = case["shape"]["layer_kinds"]
    pair = [name for name, kind in kinds.items() if "kv_heads" in kind]
    if case["inputs"]["kv_dtype"] not in ("auto", "float32") and len(pair) == 2:
        made["unquantised"] = [r.choice(pair)]
    return made


def widened(read: Callable[[Json], PlanInputs]) -> Callable[[Json], PlanInputs]:
    """Also read what `more` says."""

    def read_all(case: Json) -> PlanInputs:
        given, extra = read(case), case.get("more", {})
        if extra.get("kernels"):
            given = replace(given, kernels=tuple(map(cases._kernel, extra["kernels"])))
        left = extra.get("unquantised", [])
        named = zip(given.layers, case["shape"]["layers_rle"], strict=True)
        return replace(
            given,
            layers=tuple(
                (replace(layer, quantised=False) if name in left else layer, count)
                for (layer, count), (name, _) in named
            ),
            window_lookahead_tokens=extra.get("lookahead", 0),
            prefill_checkpoint_tokens=extra.get("checkpoint_alignment", 1),
            prefix_match_tokens=extra.get("match_unit"),
        )

    return read_all


# What the specification leaves open


def unclear(case: Json) -> str | None:
    """Name what keeps a case from having one right answer."""
    inputs, release = case["inputs"], case["engine_version"]
    kinds = list(case["shape"]["layer_kinds"].values())
    types = {kind["type"] for kind in kinds}
    try:
        layers, _ = build_layers(case)
    except Refused:
        return None
    spans = stages(case["shape"]["num_layers"], inputs["pipeline_parallel"])
    parts = [{i: x for i, x in layers.items() if a <= i < b} for a, b in spans]
    if not all(parts):
        return "no rule for a stage without any cache"
    reaches = {(k.get("window"), k.get("chunk")) for k in kinds} - {(None, None)}
    if len(reaches) > 1 and ("mla" in types or not inputs["hybrid_manager"] or release == "0.8.5"):
        return "two reaches made full: an error only where they would be one description?"
    if any("head_dim_v" in k for k in kinds) and release == "0.19.1" and types - {"full"}:
        return "value heads of another size in 0.19.1: in windowed layers too?"
    drafts = inputs["speculative_tokens"] and release != NEWEST
    if drafts and any(k.get("family") == "kda" for k in kinds):
        return "since when drafts widen the convolution of KDA is not said"
    if "state" in types and inputs["prefix_caching"] and release in ("0.10.2", "0.11.2"):
        return "cached states before 0.19 were read, not run"
    if "sliding" in types and inputs["decode_context_parallel"] > 1:
        return "the refusal of windows under context parallelism has no place in the order"
    left = bool(case.get("more", {}).get("unquantised"))
    if left and (types & {"mla", "cross"} or not inputs["hybrid_manager"]):
        return "layers left unquantised beside latent rows, not cached, or made full"
    return unclear_groups(case, layers, parts)


def unclear_groups(case: Json, layers: dict[int, Layer], parts: list[dict]) -> str | None:
    release = case["engine_version"]
    alone = not at_least(release, "0.11.2")
    shapes, pages = {x.shape for x in layers.values()}, {x.page for x in layers.values()}
    if release == "0.8.5" and len(pages) < len(shapes):
        return "whether 0.8.5 compares pages or whole descriptions"
    try:
        made = [group(part, case) for part in (parts if alone else [layers])]
    except Refused:
        return "stages grouped alone, one of them refused" if alone and len(parts) > 1 else None
    if not all(g.layers for groups in made for g in groups):
        return "an uneven pattern of pages in several groups: no rule for the odd ones"
    ones = [[g.one() for g in groups] for groups in made]
    if len({tuple((x.kind, x.page, x.window, x.shape) for x in row) for row in ones}) > 1:
        return "stages grouped alone whose groups differ: no rule"
    packed = [g for g in made[0] if g.mixed and len(made[0]) > 1]
    uneven: dict[object, list[int]] = {}
    for g in packed:
        if g.one().kind == "sliding":
            pages = uneven.setdefault((g.one().window, g.one().block), [])
            pages += [x.page for x in g.layers.values()]
    if any(len({pages.count(p) for p in pages}) > 1 for pages in uneven.values()):
        return "an uneven pattern of pages in several groups: no rule for the odd ones"
    return None


# Comparison


def complete(case: Json, want: Json) -> Json:
    """Add what the mapping reads beside the inputs."""
    pp = case["inputs"]["pipeline_parallel"]
    part = pp > 1 and case["engine_version"] != NEWEST
    ranges = [list(span) for span in stages(case["shape"]["num_layers"], pp)]
    scope = "first_stage" if part else "whole_model"
    return {**case, "expected": {**want, "stage_layer_ranges": ranges, "groups_scope": scope}}


def different(case: Json) -> list[str]:
    want = expected(case)
    have = cases.results_of(complete(case, want))
    if want["error"] or have["error"]:
        return [] if want["error"] == have["error"] else [f"{want['error']} {have['error']}"]
    for row in have["groups"]:
        row.pop("layers")
    if case["engine_version"] == "0.10.2":  # the order of its groups is not specified
        for answer in (want, have):
            answer["groups"].sort(key=lambda row: row["layer_indices"])
    return [f"{key}: {want[key]!r} {have[key]!r}" for key in want if want[key] != have[key]]


def recorded(case: Json) -> list[str]:
    want, made = case["expected"], expected(case)
    if want["error"] or made["error"]:
        known = want["error"] and {k: want["error"][k] for k in ("category", "suggested_max_len")}
        return [] if known == made["error"] else [f"{known} {made['error']}"]
    rows = made.pop("groups")
    found = [key for key, value in made.items() if want[key] != value]
    pairs = zip(want["groups"], rows, strict=True)
    return found + [key for one, row in pairs for key in row if one[key] != row[key]]


def test_the_second_planner_answers_every_recorded_case():
    wrong = {
        case["id"]: found
        for case in (*load(DEFAULT_CASES), *load(DEFAULT_HOLDS))
        if (found := recorded(case))
    }
    assert not wrong


@pytest.mark.parametrize("release", RELEASES)
def test_planners_agree(release: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cases, "inputs_of", widened(cases.inputs_of))
    r = Random(f"plan {release}")
    compared = 0
    while compared < COMPARED[release]:
        case = random_case(r, release)
        if unclear(case) is None:
            compared += 1
            found = different(case)
            assert not found, f"{found}\n{case}"


def test_partitions_agree():
    for layers in range(1, 130):
        for pp in range(1, 17):
            assert tuple(stages(layers, pp)) == default_partition(layers, pp)
