"""The plain engine's rule once more, slowly and exactly, written without a look at the core.

A scenario goes in as plain data (`Scenario.model_dump()`), plain data comes out: integers and
fractions, largest numbers by trying, quantiles of small tables by listing every length. Nothing of
`workbench` is imported, so an error here and in the core is no copy of one another.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

Data = dict[str, Any]
DTYPE_BITS = {"fp32": 32, "bf16": 16, "fp16": 16, "fp8": 8, "int8": 8}
SIZINGS = {"p50": Fraction("0.5"), "p95": Fraction("0.95"), "p99": Fraction("0.99")}
SIZINGS["max"] = Fraction(1)
LISTED_UP_TO = 60


def share_up(whole: int, parts: int) -> int:
    return -(-whole // parts)


@cache
def decimal(number: float) -> Fraction:
    """Take a share as the text a person reads."""
    return Fraction(repr(number))


def amount(spec: Data, total: int) -> int:
    if spec["size_bytes"] is not None:
        return int(spec["size_bytes"])
    return (decimal(spec["share"]) * total).__floor__()


def pieces(points: list[Data]) -> list[tuple[Fraction, int, int]]:
    """Return (share, low, high): the share lies evenly on low + 1 … high, or on high alone."""
    found, last_q, last_t = [], Fraction(0), 0
    for index, point in enumerate(points):
        q, tokens = decimal(point["q"]), point["tokens"]
        if q > last_q:
            low = last_t if index else 0
            found.append((q - last_q, low if low < tokens else tokens - 1, tokens))
        last_q, last_t = q, tokens
    return found


def quantile(parts: list[tuple[Fraction, int, int]], q: Fraction) -> int:
    """Return the smallest length with at least the share q at or below it, by bisection."""
    for share, low, high in parts:
        if q > share:
            q -= share
            continue
        too_short, enough = low, high
        # share and q over one denominator: comparing whole numbers is many times quicker
        each, wanted = share.numerator * q.denominator, q.numerator * share.denominator
        while enough - too_short > 1:
            middle = (too_short + enough) // 2
            is_enough = each * (middle - low) >= wanted * (high - low)
            too_short, enough = (too_short, middle) if is_enough else (middle, enough)
        return enough
    raise AssertionError("the shares of a table add up to 1")


def sized(lengths: Data) -> dict[str, int]:
    """Return whole tokens of the request of each sizing."""
    if lengths["kind"] == "constant":
        return dict.fromkeys(("mean", *SIZINGS), lengths["tokens"])
    parts = pieces(lengths["points"])
    if parts[-1][2] <= LISTED_UP_TO:  # few enough to look at every length
        each = [(t, s / (high - low)) for s, low, high in parts for t in range(low + 1, high + 1)]
        mean = sum((tokens * share for tokens, share in each), Fraction(0))
        found, below = dict.fromkeys(SIZINGS, 0), Fraction(0)
        for tokens, share in each:
            found |= {name: tokens for name, q in SIZINGS.items() if below < q <= below + share}
            below += share
    else:
        mean = sum((s * (low + 1 + high) for s, low, high in parts), Fraction(0)) / 2
        found = {name: quantile(parts, q) for name, q in SIZINGS.items()}
    if lengths["kind"] == "trace":
        mean = decimal(lengths["mean_tokens"])
    return {"mean": share_up(mean.numerator, mean.denominator), **found}


def tensor_bytes(tensor: Data, form: Data, tp: int, kv_heads: int) -> int:
    shape, shard = list(tensor["shape"]), tensor["shard"]
    if shard in ("column", "q_heads", "vocab", "experts"):
        shape[0] = share_up(shape[0], tp)
    elif shard in ("row", "o_heads"):
        shape[-1] = share_up(shape[-1], tp)
    elif shard == "kv_heads":
        shape[0] = shape[0] // kv_heads * max(1, share_up(kv_heads, tp))
    elements = 1
    for width in shape:
        elements *= width
    scales = 0
    if tensor["dtype"] is not None:
        bits = DTYPE_BITS[tensor["dtype"]]
    elif tensor["quantised"]:
        bits, rows = form["bits"], elements // shape[-1]
        scales = form["tensor_scale_bytes"] + rows * form["row_scale_bytes"]
        if form["group_elements"]:
            groups = rows * share_up(shape[-1], form["group_elements"])
            scales += groups * form["group_scale_bytes"]
    else:
        bits = form["other_bits"]
    return int(tensor["copies"] * (share_up(elements * bits, 8) + scales))


def vector_bytes(elements: int, bits: int, scale: int, form: Data) -> int:
    groups = share_up(elements, form["group_elements"]) if form["group_elements"] else 0
    return share_up(elements * bits, 8) + scale + groups * int(form["group_scale_bytes"])


def token_bytes(mixer: Data, form: Data, tp: int) -> int:
    """Bytes that a token adds on a rank for one layer."""
    size = vector_bytes(mixer["head_dim"], form["k_bits"], form["k_head_scale_bytes"], form)
    if not mixer["values_are_keys"]:
        dim = mixer["v_head_dim"] or mixer["head_dim"]
        size += vector_bytes(dim, form["v_bits"], form["v_head_scale_bytes"], form)
    return max(1, share_up(mixer["kv_heads"], tp)) * size


def fixed(scenario: Data) -> list[tuple[dict[str, int], int]]:
    """Return for each stage the entries that no request changes, and KV bytes per token."""
    model, engine, kv = scenario["model"], scenario["engine"], scenario["precision"]["kv"]
    tp, pp = scenario["deployment"]["tp"], scenario["deployment"]["pp"]
    form, runs, found = scenario["precision"]["weights"], model["layers"], []
    of_run = [
        sum(tensor_bytes(t, form, tp, run["mixer"].get("kv_heads", 1)) for t in run["tensors"])
        for run in runs
    ]
    layers_of = [i for i, run in enumerate(runs) for _ in range(run["count"])]
    sizes, start = scenario["deployment"]["pp_partition"], 0
    if sizes is None:
        even, more = divmod(len(layers_of), pp)
        sizes = [even + (stage < more) for stage in range(pp)]
    for stage, size in enumerate(sizes):
        layers, start, entries = layers_of[start : start + size], start + size, dict[str, int]()
        if engine["weights_bytes"] is not None:
            entries["weights"] = share_up(engine["weights_bytes"], tp * pp)
        elif model["tensors"] or any(run["tensors"] for run in runs):
            entries["weights"] = sum(of_run[layer] for layer in layers)
            for tensor in model["tensors"]:
                here = {"first": stage == 0, "last": stage == pp - 1, "all": True}[tensor["stage"]]
                tied = model["tied_embeddings"] and tensor["shard"] == "vocab" and stage == pp - 1
                if here or tied:
                    entries["weights"] += tensor_bytes(tensor, form, tp, 1)
        if engine["runtime_bytes"] is not None:
            entries["runtime"] = engine["runtime_bytes"]
        for name in ("activation_reserve", "fragmentation_reserve"):
            entries[name] = amount(engine[name], scenario["gpu"]["device_total_bytes"])
        mixers = [runs[i]["mixer"] for i in layers if runs[i]["mixer"]["kind"] == "full"]
        entries["kv_scales"] = kv["layer_scale_bytes"] * len(mixers)
        found.append((entries, len(mixers) * token_bytes(mixers[0], kv, tp) if mixers else 0))
    return found


def demand(scenario: Data, tokens: int) -> tuple[Fraction, int]:
    """Return the mean blocks that a request does not share, and the blocks of all prefixes."""
    size, prefixes = scenario["engine"]["block_tokens"], 0
    own = Fraction(share_up(tokens, size))
    for group in scenario["workload"]["prefix_groups"]:
        prefixes += group["distinct_prefixes"] * (group["shared_tokens"] // size)
        own -= decimal(group["request_share"]) * (min(group["shared_tokens"], tokens - 1) // size)
    return max(own, Fraction(1)), prefixes


def most(scenario: Data, tokens: int, pool_blocks: int) -> int:
    """Return the largest number of requests whose blocks fit, found by trying numbers."""
    own, prefixes = demand(scenario, tokens)
    room, low, step = pool_blocks - prefixes, 0, 1
    while share_up((low + step) * own.numerator, own.denominator) <= room:
        low, step = low + step, step * 2
    while step:
        if share_up((low + step) * own.numerator, own.denominator) <= room:
            low += step
        step //= 2
    return low


def refusal(scenario: Data, longest: int) -> str | None:
    spread, model = scenario["deployment"], scenario["model"]
    shapes = [run["mixer"] for run in model["layers"] if run["mixer"]["kind"] != "none"]
    mixed = any(mixer["kind"] != "full" or mixer != shapes[0] for mixer in shapes)
    if mixed or spread["ep"] > 1 or spread["dcp"] > 1:
        return "unsupported"
    tp, partition, mixer = spread["tp"], spread["pp_partition"], (shapes or [None])[0]
    if mixer and (mixer["heads"] % tp or (mixer["kv_heads"] % tp and tp % mixer["kv_heads"])):
        return "bad_parallelism"
    count = sum(run["count"] for run in model["layers"])
    if spread["pp"] > count or (partition is not None and sum(partition) != count):
        return "bad_parallelism"
    limit = scenario["engine"]["max_model_len"] or model["max_position_tokens"]
    if limit is not None and longest > limit:
        return "max_len_too_long"
    return None


def answer(scenario: Data) -> Data:
    """Return status, drawn requests, entries of every rank, pool and capacity."""
    sizes = sized(scenario["workload"]["lengths"])
    why = refusal(scenario, sizes["max"])
    if why in ("unsupported", "bad_parallelism"):
        return {"status": "refuses", "refusal": why}
    spread, work = scenario["deployment"], scenario["workload"]
    total, size = scenario["gpu"]["device_total_bytes"], scenario["engine"]["block_tokens"]
    reserve = amount(scenario["reserves"]["headroom"], total)
    parts = fixed(scenario)
    rooms = [(max(0, total - sum(entries.values())), per) for entries, per in parts if per]
    kept = min((max(0, room - reserve) // (per * size) for room, per in rooms), default=None)
    pool_bytes, page = min(rooms, key=lambda r: r[0] // (r[1] * size), default=(0, 0))
    blocks = pool_bytes // (page * size) if page else None
    copies = spread["dp"] * spread["replicas"]
    tokens = sizes[work["sizing"]]
    own_each, prefixes = demand(scenario, tokens)
    if work["concurrency"] is not None:
        drawn = share_up(work["concurrency"], copies)
    elif blocks is None or kept is None:
        drawn = scenario["engine"]["max_num_seqs"] or 256  # nothing limits requests without KV
    else:
        drawn = most(scenario, tokens, kept) or most(scenario, tokens, blocks) or 1
        drawn = min(drawn, scenario["engine"]["max_num_seqs"] or drawn)
    each = share_up(tokens, size)
    tail_tokens, ranks = each * size - tokens, []
    for stage, (entries, per_token) in enumerate(parts):
        tail, page_bytes = drawn * tail_tokens * per_token, per_token * size
        own = share_up(drawn * own_each.numerator, own_each.denominator)
        entries = entries | {"block_tails": tail, "kv": own * page_bytes - tail}
        entries["prefix"] = prefixes * page_bytes
        left = total - sum(entries.values())
        head = max(0, min(reserve, left))
        rank = {"stage": stage, "entries": entries, "headroom": head, "free": left - head}
        ranks += [rank] * spread["tp"]
    left = min(rank["headroom"] + rank["free"] for rank in ranks)
    tight = scenario["reserves"]["tight_below"]
    threshold = reserve if tight is None else amount(tight, total)
    status = "does_not_fit" if left < 0 else "tight" if left < threshold else "fits"
    result: Data = {"status": "refuses" if why else status, "refusal": why, "drawn": drawn}
    result |= {"ranks": ranks, "pool": None, "steady_state": None, "over": max(0, -left) or None}
    result["request"] = {"tokens": tokens, "tail_tokens": tail_tokens}
    result["request"] |= {"blocks": each, "shared_blocks": each - own_each}
    if blocks is not None:
        result["pool"] = {"bytes": pool_bytes, "blocks": blocks, "tokens": blocks * size}
        result["pool"] |= {"bytes_per_block": page * size, "kv_bytes_per_token": page}
        held = {name: copies * most(scenario, long, blocks) for name, long in sizes.items()}
        result["steady_state"] = held
    return result
