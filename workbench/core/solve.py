"""Small solvers by trial over the ledger itself: each answer is tried, and so is one past it.

A rule of an engine is not always monotone: blocks are aligned, lengths refused, heads must be
divided. So nothing is derived from a formula. The search starts at the ledger's own figure, ends
at a number that fits whose neighbour does not, and looks once more beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, TypeVar

from pydantic import ValidationError

from workbench.core.load.lengths import sized_tokens
from workbench.core.memory.shares import parallelism_fault
from workbench.spec.deployment import MAX_RANKS
from workbench.spec.formats import WeightFormat
from workbench.spec.ledger import Ledger, Status
from workbench.spec.scenario import Scenario
from workbench.spec.workload import ConstantLength, LengthDistribution

LedgerOf = Callable[[Scenario], Ledger]
Found = TypeVar("Found")
Search = Generator[None, None, Found]
"""A search that stops before each trial, for whoever has other things to do in between."""
Goal = Literal["concurrency", "context", "tp"]
FITTING = (Status.FITS, Status.TIGHT)
LARGEST_TP_TRIED = 64
_WHOLE_K_FROM_TOKENS: Final = 8192
_WHOLE_K_TOKENS: Final = 1024
MOST_REQUESTS_TRIED: Final = 2**40
LONGEST_TRIED: Final = 2**40
_MOST_TRIALS: Final = 120
"""Ledgers that a search may ask for; one that is monotone takes a few."""


@dataclass(frozen=True, slots=True)
class Verified:
    """The verdicts that prove an answer; None where there was nothing to try."""

    answer: Status | None
    next: Status | None
    """One request or token more; of a smallest TP the largest tried below it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The largest or smallest value at which a scenario fits."""

    goal: Goal
    answer: int | None
    """Requests in the whole scenario; tokens of the longest request; TP. None: see `binding`."""
    binding: str
    """What stops the next step: a verdict's binding, "max_num_seqs" for the scheduler's limit,
    "none" where nothing was met as far as was tried."""
    verified: Verified
    steps: int
    """Ledgers that were asked for."""
    scenario: Scenario | None
    """The scenario at the answer; None without one."""
    scaled: Fraction | None = None
    """Of a context the factor on every length of a table or trace; None for a constant length."""

    @classmethod
    def not_sought(cls, goal: Goal) -> Answer:
        """An answer that nobody asked for."""
        return cls(goal, None, "none", Verified(None, None), 0, None)


def finished(search: Search[Found]) -> Found:
    """Search to the end without a stop and return what is found."""
    while True:
        try:
            next(search)
        except StopIteration as end:
            found: Found = end.value
            return found


# Requests


def max_concurrency(scenario: Scenario, ledger_of: LedgerOf) -> Answer:
    """Return what `search_concurrency` finds."""
    return finished(search_concurrency(scenario, ledger_of))


def search_concurrency(scenario: Scenario, ledger_of: LedgerOf) -> Search[Answer]:
    """Most requests of the scenario's own length that fit, in the whole scenario.

    The concurrency is what changes. Where no number fits with the reserve kept, the largest is
    taken that is tight. More than the scheduler runs at once does not count.
    """

    def at(requests: int) -> Scenario:
        return scenario.with_(workload=scenario.workload.with_(concurrency=requests))

    ledger = ledger_of(scenario)
    steady = largest_concurrency(ledger, scenario.workload.sizing)
    trials = _Trials("concurrency", at, ledger_of)
    guesses = (ledger.most_requests, steady)
    return (yield from trials.largest(guesses, highest=MOST_REQUESTS_TRIED))


# Length


def max_context(scenario: Scenario, ledger_of: LedgerOf) -> Answer:
    """Return what `search_context` finds."""
    return finished(search_context(scenario, ledger_of))


def search_context(scenario: Scenario, ledger_of: LedgerOf) -> Search[Answer]:
    """Longest request that fits at the concurrency set; at one request where none is.

    A constant length is what changes. Of a table or trace every length is multiplied by the same
    factor, and the answer is the longest of them: quantiles and mean keep their proportions.
    """
    lengths = scenario.workload.lengths
    longest = sized_tokens(lengths, "max")
    trials = _Trials("context", lambda tokens: with_longest(scenario, tokens), ledger_of)
    first = _length_guess(scenario, ledger_of(scenario), longest)
    second = None if first is None else _length_guess(scenario, trials.ledger(first), first)
    found = yield from trials.largest((second, first, longest), highest=LONGEST_TRIED)
    if found.answer is None or isinstance(lengths, ConstantLength):
        return found
    return trials.answer(found.answer, found.binding, scaled=Fraction(found.answer, longest))


def told_context(tokens: int) -> int:
    """Return a longest context as it is told and offered: whole k from 8k on, rounded down."""
    return tokens if tokens < _WHOLE_K_FROM_TOKENS else tokens - tokens % _WHOLE_K_TOKENS


def with_longest(scenario: Scenario, tokens: int) -> Scenario:
    """The scenario with its longest request of so many tokens, all others in proportion."""
    lengths = scaled_lengths(scenario.workload.lengths, tokens)
    return scenario.with_(workload=scenario.workload.with_(lengths=lengths))


def scaled_lengths(lengths: LengthDistribution, longest: int) -> LengthDistribution:
    """Lengths with another longest one; the others keep their share of it, a token at least."""
    if isinstance(lengths, ConstantLength):
        return ConstantLength(tokens=longest)
    before = lengths.points[-1].tokens
    points = tuple(
        point.with_(tokens=max(1, point.tokens * longest // before)) for point in lengths.points
    )
    if lengths.kind == "trace":
        mean = max(1.0, min(lengths.mean_tokens * longest / before, float(longest)))
        return lengths.with_(points=points, mean_tokens=mean)
    return lengths.with_(points=points)


def _length_guess(scenario: Scenario, ledger: Ledger | None, longest: int) -> int | None:
    """The length at which the requests drawn would fill the pool, if it scales."""
    if ledger is None or ledger.request is None or ledger.pool is None or not ledger.request.blocks:
        return None
    request, pool = ledger.request, ledger.pool
    drawn = ledger.concurrency if ledger.capacity.target is not None else 1
    blocks = pool.blocks - -(-scenario.headroom_bytes // pool.bytes_per_block)
    filled = longest * (blocks // max(1, drawn)) // request.blocks
    accepted = ledger.scenario.resolved.get("max_model_len")
    if isinstance(accepted, int) and accepted > 0:
        filled = min(filled, accepted)
    return min(max(1, filled), LONGEST_TRIED)


# Tensor parallelism


def next_tp(scenario: Scenario, ledger_of: LedgerOf) -> Answer:
    """The smallest tensor parallelism above the present one at which it fits."""
    return _first_tp(scenario, ledger_of, tps(scenario, above=scenario.deployment.tp))


def smallest_tp(scenario: Scenario, ledger_of: LedgerOf) -> Answer:
    """The smallest tensor parallelism at which it fits, the present one among those tried."""
    return _first_tp(scenario, ledger_of, tps(scenario, above=0))


def _first_tp(scenario: Scenario, ledger_of: LedgerOf, tried: tuple[int, ...]) -> Answer:
    """Try every layout in turn: one that fits says nothing about the others."""
    trials = _Trials("tp", lambda tp: with_tp(scenario, tp), ledger_of)
    binding, before = "parallelism", None
    for tp in tried:
        status = trials.status(tp)
        if status in FITTING:
            return trials.answer(tp, binding, past=before)
        if status is not None:
            binding, before = trials.binding(tp), status
    return trials.answer(None, binding, past=before)


def tps(scenario: Scenario, above: int) -> tuple[int, ...]:
    """Doublings, of one and of the present TP, that the model's heads can be divided by."""
    present = scenario.deployment.tp
    found = {present * 2**n for n in range(7)} | {2**n for n in range(7)}
    limit = max(present, LARGEST_TP_TRIED)
    return tuple(
        tp
        for tp in sorted(found)
        if above < tp <= limit and tp * scenario.deployment.pp <= MAX_RANKS
        if parallelism_fault(scenario.model, scenario.deployment.with_(tp=tp)) is None
    )


