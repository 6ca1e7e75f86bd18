"""`kvw budget`: the ledger of a plan's scenario, or of a model on a card."""

from __future__ import annotations

from inspect import signature
from pathlib import Path
from typing import Any, Final, cast

import typer
from pydantic import ValidationError

from workbench.cli import engine_options
from workbench.cli.common import (
    console,
    exit_code,
    open_library,
    print_json,
    scenario_of,
    warned,
    warnings_json,
)
from workbench.cli.engine_text import print_engine
from workbench.cli.text import print_ledger
from workbench.core.admission import admission_of
from workbench.core.budget import budget
from workbench.export.ledger_json import ledger_json
from workbench.library import compose, engine_choice, plans
from workbench.library.engines import Core
from workbench.library.paths import shown
from workbench.library.presets import Library
from workbench.library.refusal import refusal
from workbench.spec.base import MAX_NAME_CHARACTERS
from workbench.spec.engine import ENGINE_NAMES
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS
from workbench.spec.scenario import Scenario
from workbench.spec.vllm import VllmEngine

SIZINGS = ("mean", "p50", "p95", "p99", "max")

QUANTITY_OPTIONS = {
    "context": "workload.context",
    "concurrency": "workload.concurrency",
    "tensor_parallel_size": "deployment.tp",
    "expert_parallel_size": "deployment.ep",
    "decode_context_parallel_size": "deployment.dcp",
    "pipeline_parallel_size": "deployment.pp",
    "data_parallel_size": "deployment.dp",
    "replicas": "deployment.replicas",
    "block_size": "engine.block_tokens",
    "max_model_len": "engine.max_model_len",
    "max_num_seqs": "engine.max_num_seqs",
    "max_num_batched_tokens": "engine.max_num_batched_tokens",
    "gpu_memory_utilization": "engine.gpu_memory_utilization",
    "kv_cache_memory_bytes": "engine.kv_cache_memory_bytes",
    "num_gpu_blocks_override": "engine.num_gpu_blocks_override",
    "speculative_tokens": "engine.speculative_tokens",
    "cpu_offload": "engine.cpu_offload_bytes",
    "weights_bytes": "engine.weights_bytes",
    "runtime_bytes": "engine.runtime_bytes",
    "activation_reserve": "engine.activation_reserve",
    "fragmentation_reserve": "engine.fragmentation_reserve",
    "headroom": "reserves.headroom",
    "tight_below": "reserves.tight_below",
    "prefix_tokens": "workload.prefix_tokens",
    "prefix_distinct": "workload.prefix_distinct",
    "prefix_share": "workload.prefix_share",
    "layers": "model.layers",
    "kv_heads": "model.kv_heads",
    "head_dim": "model.head_dim",
}
"""Options that set one quantity, and the field each sets, in the order they are applied."""


def _option(*names: str, help: str) -> Any:
    return typer.Option(None, *names, help=help, show_default=False)


def _switch(names: str, *, help: str) -> Any:
    return typer.Option(None, names, help=help, show_default=False)


SWITCHES = (
    "enable_expert_parallel",
    "enforce_eager",
    "enable_prefix_caching",
    "enable_chunked_prefill",
    "async_scheduling",
    "hybrid_kv_cache_manager",
)
"""Options that are on, off, or left to the engine."""


