"""Workspace of vLLM's fused experts: two buffers of every token's routed rows.

    e · (max(R·max(I, H), T·H) + R·max(2·I, H))      R = T · k rows of routed tokens

The widths are those of a rank (expert parallelism keeps I whole). Triton, Marlin and CUTLASS
kernels ask for the same two sizes; DeepGEMM (weights in blocks of fp8) pads the rows of each
expert to 128; the MXFP4 kernels have none. Up to 0.16 the experts ran over at most 32,768
tokens at a time; V0 held three buffers, R · (2·I + I + H).
Source: vLLM `fused_moe/*.py:workspace_shapes` as read in 0.19.1.
"""

from __future__ import annotations

from workbench.core.engines.vllm.estimate import computed, given
from workbench.core.engines.vllm.shape import Experts, ProfileRun, StageShape
from workbench.spec.ledger import Formula, Source, Term
from workbench.spec.vllm_fits import ActivationFit

_ROW_ALIGNMENT = 128


def workspace(fit: ActivationFit, shape: StageShape, run: ProfileRun) -> Term | None:
    """Return the bytes of the workspace with their formula, or None without one."""
    experts = shape.experts
    weight_format = run.weight_format.replace("-", "_")
    if experts is None or weight_format.startswith("mxfp4"):
        return None
    tokens = run.max_num_batched_tokens
    if fit.expert_workspace == "chunked":
        tokens = min(tokens, fit.expert_chunk_tokens)
    on_rank = experts.intermediate_size if run.ep > 1 else -(-experts.intermediate_size // run.tp)
    rows = tokens * experts.per_token
    expression = "{expert_tokens} × {experts_per_token}"
    pads = weight_format.startswith("fp8_block") and fit.expert_workspace != "separate"
    if pads:
        rows = -(-(rows + experts.count * (_ROW_ALIGNMENT - 1)) // _ROW_ALIGNMENT) * _ROW_ALIGNMENT
        expression = f"⌈({expression} + {{experts}} × 127) ÷ 128⌉ × 128"
    model = Source("model", shape.model)
    tokens_term = given("expert_tokens", tokens, Source("profile_run"), unit="tokens")
    rows_terms = [tokens_term, given("experts_per_token", experts.per_token, model)]
    if pads:
        rows_terms.append(given("experts", experts.count, model))
    terms: tuple[Term, ...] = (
        given("element_bytes", run.element_bytes, Source("activation_dtype")),
        computed("routed_rows", rows, Formula(expression, tuple(rows_terms)), model, "count"),
        _width_on_rank(experts, run, on_rank, model),
        given("expert_input", experts.input_size, model),
    )
    hidden = experts.input_size
    if fit.expert_workspace == "separate":
        size = run.element_bytes * rows * (3 * on_rank + hidden)
        expression = "{element_bytes} × {routed_rows} × (3 × {expert_width} + {expert_input})"
    else:
        first = max(rows * max(on_rank, hidden), tokens * hidden)
        size = run.element_bytes * (first + rows * max(2 * on_rank, hidden))
        expression = (
            "{element_bytes} × (max({routed_rows} × max({expert_width}, {expert_input}), "
            "{expert_tokens} × {expert_input}) + {routed_rows} × max(2 × {expert_width}, "
            "{expert_input}))"
        )
        terms = (*terms, tokens_term)
    source = Source("profile_run")
    return computed("expert_workspace", size, Formula(expression, terms), source, "bytes")


def _width_on_rank(experts: Experts, run: ProfileRun, on_rank: int, model: Source) -> Term:
    if run.ep > 1 or run.tp == 1:
        return given("expert_width", on_rank, model)
    formula = Formula(
        "⌈{expert_intermediate_size} ÷ {tp}⌉",
        (
            given("expert_intermediate_size", experts.intermediate_size, model),
            given("tp", run.tp, Source("typed"), "deployment.tp"),
        ),
    )
    return computed("expert_width", on_rank, formula, model, "count")
