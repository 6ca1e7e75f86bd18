"""Random valid scenarios, dense in the values where rules of memory change their mind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from pydantic import ValidationError

from workbench.spec.scenario import Scenario

Data = dict[str, Any]

BLOCKS = (1, 2, 3, 5, 7, 15, 16, 17, 32, 64, 100, 128, 256)
BITS = (1, 2, 3, 4, 5, 6, 8, 16, 32)
SHARES = (0.0, 0.01, 0.04, 0.06, 0.1, 0.25, 0.3, 1 / 3, 0.5, 0.999, 1.0)
SHARDS = ("replicated", "column", "row", "vocab", "experts", "q_heads", "kv_heads", "o_heads")


def amount(pick: Random, total: int) -> Data:
    """A reserve as bytes or as a share of the card."""
    kind = pick.randrange(4)
    if kind == 0:
        return {"size_bytes": 0}
    if kind == 1:
        return {"size_bytes": pick.randrange(max(1, total // pick.choice((2, 8, 64))))}
    if kind == 2:
        return {"share": pick.choice(SHARES[:8])}
    return {"share": round(pick.uniform(0, 0.4), pick.choice((1, 2, 3, 17)))}


def tokens(pick: Random, block: int) -> int:
    """Lengths around block edges, one-token requests among them."""
    near = block * pick.choice((1, 1, 2, 3, 10, 100)) + pick.choice((-1, 0, 0, 1))
    return max(1, pick.choice((1, 2, near, near, near, pick.randint(1, 50), pick.randint(1, 9000))))


def weight_format(pick: Random) -> Data:
    form: Data = {"id": "w", "name": "w", "bits": pick.choice(BITS)}
    if pick.random() < 0.3:
        form["other_bits"] = pick.choice((8, 16, 32, 7))
    if pick.random() < 0.5:
        form["tensor_scale_bytes"] = pick.choice((1, 2, 4))
        form["row_scale_bytes"] = pick.choice((0, 2, 4))
    if pick.random() < 0.5:
        form["group_elements"] = pick.choice((1, 3, 16, 32, 100, 128))
        form["group_scale_bytes"] = pick.choice((0, 1, 2, 3))
    return form


def kv_format(pick: Random) -> Data:
    form: Data = {"id": "k", "name": "k", "k_bits": pick.choice(BITS)}
    form["v_bits"] = pick.choice((form["k_bits"], pick.choice(BITS)))
    if pick.random() < 0.4:
        form["k_head_scale_bytes"] = pick.choice((1, 2, 4))
        form["v_head_scale_bytes"] = pick.choice((0, 2, 4))
    if pick.random() < 0.4:
        form["group_elements"] = pick.choice((1, 3, 16, 32, 100, 128))
        form["group_scale_bytes"] = pick.choice((0, 1, 2, 3))
    if pick.random() < 0.3:
        form["layer_scale_bytes"] = pick.choice((1, 4, 8, 1000))
    return form


def layer_tensors(pick: Random, mixer: Data | None, hidden: int) -> tuple[Data, ...]:
    """Some tensors of a layer; projections of heads have the size that the heads ask for."""
    found = []
    for number in range(pick.choice((0, 1, 2, 4))):
        shard = pick.choice(SHARDS if mixer else SHARDS[:5])
        wide = pick.choice((hidden, 1, 7, hidden * 3 + 1))
        shape = (wide, hidden)
        if mixer and shard == "q_heads":
            shape = (mixer["heads"] * mixer["head_dim"], hidden)
        elif mixer and shard == "kv_heads":
            shape = (mixer["kv_heads"] * mixer["head_dim"], hidden)
        elif mixer and shard == "o_heads":
            shape = (hidden, mixer["heads"] * mixer["head_dim"])
        elif pick.random() < 0.2:
            shape = (wide,)
        dtype = pick.choice((None, None, None, None, "fp32", "bf16"))
        quantised = dtype is None and len(shape) == 2 and pick.random() < 0.6
        copies = pick.choice((1, 1, 2, 8))
        found.append(
            {"name": f"t{number}", "shape": shape, "copies": copies, "shard": shard}
            | {"quantised": quantised, "dtype": dtype}
        )
    return tuple(found)


def model(pick: Random, tp: int, pp: int) -> Data:
    kv_heads = pick.choice(
        (1, tp, tp, tp * 2, tp * 4, max(1, tp // 2), pick.choice((1, 2, 3, 5, 8, 16)))
    )
    mixer: Data = {"kind": "full", "kv_heads": kv_heads, "heads": kv_heads * pick.choice((1, 4, 8))}
    mixer["head_dim"] = pick.choice((1, 3, 8, 64, 80, 128, 256))
    if pick.random() < 0.15:
        mixer["v_head_dim"] = pick.choice((1, 64, 128, 100))
    if pick.random() < 0.05:
        mixer["values_are_keys"] = True
    if mixer["heads"] % tp and pick.random() < 0.95:
        mixer["heads"] *= tp
    hidden = pick.choice((8, 16, 33, 64))
    runs, left = (
        [],
        max(1, pp + pick.choice((0, 0, 0, 1, 1, 2, 5, 20) + (-1,) * (pick.random() < 0.1))),
    )
    while left:
        count = pick.randint(1, left)
        own = None if pick.random() < 0.05 else mixer
        tensors = layer_tensors(pick, own, hidden)
        runs.append({"count": count, "mixer": own or {"kind": "none"}, "tensors": tensors})
        left -= count
    if pick.random() < 0.02:
        runs[-1]["mixer"] = mixer | {"head_dim": mixer["head_dim"] + 1}
    if pick.random() < 0.01:
        runs[-1]["mixer"] = mixer | {"kind": "sliding", "window_tokens": 128}
    outside = []
    if pick.random() < 0.5:
        for name, shard, stage in (
            ("embed", "vocab", "first"),
            ("norm", "replicated", "last"),
            ("head", "vocab", "last"),
            ("rotary", "replicated", "all"),
        ):
            shape = (pick.choice((100, 101, 128)), hidden) if shard == "vocab" else (hidden,)
            quantised = shard == "vocab" and pick.random() < 0.3
            if name != "head" or pick.random() < 0.5:
                outside.append({"name": name, "shape": shape, "shard": shard, "stage": stage})
                outside[-1]["quantised"] = quantised
    return {
        "id": "m",
        "name": "m",
        "layers": tuple(runs),
        "tensors": tuple(outside),
        "tied_embeddings": len(outside) == 3 and pick.random() < 0.7,
        "max_position_tokens": pick.choice(
            (None, None, None, 10**6, 10**6, pick.randint(1, 10_000))
        ),
    }


def lengths(pick: Random, block: int) -> Data:
    if pick.random() < 0.5:
        return {"kind": "constant", "tokens": tokens(pick, block)}
    inner = pick.sample((0.0, 0.1, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1 / 3), pick.randint(0, 5))
    if pick.random() < 0.2:
        inner = [round(q, 2) for q in {pick.random() for _ in range(3)} if round(q, 2) < 1]
    qs = [*sorted(set(inner)), 1.0]
    sizes = sorted(tokens(pick, block) for _ in qs)
    points = tuple({"q": q, "tokens": size} for q, size in zip(qs, sizes, strict=True))
    if pick.random() < 0.2:
        mean = pick.choice((pick.uniform(1, sizes[-1]), float(pick.randint(1, sizes[-1]))))
        return {"kind": "trace", "requests": 10, "mean_tokens": mean, "points": points}
    return {"kind": "quantiles", "points": points}


def prefix_groups(pick: Random, block: int) -> tuple[Data, ...]:
    count, left, found = pick.choice((0, 0, 1, 1, 2, 3, 5)), 1.0, []
    for _ in range(count):
        share = pick.choice((0.0, left, round(left / 2, 3), round(pick.uniform(0, left), 2)))
        share = min(share, left)
        left = max(0.0, round(left - share, 6))
        found.append(
            {"shared_tokens": tokens(pick, block), "request_share": share}
            | {"distinct_prefixes": pick.choice((1, 1, 2, 3, 20))}
        )
    return tuple(found)


def random_data(pick: Random) -> Data:
    """Plain data of one scenario."""
    total = pick.choice((pick.randint(1, 10**6), int(10 ** pick.uniform(2, 12)), 80 * 2**30))
    block = pick.choice(BLOCKS)
    tp, pp = pick.choice((1, 1, 2, 3, 4, 8, 16)), pick.choice((1, 1, 1, 2, 3, 4))
    shape = model(pick, tp, pp)
    count = sum(run["count"] for run in shape["layers"])
    deployment: Data = {"tp": tp, "pp": pp, "dp": pick.choice((1, 1, 2, 3))}
    deployment["replicas"] = pick.choice((1, 1, 2, 5))
    if pick.random() < 0.01:
        deployment[pick.choice(("ep", "dcp"))] = 2
    if pick.random() < 0.3 and count >= pp:
        edges = sorted(pick.sample(range(1, count), pp - 1)) if pp > 1 else []
        sizes = [b - a for a, b in zip([0, *edges], [*edges, count], strict=True)]
        sizes[-1] += pick.random() < 0.03
        deployment["pp_partition"] = tuple(sizes)
    engine: Data = {"kind": "plain", "block_tokens": block}
    for name in ("activation_reserve", "fragmentation_reserve"):
        if pick.random() < 0.7:
            engine[name] = amount(pick, total)
    if pick.random() < 0.4:
        engine["weights_bytes"] = pick.choice((0, 1, total, pick.randrange(total)))
    if pick.random() < 0.4:
        engine["runtime_bytes"] = pick.choice((0, 1, pick.randrange(total) // 8))
    if pick.random() < 0.2:
        engine["max_model_len"] = pick.choice((tokens(pick, block), 20_000, 10**6))
    if pick.random() < 0.2:
        engine["max_num_seqs"] = pick.choice((1, 2, 16, 256))
    workload: Data = {"lengths": lengths(pick, block), "prefix_groups": prefix_groups(pick, block)}
    workload["sizing"] = pick.choice(("mean", "p50", "p95", "p99", "max"))
    if pick.random() < 0.5:
        workload["concurrency"] = pick.choice((1, 2, 3, 7, 64, pick.randint(1, 5000)))
    # The longest request just below, at and above each limit.
    points = workload["lengths"].get("points")
    longest = points[-1]["tokens"] if points else workload["lengths"]["tokens"]
    if pick.random() < 0.05:
        engine["max_model_len"] = max(1, longest + pick.choice((-1, 0, 0, 1)))
    if pick.random() < 0.05:
        shape["max_position_tokens"] = max(1, longest + pick.choice((-1, 0, 0, 1)))
    reserves: Data = {"headroom": amount(pick, total)}
    if pick.random() < 0.2:
        reserves["tight_below"] = amount(pick, total)
    return {
        "id": "s",
        "name": "s",
        "model": shape,
        "gpu": {"id": "g", "name": "g", "device_total_bytes": total, "kind": "card"},
        "deployment": deployment,
        "precision": {"weights": weight_format(pick), "kv": kv_format(pick)},
        "engine": engine,
        "workload": workload,
        "reserves": reserves,
    }


def random_scenario(pick: Random) -> Scenario:
    """One random scenario."""
    return Scenario.model_validate(random_data(pick))


def with_card(scenario: Scenario, total_bytes: int) -> Scenario:
    """The scenario on a card of another size."""
    return scenario.with_(gpu=scenario.gpu.with_(device_total_bytes=max(1, total_bytes)))


def simpler(data: Any) -> Iterator[Any]:
    """Variants of plain data with one part left out or made smaller."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key not in ("id", "name", "kind"):
                yield {name: other for name, other in data.items() if name != key}
                for variant in simpler(value):
                    yield data | {key: variant}
    elif isinstance(data, tuple):
        for index, value in enumerate(data):
            yield data[:index] + data[index + 1 :]
            for variant in simpler(value):
                yield (*data[:index], variant, *data[index + 1 :])
    elif isinstance(data, int) and not isinstance(data, bool):
        yield from (smaller for smaller in (0, 1, 2, 10, data // 2, data - 1) if smaller < data)


def smallest(data: Data, fails: Callable[[Scenario], bool], tries: int = 400) -> Data:
    """Make the data of a failing scenario as small as trying `tries` variants allows."""
    found = True
    while found and tries > 0:
        found = False
        for variant in simpler(data):
            tries -= 1
            try:
                scenario = Scenario.model_validate(variant)
            except ValidationError:
                continue
            if fails(scenario):
                data, found = variant, True
                break
    return data