def budget_verb(
    ctx: typer.Context,
    plan: Path | None = typer.Argument(None, metavar="[PLAN.kvw]", show_default=False),
    scenario: str | None = _option("--scenario", help="Name in the plan; else its baseline."),
    model: str | None = _option("--model", help="Preset id, alias or Hugging Face id."),
    gpu: str | None = _option("--gpu", help="Card or set of cards."),
    engine: str | None = _option("--engine", help="Engine, with a release: vllm@0.19.0."),
    context: str | None = _option("--context", help="Tokens a request holds at its end: 32k."),
    workload: str | None = _option("--workload", help="Workload preset instead of --context."),
    sizing: str | None = _option("--sizing", help="Length drawn: mean p50 p95 p99 max."),
    concurrency: str | None = _option("--concurrency", help="Target; else the most that fit."),
    tensor_parallel_size: str | None = _option(
        "--tensor-parallel-size", "--tp", "--tp-size", help="TP."
    ),
    pipeline_parallel_size: str | None = _option(
        "--pipeline-parallel-size", "--pp", "--pp-size", help="PP."
    ),
    expert_parallel_size: str | None = _option("--expert-parallel-size", "--ep", help="EP."),
    decode_context_parallel_size: str | None = _option(
        "--decode-context-parallel-size", "--dcp", help="DCP."
    ),
    data_parallel_size: str | None = _option(
        "--data-parallel-size", "--dp", "--dp-size", help="DP."
    ),
    replicas: str | None = _option("--replicas", help="Independent copies."),
    kv_cache_dtype: str | None = _option("--kv-cache-dtype", help="KV format: bf16, fp8 …"),
    quantization: str | None = _option("--quantization", help="Weight format: bf16, fp8."),
    block_size: str | None = _option("--block-size", help="Tokens in a block."),
    max_model_len: str | None = _option("--max-model-len", help="Longest request accepted."),
    max_num_seqs: str | None = _option("--max-num-seqs", help="Most requests at once."),
    max_num_batched_tokens: str | None = _option(
        "--max-num-batched-tokens", help="Most tokens in one step."
    ),
    gpu_memory_utilization: str | None = _option(
        "--gpu-memory-utilization", help="Share of the card: 0.9."
    ),
    kv_cache_memory_bytes: str | None = _option(
        "--kv-cache-memory-bytes", help="KV pool of each GPU as given: 20GiB."
    ),
    num_gpu_blocks_override: str | None = _option(
        "--num-gpu-blocks-override", help="Blocks of the pool, whatever is free."
    ),
    speculative_tokens: str | None = _option("--speculative-tokens", help="Tokens of a draft."),
    cpu_offload: str | None = _option("--cpu-offload", help="Weights kept in host memory."),
    enable_expert_parallel: bool | None = _switch(
        "--enable-expert-parallel/--no-enable-expert-parallel",
        help="Experts over all ranks: EP = TP × DP.",
    ),
    enforce_eager: bool | None = _switch("--enforce-eager/--no-enforce-eager", help="No graphs."),
    enable_prefix_caching: bool | None = _switch(
        "--enable-prefix-caching/--no-enable-prefix-caching", help="Share equal prefixes."
    ),
    enable_chunked_prefill: bool | None = _switch(
        "--enable-chunked-prefill/--no-enable-chunked-prefill", help="Prompts in chunks."
    ),
    async_scheduling: bool | None = _switch(
        "--async-scheduling/--no-async-scheduling", help="Schedule a step ahead."
    ),
    hybrid_kv_cache_manager: bool | None = _switch(
        "--hybrid-kv-cache-manager/--disable-hybrid-kv-cache-manager",
        help="Groups of layers of their own.",
    ),
    vllm_core: str | None = _option("--vllm-core", help="V0 or V1, for 0.8 to 0.10."),
    weights_bytes: str | None = _option("--weights-bytes", help="Weights as given: 16GiB."),
    runtime_bytes: str | None = _option("--runtime-bytes", help="Runtime as given, per GPU."),
    activation_reserve: str | None = _option("--activation-reserve", help="6% or bytes."),
    fragmentation_reserve: str | None = _option("--fragmentation-reserve", help="4% or bytes."),
    headroom: str | None = _option("--headroom", help="Kept free: 2GiB or 5%."),
    tight_below: str | None = _option("--tight-below", help="Less left is tight: 4GiB or 5%."),
    prefix_tokens: str | None = _option("--prefix-tokens", help="Tokens requests share."),
    prefix_distinct: str | None = _option("--prefix-distinct", help="Different prefixes."),
    prefix_share: str | None = _option("--prefix-share", help="Share of requests: 80%."),
    layers: str | None = _option("--layers", help="Change the model's layers."),
    kv_heads: str | None = _option("--kv-heads", help="Change the model's KV heads."),
    head_dim: str | None = _option("--head-dim", help="Change the model's head size."),
    as_json: bool = typer.Option(False, "--json", help="Print the public JSON."),
) -> int:
    """Print where the memory of every rank goes, and how many requests fit."""
    given = {name: value for name, value in locals().items() if isinstance(value, str)}
    switches = {name: value for name, value in locals().items() if name in SWITCHES}
    library = open_library()
    loaded = None if plan is None else _loaded(plan, given)
    question = _question(library, plan, loaded, given)
    asked = _switched(_changed(library, question, given), switches)
    asked = engine_options.with_options(asked, ctx.obj or {})
    if plan is None:
        asked = _named(asked)
    ledger = budget(asked)
    admission = admission_of(asked, ledger)
    if as_json:
        print_json(ledger_json(ledger, admission) | {"warnings": warnings_json(loaded)})
    else:
        print_ledger(console(), ledger)
        print_engine(console(), ledger, admission)
    return exit_code([ledger])


OPTIONS: Final = frozenset(
    option
    for parameter in signature(budget_verb).parameters.values()
    for spelled in getattr(parameter.default, "param_decls", None) or ()
    for option in spelled.split("/")
)
"""Options of the verb itself."""


def _loaded(plan: Path, given: dict[str, str]) -> plans.Loaded:
    for name in ("model", "gpu"):
        if name in given:
            raise UserError("plan_and_preset", option=f"--{name}")
    return warned(plans.load(plan))


def _question(
    library: Library, plan: Path | None, loaded: plans.Loaded | None, given: dict[str, str]
) -> Scenario:
    """The scenario of a plan, or one made from the presets of --model and --gpu."""
    if plan is not None and loaded is not None:
        return scenario_of(loaded.plan, given.get("scenario"), shown(plan))
    if "scenario" in given:
        raise UserError("option_needs_a_plan", option="--scenario")
    if "model" not in given or "gpu" not in given:
        raise UserError("budget_needs_a_question")
    return from_presets(library, given["model"], given["gpu"])


