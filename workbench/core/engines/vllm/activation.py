"""Peak of the activations that vLLM measures in its profile run, less what stays allocated.

    peak = max(sampler, forward) + expert workspace + stage buffers + encoder outputs

    sampler  b · S' · V + c · T · H · e + fixed      S' = min(S, T); V padded to 64; whole on
                                                     every rank, so tp does not help
    forward  e · T · (i · I + h · H)                 I is the rank's part; layers of routed
                                                     experts alone have their workspace instead
    experts  e · (max(T·k·max(I, H), T·H) + T·k·max(2·I, H))

All terms in bytes; T = max_num_batched_tokens, S = max_num_seqs, e = bytes of an activation,
k = experts per token. b, c, i and h are fitted by release (`presets/engines/vllm-memory.json`).
Source: vLLM `v1/worker/gpu_model_runner.py:profile_run`, `v1/sample/sampler.py` and
`fused_moe/modular_kernel.py` as read in 0.19.1 and 0.33.0, fitted to published start-up logs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from workbench.core.engines.vllm.estimate import (
    Estimate,
    computed,
    estimate,
    exact,
    fitted,
    floored,
    given,
)
from workbench.core.engines.vllm.experts import workspace
from workbench.core.engines.vllm.shape import ProfileRun, StageShape
from workbench.spec.ledger import Evidence, Formula, Source, Term
from workbench.spec.vllm_fits import ActivationFit, Runner, Spread, VllmFits

_VOCABULARY_PADDING = 64
"""vLLM `DEFAULT_VOCAB_PADDING_SIZE`."""
_TYPED = Source("typed")


def activation_peak(fits: VllmFits, shape: StageShape, run: ProfileRun) -> Estimate | None:
    """Return the peak of a stage's profile run, or None when the release has no model for it.

    The band is what the sampler's coefficient gives at its own limits, widened by the residuals
    of the fit.
    """
    fit = fit_of(fits, run.runner)
    if fit is None:
        return None
    spread = _spread(fit, shape, run)
    total = _Sum()
    forward = _forward(fit, shape, run, spread)
    low_bytes = high_bytes = 0
    if shape.is_last and not run.pooling:
        forward_bytes = _bytes(forward)
        sampler = _sampler(fit, shape, run, spread)
        total.bytes = max(_bytes(sampler), forward_bytes)
        total.parts.append("max({sampler_peak}, {forward_peak})")
        total.terms += [sampler, forward]
        if fit.low_logit_bytes < fit.high_logit_bytes:
            least = _sampler_bytes(fit, shape, run, fit.low_logit_bytes)
            most = _sampler_bytes(fit, shape, run, fit.high_logit_bytes)
            low_bytes = max(least, forward_bytes) - total.bytes
            high_bytes = max(most, forward_bytes) - total.bytes
    else:
        total.add(forward)
    if fit.expert_workspace == "kept" and (kept := workspace(fit, shape, run)) is not None:
        total.add(kept)
    if not shape.alone:
        total.add(_stage_buffers(fit, shape, run, spread))
    if shape.encoder and run.multimodal:
        total.add(_encoder_outputs(fit, shape, run, spread))
    return estimate(
        total.bytes,
        total.formula,
        spread,
        low_bytes=total.bytes + low_bytes,
        high_bytes=total.bytes + high_bytes,
    )


def fit_of(fits: VllmFits, runner: Runner) -> ActivationFit | None:
    """Figures of a runner; those of the release's only one where it has no other."""
    for fit in fits.activation:
        if fit.runner == runner:
            return fit
    return fits.activation[0] if len(fits.activation) == 1 else None