def with_tp(scenario: Scenario, tp: int) -> Scenario:
    """The scenario with another TP; experts spread over all ranks stay so."""
    old = scenario.deployment
    spread = old.ep > 1 and old.ep == old.tp * old.dp
    ep = tp * old.dp if spread else old.ep
    return scenario.with_(deployment=old.with_(tp=tp, ep=ep))


def smallest_tp_that_fits(scenario: Scenario, ledger_of: LedgerOf) -> int | None:
    """Smallest tensor parallelism above the present one, by doubling, at which it fits."""
    return next_tp(scenario, ledger_of).answer


def fits_in_eight_bits(scenario: Scenario, ledger_of: LedgerOf) -> bool:
    """Whether it fits once the quantised matrices take 8 bits."""
    now = scenario.precision.weights
    if now.bits <= 8 or not scenario.model.has_weights or scenario.engine.weights_bytes is not None:
        return False
    eight = WeightFormat(id="eight-bits", name="8 bits", bits=8, tensor_scale_bytes=4)
    trial = scenario.with_(precision=scenario.precision.with_(weights=eight))
    return ledger_of(trial).verdict.status in FITTING


def largest_concurrency(ledger: Ledger, sizing: str) -> int | None:
    """Requests of the drawn length that the whole scenario holds, None without a pool."""
    steady = ledger.capacity.steady_state
    return None if steady is None else int(getattr(steady, sizing))


# The search

_Fits = Callable[[int], Search[bool]]