def from_presets(library: Library, model: str, gpu: str) -> Scenario:
    """A scenario of a model on a card or a set of cards, all else by default."""
    model_preset, gpu_preset = library.model(model), library.gpu(gpu)
    name = f"{model_preset.value.name} on {gpu_preset.value.name}"[:MAX_NAME_CHARACTERS]
    return compose.new_scenario(library, "question", name, model_preset, gpu_preset)


def _named(scenario: Scenario) -> Scenario:
    """Name the question by the cards it really takes."""
    gpus = scenario.deployment.gpus
    cards = scenario.gpu.name if gpus == 1 else f"{gpus} × {scenario.gpu.name}"
    return scenario.with_(name=f"{scenario.model.name} on {cards}"[:MAX_NAME_CHARACTERS])


def _changed(library: Library, scenario: Scenario, given: dict[str, str]) -> Scenario:
    """Apply the options, each by the field it sets."""
    if "engine" in given or "vllm_core" in given:
        scenario = _with_engine(scenario, given)
    if given.get("max_model_len") in ("-1", "auto"):
        scenario = _with_fitted_length(scenario, given.pop("max_model_len"))
    if "workload" in given:
        scenario = compose.with_workload(scenario, library.workload(given["workload"]))
    if "kv_cache_dtype" in given:
        kv_format = library.kv_format(given["kv_cache_dtype"])
        scenario = compose.with_kv_format(scenario, kv_format)
    if "quantization" in given:
        weight_format = library.weight_format(given["quantization"])
        shipped = scenario.model.shipped_format or ""
        if weight_format.value.id == "fp8" and shipped.startswith("fp8-"):
            # The engine takes the scales that an fp8 checkpoint has, whatever the flag says.
            weight_format = library.weight_format(f"builtin:{shipped}")
        scenario = compose.with_weight_format(scenario, weight_format)
    if "sizing" in given:
        if given["sizing"] not in SIZINGS:
            accepted = ", ".join(SIZINGS)
            raise UserError(
                "choice_unknown", text=given["sizing"], option="--sizing", accepted=accepted
            )
        changed = scenario.workload.with_(sizing=given["sizing"])
        scenario = scenario.with_(workload=changed)
    for name, field_id in QUANTITY_OPTIONS.items():
        if name in given:
            scenario = _with_quantity(scenario, name, field_id, given[name])
    return scenario


def _with_quantity(scenario: Scenario, name: str, field_id: str, text: str) -> Scenario:
    option, field = f"--{name.replace('_', '-')}", FIELDS[field_id]
    if field_id.startswith(("engine.", "deployment.")) and not field.applies(scenario):
        raise UserError("option_of_another_engine", option=option, engine=scenario.engine.kind)
    if field_id.startswith("model.") and not field.applies(scenario):
        raise UserError("field_does_not_apply", option=option, field=field_id)
    if field_id.startswith("workload.prefix_") and not field.applies(scenario):
        raise UserError("prefix_needs_tokens", option=option)
    try:
        return field.write(scenario, field.parse(text, field.read(scenario)))
    except ValidationError as error:
        raise refusal(error, {}, option) from None
    except UserError as error:
        raise UserError("option_value", option=option, reason=error) from None


def _with_engine(scenario: Scenario, given: dict[str, str]) -> Scenario:
    """Read "plain", "vllm" or "vllm@0.19.0"; --vllm-core tells V0 and V1 apart."""
    kind, _, release = given.get("engine", scenario.engine.kind).partition("@")
    by_name = {name.lower(): code for code, name in ENGINE_NAMES.items()}
    kind = by_name.get(kind.lower(), kind)
    core = given.get("vllm_core", "").lower() or None
    if core not in (None, "v0", "v1"):
        raise UserError("choice_unknown", text=core, option="--vllm-core", accepted="v0, v1")
    if kind == scenario.engine.kind and not release:
        release = scenario.engine.release
    return engine_choice.with_engine(scenario, kind, release, cast(Core | None, core))


def _with_fitted_length(scenario: Scenario, text: str) -> Scenario:
    """The longest length that fits: --max-model-len -1."""
    if not isinstance(scenario.engine, VllmEngine):
        raise UserError("quantity_unreadable", text=text, accepted="tokens")
    return scenario.with_(engine=scenario.engine.with_(fit_max_model_len=True))


def _switched(scenario: Scenario, switches: dict[str, bool | None]) -> Scenario:
    """Turn the engine's flags on or off."""
    asked = {name: value for name, value in switches.items() if value is not None}
    if asked and not isinstance(scenario.engine, VllmEngine):
        option = f"--{next(iter(asked)).replace('_', '-')}"
        raise UserError("option_of_another_engine", option=option, engine=scenario.engine.kind)
    spread = asked.pop("enable_expert_parallel", None)
    if spread is not None:
        deployment = scenario.deployment
        ranks = deployment.tp * deployment.dp if spread else 1
        scenario = scenario.with_(deployment=deployment.with_(ep=ranks))
    return scenario.with_(engine=scenario.engine.with_(**asked)) if asked else scenario