def padded_vocabulary(vocab_size: int) -> int:
    """Logits of a token on every rank."""
    return -(-vocab_size // _VOCABULARY_PADDING) * _VOCABULARY_PADDING


def _spread(fit: ActivationFit, shape: StageShape, run: ProfileRun) -> Spread:
    return fit.vision if shape.encoder and run.multimodal else fit.text


@dataclass(slots=True)
class _Sum:
    """A formula in the making."""

    bytes: int = 0
    parts: list[str] = field(default_factory=list)
    terms: list[Term] = field(default_factory=list)

    @property
    def formula(self) -> Formula:
        return Formula(" + ".join(self.parts) or "0", tuple(self.terms))

    def add(self, term: Term) -> None:
        self.bytes += _bytes(term)
        self.parts.append(f"{{{term.symbol}}}")
        self.terms.append(term)


def _bytes(term: Term) -> int:
    assert isinstance(term.value, int)
    return term.value


def _sampler_bytes(
    fit: ActivationFit, shape: StageShape, run: ProfileRun, logit_bytes: float
) -> int:
    rows = min(run.max_num_seqs, run.max_num_batched_tokens)
    hidden = run.max_num_batched_tokens * shape.hidden_size * run.element_bytes
    return floored(
        _each_logit(fit, run, logit_bytes) * (rows * padded_vocabulary(shape.vocab_size))
        + exact(fit.sampler_hiddens) * hidden
        + fit.sampler_fixed_bytes
    )


def _each_logit(fit: ActivationFit, run: ProfileRun, logit_bytes: float) -> Fraction:
    wide = run.element_bytes == 4
    return exact(logit_bytes) + exact(fit.wide_logit_bytes) if wide else exact(logit_bytes)


def _sampler(fit: ActivationFit, shape: StageShape, run: ProfileRun, spread: Spread) -> Term:
    """Logits, their sorted copies and the hidden states that live meanwhile."""
    each = float(_each_logit(fit, run, fit.logit_bytes))
    size = _sampler_bytes(fit, shape, run, fit.logit_bytes)
    rows = min(run.max_num_seqs, run.max_num_batched_tokens)
    vocabulary = padded_vocabulary(shape.vocab_size)
    model = Source("model", shape.model)
    rows_term = computed(
        "sampled_rows",
        rows,
        Formula(
            "min({max_num_seqs}, {max_num_batched_tokens})",
            (
                given("max_num_seqs", run.max_num_seqs, _TYPED, "engine.max_num_seqs"),
                _tokens(run),
            ),
        ),
        _TYPED,
        "count",
    )
    vocabulary_term = computed(
        "padded_vocab",
        vocabulary,
        Formula("⌈{vocab_size} ÷ 64⌉ × 64", (given("vocab_size", shape.vocab_size, model),)),
        model,
        "count",
    )
    formula = Formula(
        "⌊{logit_bytes} × {sampled_rows} × {padded_vocab} + {sampler_hiddens} × "
        "{max_num_batched_tokens} × {hidden_size} × {element_bytes} + {sampler_fixed_bytes}⌋",
        (
            fitted("logit_bytes", each, spread),
            rows_term,
            vocabulary_term,
            fitted("sampler_hiddens", fit.sampler_hiddens, spread),
            *_hidden(shape, run),
            fitted("sampler_fixed_bytes", fit.sampler_fixed_bytes, spread, "bytes"),
        ),
    )
    return _part("sampler_peak", size, formula, spread)


def _forward(fit: ActivationFit, shape: StageShape, run: ProfileRun, spread: Spread) -> Term:
    """The widest moment of a layer: gate and up, their product, and the hidden states."""
    hiddens = exact(fit.forward_hiddens)
    if run.tp > 1:
        hiddens += exact(fit.split_hiddens)
    on_rank = -(-shape.intermediate_size // run.tp)
    tokens, width = run.max_num_batched_tokens, run.element_bytes
    inside = exact(fit.forward_intermediates) * on_rank + hiddens * shape.hidden_size
    int8 = _int8_bytes(fit, run)
    size = floored(width * tokens * inside + int8 * tokens * on_rank)
    model = Source("model", shape.model)
    on_rank_term = computed(
        "intermediate_on_rank",
        on_rank,
        Formula(
            "⌈{intermediate_size} ÷ {tp}⌉",
            (
                given("intermediate_size", shape.intermediate_size, model),
                given("tp", run.tp, _TYPED, "deployment.tp"),
            ),
        ),
        model,
        "count",
    )
    expression = (
        "{element_bytes} × {max_num_batched_tokens} × ({forward_intermediates} × "
        "{intermediate_on_rank} + {forward_hiddens} × {hidden_size})"
    )
    terms = [
        *_hidden(shape, run),
        fitted("forward_intermediates", fit.forward_intermediates, spread),
        on_rank_term,
        fitted("forward_hiddens", float(hiddens), spread),
    ]
    if int8:
        expression += " + {int8_bytes} × {max_num_batched_tokens} × {intermediate_on_rank}"
        terms.append(fitted("int8_bytes", fit.int8_intermediates, spread))
    experts = None if fit.expert_workspace == "kept" else workspace(fit, shape, run)
    if experts is None:
        return _part("forward_peak", size, Formula(f"⌊{expression}⌋", tuple(terms)), spread)
    beside = floored(hiddens * width * tokens * shape.hidden_size)
    expression = (
        f"max(⌊{expression}⌋, ⌊{{forward_hiddens}} × {{element_bytes}} × "
        "{max_num_batched_tokens} × {hidden_size}⌋ + {expert_workspace})"
    )
    terms.append(experts)
    size = max(size, beside + _bytes(experts))
    return _part("forward_peak", size, Formula(expression, tuple(terms)), spread)


def _int8_bytes(fit: ActivationFit, run: ProfileRun) -> Fraction:
    """Activations in 8-bit integers are a copy beside the 16-bit ones; in fp8 they are fused."""
    quantised = run.weight_format.replace("-", "_").startswith("int8")
    return exact(fit.int8_intermediates) if quantised else Fraction(0)


def _stage_buffers(fit: ActivationFit, shape: StageShape, run: ProfileRun, spread: Spread) -> Term:
    """Hidden states and residuals that one stage hands to the next."""
    hidden = run.max_num_batched_tokens * shape.hidden_size * run.element_bytes
    formula = Formula(
        "⌊{stage_hiddens} × {max_num_batched_tokens} × {hidden_size} × {element_bytes}⌋",
        (fitted("stage_hiddens", fit.stage_hiddens, spread), *_hidden(shape, run)),
    )
    return _part("stage_buffers", floored(exact(fit.stage_hiddens) * hidden), formula, spread)


def _encoder_outputs(
    fit: ActivationFit, shape: StageShape, run: ProfileRun, spread: Spread
) -> Term:
    """Outputs of a tower that fill the token budget, with the pixels they were made from.

    The profile keeps both until its end (`v1/worker/gpu_model_runner.py:profile_run`).
    """
    each = exact(fit.encoder_pixels) + shape.hidden_size
    size = floored(run.max_num_batched_tokens * each * run.element_bytes)
    formula = Formula(
        "⌊{max_num_batched_tokens} × ({hidden_size} + {encoder_pixels}) × {element_bytes}⌋",
        (*_hidden(shape, run), fitted("encoder_pixels", fit.encoder_pixels, spread)),
    )
    return _part("encoder_outputs", size, formula, spread)


def _part(symbol: str, size: int, formula: Formula, spread: Spread) -> Term:
    evidence = Evidence(spread.evidence)
    return Term(symbol, size, "bytes", evidence, Source("profile_run"), None, formula)


def _tokens(run: ProfileRun) -> Term:
    return given(
        "max_num_batched_tokens",
        run.max_num_batched_tokens,
        _TYPED,
        "engine.max_num_batched_tokens",
        "tokens",
    )


def _hidden(shape: StageShape, run: ProfileRun) -> tuple[Term, ...]:
    """T, H and e: the inputs of every T × H buffer."""
    return (
        _tokens(run),
        given("hidden_size", shape.hidden_size, Source("model", shape.model)),
        given("element_bytes", run.element_bytes, Source("activation_dtype")),
    )
