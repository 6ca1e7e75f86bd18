"""Options in the engines' own names: `--mem-fraction-static`, `--free-gpu-memory-fraction`, `-ngl`.

What an option takes follows from the field that it sets (`spec.engine_flags`); here stands only
how an engine spells it. An option that two engines share is one option, for the engine asked for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from pydantic import ValidationError

from workbench.library.refusal import refusal
from workbench.spec.engine import ENGINE_CLASSES, ENGINE_NAMES
from workbench.spec.engine_flags import DEFAULT, Flag, flags_of
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS, parse_quantity
from workbench.spec.scenario import Scenario

_SPELLED: Final[Mapping[str, Mapping[str, str]]] = {
    "sglang": {
        "--context-length": "max_model_len",
        "--max-running-requests": "max_num_seqs",
        "--page-size": "block_tokens",
        "--mamba-ssm-dtype": "mamba_state_dtype",
        "--speculative-num-steps": "speculative_steps",
        "--speculative-eagle-topk": "speculative_topk",
        "--speculative-num-draft-tokens": "speculative_tokens",
    },
    "trtllm": {
        "--max-seq-len": "max_model_len",
        "--max-batch-size": "max_num_seqs",
        "--max-num-tokens": "max_num_batched_tokens",
        "--tokens-per-block": "block_tokens",
        "--max-tokens": "kv_cache_max_tokens",
        "--kv-cache-free-gpu-memory-fraction": "free_gpu_memory_fraction",
        "--enable-block-reuse": "enable_prefix_caching",
        "--host-cache-size": "host_cache_bytes",
    },
    "llamacpp": {
        "-c": "ctx_size",
        "-np": "parallel",
        "-kvu": "kv_unified",
        "-b": "batch_size",
        "-ub": "ubatch_size",
        "-ngl": "gpu_layers",
        "--n-gpu-layers": "gpu_layers",
        "-ncmoe": "cpu_moe_layers",
        "--n-cpu-moe": "cpu_moe_layers",
        "-sm": "split_mode",
        "-ts": "tensor_split",
        "-fa": "flash_attention",
        "--flash-attn": "flash_attention",
        "-ctk": "cache_type_k",
        "-ctv": "cache_type_v",
        "-fitt": "fit_margin_bytes",
        "-fitc": "fit_context_tokens",
    },
    "lmdeploy": {
        "--session-len": "max_model_len",
        "--max-batch-size": "max_num_seqs",
        "--cache-block-seq-len": "block_tokens",
    },
}
"""Options by the engine's own name where it is not the field's."""
_NEGATIVE: Final[Mapping[str, str]] = {"-nkvo": "--kv-offload"}
"""Short switches that turn something off, and the option that turns it on."""
_WORDS: Final[Mapping[tuple[str, str], str]] = {("gpu_layers", "all"): "100000"}
"""Values that an engine has a word for, by flag."""
_PLAINLY: Final = frozenset(
    {"max_model_len", "max_num_seqs", "max_num_batched_tokens", "block_tokens", "weights_bytes"}
)
"""Fields that have options of their own for every engine."""


def taken(arguments: Sequence[str], own: Collection[str]) -> tuple[list[str], dict[str, str]]:
    """Return the arguments without the engines' options, and those with their texts.

    `own` are the verb's own options, which come first. As the engines' own command lines have it,
    a switch may stand alone or after `--no-`, and `_` in an option is `-`. Raises `UserError` for
    an option that lacks its value.
    """
    options = [(option, flag) for option, _, flag in _options() if option not in own]
    known = {option for option, _ in options}
    switches = {option for option, flag in options if "on" in flag.values}
    left: list[str] = []
    found: dict[str, str] = {}
    waiting = deque(arguments)
    while waiting:
        argument = waiting.popleft()
        option, equals, text = argument.partition("=")
        if option.startswith("--"):
            option = option.replace("_", "-")
        without = f"--{option.removeprefix('--no-')}"
        if option in known:
            alone = not equals and option in switches and _is_next_option(waiting)
            if not (equals or alone or waiting):
                raise UserError("option_needs_a_value", option=option)
            found[option] = text if equals else "on" if alone else waiting.popleft()
        elif option in _NEGATIVE and option not in own:
            found[_NEGATIVE[option]] = "off"
        elif without in switches and option not in own and not equals:
            found[without] = "off"
        else:
            left.append(f"{option}{equals}{text}" if option in own else argument)
    return left, found


def _is_next_option(waiting: Sequence[str]) -> bool:
    """Whether nothing follows that a switch could take as its value."""
    return not waiting or waiting[0].startswith("-") or waiting[0].endswith(".kvw")


def epilog(own: Collection[str]) -> str:
    """Return the engines' options in a sentence each, for the verb's help."""
    by_kind: dict[str, list[str]] = {}
    for option, kind, _ in _options():
        if option not in own:
            by_kind.setdefault(kind, []).append(option)
    return "\n\n".join(
        f"{ENGINE_NAMES[kind]}: {' '.join(dict.fromkeys(options))}"
        for kind, options in by_kind.items()
    )


def with_options(scenario: Scenario, options: Mapping[str, str]) -> Scenario:
    """Set flags of the scenario's engine by its own options; raises `UserError`."""
    kind = scenario.engine.kind
    known = {option: flag for option, engine, flag in _options() if engine == kind}
    for option, text in options.items():
        if option not in known:
            raise UserError("option_of_another_engine", option=option, engine=kind)
        scenario = _with_option(scenario, known[option], option, text)
    return scenario


def _options() -> Iterator[tuple[str, str, Flag]]:
    """Every option with the engine and the flag it sets."""
    for kind, engine_class in ENGINE_CLASSES.items():
        if kind in ("plain", "vllm"):
            continue
        spelled = _SPELLED.get(kind, {})
        flags = {flag.name: flag for flag in flags_of(engine_class)}
        for option, name in spelled.items():
            if name in flags:
                yield option, kind, flags[name]
        for name, flag in flags.items():
            if name not in _PLAINLY:
                yield f"--{name.replace('_', '-')}", kind, flag


def _with_option(scenario: Scenario, flag: Flag, option: str, text: str) -> Scenario:
    if flag.optional and text.lower() == "auto" and "auto" not in flag.values:
        text = DEFAULT if flag.kind == "choice" else ""
    text = _WORDS.get((flag.name, text.lower()), text)
    if flag.is_quantity:
        field = FIELDS[flag.id]
        try:
            return field.write(scenario, field.parse(text, field.read(scenario)))
        except ValidationError as error:
            raise refusal(error, {}, option) from None
        except UserError as error:
            raise UserError("option_value", option=option, reason=error) from None
    try:
        changed = scenario.engine.with_(**{flag.name: _value(flag, option, text)})
        return scenario.with_(engine=changed)
    except ValidationError as error:
        raise refusal(error, {}, option) from None


def _value(flag: Flag, option: str, text: str) -> object:
    if flag.kind == "list":
        return tuple(
            parse_quantity(flag.element, part) for part in text.replace(",", " ").split()[:1_000]
        )
    if flag.kind == "choice":
        codes = {code.lower(): value for code, value in flag.values.items()}
        codes |= {"1": codes["on"], "0": codes["off"]} if "on" in codes else {}
        codes |= {"true": codes["on"], "false": codes["off"]} if "on" in codes else {}
        if text.lower() not in codes:
            accepted = ", ".join(flag.values)
            raise UserError("choice_unknown", text=text, option=option, accepted=accepted)
        return codes[text.lower()]
    return text