class _Trials:
    """Ledgers asked for, by the number tried."""

    def __init__(self, goal: Goal, at: Callable[[int], Scenario], ledger_of: LedgerOf) -> None:
        self._goal = goal
        self._at = at
        self._ledger_of = ledger_of
        self._known: dict[int, Ledger | None] = {}

    def ledger(self, number: int) -> Ledger | None:
        """The ledger at a number; None where no such scenario exists."""
        if number not in self._known:
            try:
                self._known[number] = self._ledger_of(self._at(number))
            except ValidationError:
                self._known[number] = None
        return self._known[number]

    def status(self, number: int) -> Status | None:
        """The verdict at a number."""
        ledger = self.ledger(number)
        return None if ledger is None else ledger.verdict.status

    def binding(self, number: int) -> str:
        """What keeps a number from being the answer."""
        ledger = self.ledger(number)
        if ledger is None:
            return "none"
        if ledger.verdict.status in FITTING and not _runs_at_once(ledger):
            return "max_num_seqs"
        return ledger.verdict.binding

    def largest(self, guesses: tuple[int | None, ...], highest: int) -> Search[Answer]:
        """The largest number that fits; the largest that is tight where none fits."""
        tried = tuple(min(max(1, guess), highest) for guess in guesses if guess is not None)
        for accepted in ((Status.FITS,), FITTING):
            found = yield from self._largest(tried or (1,), highest, accepted)
            if found is not None:
                stopped = found < highest
                return self.answer(found, self.binding(found + 1) if stopped else "none")
        return self.answer(None, self.binding(1), past=self.status(1))

    def answer(
        self,
        number: int | None,
        binding: str,
        *,
        past: Status | None = None,
        scaled: Fraction | None = None,
    ) -> Answer:
        """An answer with the verdicts that prove it."""
        if number is None:
            return Answer(
                self._goal, None, binding, Verified(None, past), len(self._known), None, scaled
            )
        if past is None and self._goal != "tp":
            past = self.status(number + 1) if number + 1 in self._known else None
        verified = Verified(self.status(number), past)
        steps = len(self._known)
        return Answer(self._goal, number, binding, verified, steps, self._at(number), scaled)

    def _largest(
        self, guesses: tuple[int, ...], highest: int, accepted: tuple[Status, ...]
    ) -> Search[int | None]:
        def fits(number: int) -> Search[bool]:
            yield
            ledger = self.ledger(number)
            if ledger is None or ledger.verdict.status not in accepted:
                return False
            return _runs_at_once(ledger)

        start = yield from _first(fits, guesses)
        if start is not None:
            found = yield from self._up(fits, start, highest)
        elif (yield from fits(1)):
            found = yield from self._down(fits, min(guesses))
        else:
            start = yield from _first(fits, _below(max(guesses)))
            if start is None:
                return None
            found = yield from self._up(fits, start, highest)
        while found < highest and len(self._known) < _MOST_TRIALS:
            farther = yield from _first(fits, _beyond(found, highest))
            if farther is None:
                break
            found = yield from self._up(fits, farther, highest)
        return found

    def _up(self, fits: _Fits, good: int, highest: int) -> Search[int]:
        """An edge above a number that fits: the number before the first that does not."""
        stride = 1
        while good < highest:
            bad = min(good + stride, highest)
            if not (yield from fits(bad)):
                return (yield from self._between(fits, good, bad))
            good, stride = bad, stride * _FASTER
        return good

    def _down(self, fits: _Fits, bad: int) -> Search[int]:
        """An edge below a number that does not fit; 1 does."""
        stride = 1
        while bad > 1:
            good = max(bad - stride, 1)
            if (yield from fits(good)):
                return (yield from self._between(fits, good, bad))
            bad, stride = good, stride * _FASTER
        return bad

    def _between(self, fits: _Fits, good: int, bad: int) -> Search[int]:
        while bad - good > 1:
            middle = (good + bad) // 2
            good, bad = (middle, bad) if (yield from fits(middle)) else (good, middle)
        return good


def _first(fits: _Fits, numbers: Iterable[int]) -> Search[int | None]:
    for number in numbers:
        if (yield from fits(number)):
            return number
    return None


def _runs_at_once(ledger: Ledger) -> bool:
    """Whether the scheduler runs as many requests at once as are asked for."""
    target = ledger.capacity.target
    if target is not None:
        return target.met
    limit = ledger.scenario.resolved.get("max_num_seqs")
    if ledger.pool is not None or not isinstance(limit, int):
        return True
    return ledger.concurrency <= limit


_FASTER: Final = 8
"""By how much each stride of a search is longer than the last."""


def _beyond(number: int, highest: int) -> Iterator[int]:
    """A few numbers past an edge at which a rule that is not monotone may fit again."""
    for farther in (number + 16, number * 2, number * 4):
        if farther <= highest:
            yield farther


def _below(number: int) -> Iterator[int]:
    """Numbers at which a rule that refuses small ones may still fit."""
    for divisor in (3, 5, 7, 12, 24, 48):
        if number // divisor > 1:
            yield number // divisor
