"""Second half of the independent planner: grouping, counting, checks and what requests hold."""

from __future__ import annotations

from dataclasses import replace
from math import gcd, lcm

from tests.core.vllm.oracle_plan import (
    Group,
    Layer,
    Refused,
    aligned_states,
    all_equal,
    at_least,
    blocks_of,
    build_layers,
    promote,
    same_type,
    up,
)

# --- 5.1, 5.2: pages of one size, packed groups ------------------------------------------------


def unify(layers: dict[int, Layer], version: str) -> dict[int, Layer]:
    pages = {x.page for x in layers.values()}
    if len(pages) == 1:
        return layers
    if not at_least(version, "0.19.1"):
        raise Refused("unsupported")
    top = max(pages)
    out = {}
    for index, x in layers.items():
        if x.page == top:
            out[index] = x
        elif x.kind == "state" and at_least(version, "0.33.0"):
            out[index] = replace(x, page=top)
        elif x.kind != "state" and top % x.page == 0:
            out[index] = replace(x, page=top, block=x.block * (top // x.page))
        elif not at_least(version, "0.33.0") or x.kind in ("mla", "mla_index"):
            raise Refused("unsupported")
        else:
            out[index] = replace(x, page=top)
    return out


def merged(layer: Layer) -> Layer:
    return replace(layer, window=None, chunk=None) if layer.kind == "full" else layer


def bucketed(layers: dict[int, Layer]) -> list[dict[int, Layer]]:
    buckets: dict[Layer, dict[int, Layer]] = {}
    for index, x in layers.items():
        buckets.setdefault(merged(x), {})[index] = x
    return list(buckets.values())


def plain_groups(layers: dict[int, Layer], version: str) -> list[Group]:
    """Rule 6."""
    try:
        layers = unify(layers, version)
    except Refused:
        kinds = {x.kind for x in layers.values()}
        known = kinds <= {"mla", "mla_index", "sliding", "full"}
        if not at_least(version, "0.33.0") or not known or not {"mla", "sliding"} <= kinds:
            raise
        return [Group(promote(layers, version), mixed=True)]
    buckets = bucketed(layers)
    lo, hi = min(map(len, buckets)), max(map(len, buckets))
    g = hi if at_least(version, "0.19.1") and hi < 1.5 * lo else lo
    if version == "0.10.2":  # the recorded order puts full attention first
        buckets.sort(key=lambda b: next(iter(b.values())).kind != "full")
    groups = []
    for bucket in buckets:
        items = list(bucket.items())
        n = up(len(items), g)
        for i in range(n):
            chosen = items[i::n] if at_least(version, "0.11.2") else items[i * g : (i + 1) * g]
            groups.append(Group(dict(chosen)))
    return groups


def counts_of(bucket: dict[int, Layer]) -> dict[int, int]:
    out: dict[int, int] = {}
    for x in bucket.values():
        out[x.page] = out.get(x.page, 0) + 1
    return out


def packed_groups(layers: dict[int, Layer]) -> list[Group]:
    buckets: list[dict[int, Layer]] = []
    for index, x in layers.items():
        for bucket in buckets:
            if same_type([*bucket.values(), x]):
                bucket[index] = x
                break
        else:
            buckets.append({index: x})
    counts = [counts_of(b) for b in buckets]
    balanced = [len(set(c.values())) == 1 for c in counts]
    most = [max(c.values()) for c in counts]
    r_min = max(
        (m for m, c, ok in zip(most, counts, balanced, strict=True) if ok and len(c) > 1),
        default=0,
    )
    r = None
    if r_min:
        level = [m for m, ok in zip(most, balanced, strict=True) if ok]
        r = min(
            range(r_min, max(level) + 1),
            key=lambda d: (sum(up(m, d) * d - m for m in level), -d),
        )
    groups_of = [up(m, r) if ok and r else 1 for m, ok in zip(most, balanced, strict=True)]
    like = []
    for bucket in buckets:
        kind = next(iter(bucket.values())).kind
        like.append(kind == "state" or (r is None and kind == "sliding"))
    anchor = 0
    for bucket, c, n, state in zip(buckets, counts, groups_of, like, strict=True):
        n = len(bucket) if state else n
        anchor = max(anchor, sum(up(count, n) * page for page, count in c.items()))
    out = []
    for bucket, c, n, state in zip(buckets, counts, groups_of, like, strict=True):
        if state:
            n = max(n, up(len(bucket), max(1, anchor // max(c))))
        lanes = [[i for i, x in bucket.items() if x.page == page] for page in c]
        rows = [[lane[k] for lane in lanes if k < len(lane)] for k in range(max(map(len, lanes)))]
        for i in range(n):
            chosen = sorted(index for row in rows[i::n] for index in row)
            out.append(Group({index: bucket[index] for index in chosen}, mixed=True))
    return out


def group(layers: dict[int, Layer], case: dict) -> list[Group]:
    version, inputs = case["engine_version"], case["inputs"]
    if not inputs["hybrid_manager"] or version == "0.8.5":
        layers = promote(layers, version)
    values = list(layers.values())
    if all_equal(values):
        return [Group(layers)]
    if at_least(version, "0.11.2") and same_type(values):
        return [Group(layers, mixed=True)]
    block_outermost = at_least(version, "0.33.0") and inputs["layout"].startswith("B")
    if block_outermost and len({x.page for x in values}) > 1:
        return packed_groups(layers)
    return plain_groups(layers, version)


# --- 5.3, 5.4, 6: counting and checks ---------------------------------------------------------


def stages(layers: int, pp: int) -> list[tuple[int, int]]:
    sizes = [layers // pp] * pp
    for k in range(layers % pp):
        sizes[-2 - k] += 1
    out, start = [], 0
    for size in sizes:
        out.append((start, start + size))
        start += size
    return out


def longest(fits, top: int) -> int:
    low, high = 0, top
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low


class Worker:
    def __init__(self, case, stage, layers, groups, available):
        self.case, self.available, self.groups = case, available, groups
        self.own = {i: x for i, x in layers.items() if stage[0] <= i < stage[1]}
        self.block_bytes = max(g.bytes_on(stage) for g in groups)
        self.count = available // self.block_bytes

    def need(self, length: int) -> int:
        if not at_least(self.case["engine_version"], "0.19.1"):
            return sum(x.page * blocks_of(x, length, self.case) for x in self.own.values())
        return self.block_bytes * sum(g.blocks(length, self.case) for g in self.groups)

    def room(self) -> int:
        if not at_least(self.case["engine_version"], "0.33.0"):
            return self.available
        override = self.case["inputs"]["blocks_override"]
        have = self.available if override is None else override * self.block_bytes
        return have - self.block_bytes

    def check(self, length: int) -> None:
        if self.room() <= 0:
            raise Refused("no_memory")
        if self.need(length) > self.room():
            found = longest(lambda m: self.need(m) <= self.room(), length)
            if self.case["engine_version"] == "0.8.5":
                found = 0
            raise Refused("max_len_too_long", found or None)


def expected(case: dict) -> dict:
    """The exact keys of one case."""
    try:
        return _plan(case)
    except Refused as refused:
        return {"error": {"category": refused.category, "suggested_max_len": refused.suggested}}


def _plan(case: dict) -> dict:
    inputs, version = case["inputs"], case["engine_version"]
    layers, resolved = build_layers(case)
    total = sum(count for _, count in case["shape"]["layers_rle"])
    spans = stages(total, inputs["pipeline_parallel"])
    if at_least(version, "0.11.2"):
        per_stage = [group(layers, case)] * len(spans)
    else:
        per_stage = [group({i: x for i, x in layers.items() if a <= i < b}, case) for a, b in spans]
    workers = [
        Worker(case, span, layers, groups, have)
        for span, groups, have in zip(spans, per_stage, inputs["available_bytes"], strict=True)
    ]
    groups = per_stage[0]
    top = inputs["max_model_len"]
    length = top
    if inputs["fit_max_model_len"]:
        for w in workers:
            length = min(length, longest(lambda m, w=w: w.need(m) <= w.room(), top))
        if length == 0:
            raise Refused("cannot_fit_one_token")
    for worker in workers:
        worker.check(length)
    override = inputs["blocks_override"]
    counts = [w.count if override is None else override for w in workers]
    blocks = min(counts)
    shares = [blocks] * len(workers) if at_least(version, "0.11.2") else counts
    answer = {
        "error": None,
        "resolved_block_size": resolved,
        "effective_max_model_len": length,
        "num_blocks": blocks,
        "kv_tensor_bytes_by_stage": [
            n * w.block_bytes for n, w in zip(shares, workers, strict=True)
        ],
        "groups": [_group_row(g, spans, version) for g in groups],
    }
    answer.update(_capacity(case, groups, blocks, length))
    if at_least(version, "0.33.0"):
        answer["blocks_before_min_by_stage"] = [w.count for w in workers]
        answer["bytes_per_block_by_stage"] = [w.block_bytes for w in workers]
        answer["bytes_needed_for_one_request_by_stage"] = [w.need(top) for w in workers]
        answer["blocks_per_request_by_group"] = [g.blocks(length, case) for g in groups]
        answer.update(_block_units(case, groups))
    if "hold_inputs" in case:
        answer["hold"] = _hold(case, groups, blocks, length)
    return answer


def _group_row(g: Group, spans: list[tuple[int, int]], version: str) -> dict:
    span = spans[0] if not at_least(version, "0.33.0") else (spans[0][0], spans[-1][1])
    own = [i for i in g.layers if span[0] <= i < span[1]]
    page = sum(g.layers[i].page for i in own) if g.mixed else g.one().page
    return {
        "layer_indices": own,
        "block_tokens": g.one().block,
        "page_bytes": page,
        "per_layer_pages": g.mixed,
    }


def _capacity(case: dict, groups: list[Group], blocks: int, length: int) -> dict:
    version = case["engine_version"]
    if at_least(version, "0.33.0"):
        many = blocks / sum(g.blocks(length, case) for g in groups)
        return {"kv_tokens": int(many * length), "max_concurrency": many}
    dcp = case["inputs"]["decode_context_parallel"]
    smallest = min(g.one().block for g in groups)
    if version == "0.8.5":
        tokens = blocks * smallest
        return {"kv_tokens": tokens, "max_concurrency": tokens / length}
    tokens = blocks // len(groups) * smallest * dcp
    return {
        "kv_tokens": tokens,
        "max_concurrency": blocks / sum(g.blocks(length, case) for g in groups),
    }


def _block_units(case: dict, groups: list[Group]) -> dict:
    """5.5, with cross attention as the only group that is never cached."""
    dcp = case["inputs"]["decode_context_parallel"]
    caching = case["inputs"]["prefix_caching"] is not False
    sizes = [g.one().block * (1 if g.one().kind == "state" else dcp) for g in groups]
    plain = [g.one().block for g in groups if g.one().kind != "cross"]
    cached = [s for s, g in zip(sizes, groups, strict=True) if g.one().kind != "cross"]
    scheduler = lcm(*sizes)
    unaligned = any(g.one().kind == "state" for g in groups) and not aligned_states(
        case["engine_version"], case["inputs"]
    )
    unit = case.get("more", {}).get("match_unit") or gcd(*(cached or sizes))
    return {
        "reported_block_size": min(plain or sizes),
        "scheduler_block_tokens": scheduler,
        "hash_block_tokens": scheduler if not caching or unaligned else unit,
    }


# --- 7: what requests hold ---------------------------------------------------------------------


def _held(x: Layer, start: int, end: int, case: dict) -> int:
    if x.kind == "state":
        return 1 + case["inputs"]["speculative_tokens"]
    if x.kind == "sliding":
        return up(end, x.block) - max(0, start - x.window + 1) // x.block
    if x.kind == "chunked":
        return up(end, x.block) - (start // x.chunk * x.chunk) // x.block
    if x.kind == "cross":
        return up(case["inputs"]["max_batched_tokens"], x.block)
    return up(end, x.block * case["inputs"]["decode_context_parallel"])


def _hold(case: dict, groups: list[Group], blocks: int, length: int) -> dict:
    ask, step = case["hold_inputs"], case["inputs"]["max_batched_tokens"]
    prompt = ask["prompt_tokens"]
    ones = [g.one() for g in groups]
    peak = [0] * len(ones)
    after: list[int] = []
    held: list[int] = []
    start, last = 0, prompt + ask["output_tokens"] - 1
    while start < last:
        end = min(start + step, prompt) if start < prompt else start + 1
        held = [_held(x, start, end, case) for x in ones]
        peak = [max(a, b) for a, b in zip(peak, held, strict=True)]
        if end == prompt:
            after = held
        start = end
    usable = blocks - 1
    first = []
    for x in ones:
        whole = _held(x, 0, prompt, case)
        if x.kind in ("sliding", "chunked"):
            whole = min(whole, blocks_of(x, length, case))
        first.append(whole)
    watermark = int(ask["watermark"] * blocks)
    free, admitted = usable, 0
    while admitted < 3000 and sum(first) + (watermark if admitted else 0) <= free:
        free -= sum(after)
        admitted += 1
    return {
        "usable_blocks_at_start": usable,
        "blocks_held_after_prompt": after,
        "blocks_held_at_end": held,
        "peak_blocks_held": peak,
        "prompts_admitted_together": admitted,
        "capped_at_3000": admitted == 3000,
    }
