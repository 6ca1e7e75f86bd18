"""Random scenarios of TensorRT-LLM: shapes of the shared generator, flags of this engine."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from tests.core.scenarios import Data, random_data, tokens
from workbench.core.budget import budget
from workbench.library.release_table import known_releases, rules_of
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario

BLOCKS = (1, 16, 32, 64, 128)


def random_trtllm(pick: Random) -> Scenario:
    """One random scenario with random flags; layers of several kinds among its models."""
    data = random_data(pick)
    for run in data["model"]["layers"]:
        _vary(pick, run)
    if pick.random() < 0.4:
        data["model"] |= {"hidden_size": 64, "intermediate_size": pick.choice((64, 100, 256))}
    data["deployment"] = {
        name: value for name, value in data["deployment"].items() if name not in ("ep", "dcp")
    }
    if pick.random() < 0.05:
        data["deployment"][pick.choice(("ep", "dcp"))] = pick.choice((2, 3))
    if pick.random() < 0.3:
        points = data["workload"]["lengths"].get("points")
        longest = points[-1]["tokens"] if points else data["workload"]["lengths"]["tokens"]
        output = pick.randint(1, longest)
        data["workload"]["outputs"] = {"kind": "constant", "tokens": output}
    data["engine"] = random_engine(pick)
    return Scenario.model_validate(data)


def _vary(pick: Random, run: Data) -> None:
    """Turn some softmax layers into latent or sliding ones."""
    mixer = run["mixer"]
    if mixer["kind"] != "full" or pick.random() < 0.7:
        return
    if pick.random() < 0.5:
        run["mixer"] = mixer | {"kind": "sliding", "window_tokens": pick.choice((16, 128, 1024))}
    else:
        run["mixer"] = {
            "kind": "latent",
            "heads": mixer["heads"],
            "kv_lora_rank": pick.choice((16, 512)),
            "qk_rope_head_dim": 64,
            "qk_nope_head_dim": 128,
            "v_head_dim": 128,
        }


def random_engine(pick: Random) -> Data:
    """The profile of a random release, about half of its flags left to it."""

    def maybe(value: object, share: float = 0.3) -> object:
        return value if pick.random() < share else None

    release = pick.choice(known_releases("trtllm"))
    block = pick.choice(BLOCKS)
    return {
        "kind": "trtllm",
        "release": release,
        "rules": rules_of("trtllm", release),
        "backend": maybe(pick.choice(("pytorch", "tensorrt"))),
        "free_gpu_memory_fraction": maybe(pick.choice((0.0, 0.3, 0.9, 0.95, 1.0))),
        "kv_cache_max_tokens": maybe(tokens(pick, block), 0.2),
        "max_gpu_total_bytes": maybe(pick.choice((0, 1, 2**20, 2**34)), 0.2),
        "max_model_len": maybe(tokens(pick, block) + pick.choice((0, 10_000))),
        "max_num_seqs": maybe(pick.choice((1, 2, 64))),
        "max_num_batched_tokens": maybe(pick.choice((1, 64, 8192))),
        "max_beam_width": pick.choice((1, 1, 1, 1, 2, 4)),
        "block_tokens": maybe(block, 0.5),
        "max_attention_window": maybe(
            tuple(pick.choice((16, 100, 1024, 4096)) for _ in range(pick.randint(1, 4)))
        ),
        "fail_fast_on_attention_window_too_large": pick.random() < 0.2,
        "sink_token_length": pick.choice((0, 0, 0, 4)),
        "enable_prefix_caching": maybe(pick.random() < 0.5),
        "enable_chunked_prefill": maybe(pick.random() < 0.7, 0.6),
        "enable_attention_dp": pick.random() < 0.2,
        "capacity_scheduler_policy": maybe(
            pick.choice(("guaranteed_no_evict", "max_utilization", "static_batch"))
        ),
        "max_output_tokens": maybe(pick.choice((1, 100, 10_000))),
        "host_cache_bytes": maybe(2**30, 0.2),
        "speculative_tokens": pick.choice((0, 0, 0, 3)),
        "measured": {"available_kv_bytes": maybe(pick.choice((0, 10**6, 2**33)), 0.1)},
    }


@cache
def answers(count: int) -> tuple[tuple[Scenario, Ledger], ...]:
    """Random scenarios with their ledgers."""
    return tuple(_answers(count))


def _answers(count: int) -> Iterator[tuple[Scenario, Ledger]]:
    for seed in range(count):
        scenario = random_trtllm(Random(seed))
        yield scenario, budget(scenario)
