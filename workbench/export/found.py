"""What pictures and slides have found, in one sentence from the answers; a verdict's mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from workbench.charts.rows import SYMBOLS, cards_of
from workbench.core.compare import Column, parts_of
from workbench.core.waterfall import NOT_USED
from workbench.export.answer_rows import verdict_cell
from workbench.export.options import Language
from workbench.export.safe_text import safe_line
from workbench.export.short_names import step_name_for
from workbench.export.subject import Subject
from workbench.export.table import Cell
from workbench.export.wording import part_name
from workbench.spec import words
from workbench.spec.ledger import Ledger, Status
from workbench.spec.scenario import Scenario
from workbench.spec.words.slides import SLIDE_TITLES, SLIDE_WORDS

_NAME_CHARACTERS: Final = 40
Answered = tuple[Scenario, Ledger]


def name_of(scenario: Scenario) -> str:
    """Return the name of a scenario as a sentence has room for it."""
    return safe_line(scenario.name, _NAME_CHARACTERS)


def cards_text(scenario: Scenario, language: Language) -> str:
    """Return the cards that a scenario takes, a card without a maker's name in the language."""
    return safe_line(cards_of(scenario, language.words), _NAME_CHARACTERS)


def marked_verdict(ledger: Ledger, language: Language) -> Cell:
    """Return a verdict behind its mark."""
    cell = verdict_cell(ledger, language)
    return replace(cell, text=f"{SYMBOLS[ledger.verdict.shown]} {cell.text}")


class Found:
    """Says what was found, in a language."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def title(self, code: str, **params: object) -> str:
        """Say a sentence."""
        return words.fill(self.language.words(SLIDE_TITLES[code]), params)

    def name(self, scenario: Scenario, ledger: Ledger) -> str:
        """Name a scenario; beside its figures it says that the weights are left out."""
        name = name_of(scenario)
        if not words.is_doubted(ledger):
            return name
        return self.title("doubted", name=name, doubt=self.language.labels("without.weights"))

    def requests(self, count: int, tokens: int | None) -> str:
        """Say "55 requests of 32k tokens"."""
        code = "count" if tokens is None else "count_long"
        params = {"count": count, "context_tokens": tokens}
        return words.fill(self.language.words(SLIDE_WORDS[code]), params)

    def verdict(self, scenario: Scenario, ledger: Ledger) -> str:
        """Say the verdict of a scenario, of which model, on which cards."""
        params = {
            "name": name_of(scenario),
            "model": safe_line(scenario.model.name, _NAME_CHARACTERS),
            "gpus": cards_text(scenario, self.language),
            "verdict": self.verdict_alone(ledger),
        }
        if params["name"] == params["model"]:
            return self.title("single_not", **params)
        return words.fill(self.language.words(SLIDE_WORDS["verdict"]), params)

    def verdict_alone(self, ledger: Ledger) -> str:
        """Say a verdict in words."""
        return safe_line(words.verdict_text(ledger, self.language.words))

    def up_to(self, scenario: Scenario, ledger: Ledger) -> str:
        """Say how many requests a scenario holds at most; else its verdict."""
        if ledger.most_requests is None or ledger.request is None:
            return self.verdict(scenario, ledger)
        requests = self.requests(ledger.most_requests, ledger.request.tokens)
        return self.title("up_to", name=self.name(scenario, ledger), requests=requests)

    # Which fit

    def fitting(self, answered: Sequence[Answered]) -> str:
        """Say how many scenarios fit, and which one a person should look at."""
        if len(answered) == 1:
            return self._single(*answered[0])
        good = [one for one in answered if _is_good(one[1])]
        count, fit = len(answered), len(good)
        code = "all_fit" if fit == count else "some_fit" if fit else "none_fits"
        code += "_one" if code == "some_fit" and fit == 1 else ""
        said = self.title(code, count=count, fit=fit)
        doubted = sum(words.is_doubted(ledger) for _, ledger in good)
        if doubted:
            code = "unweighed_one" if doubted == fit == 1 else "unweighed"
            said = self.title(code, first=said, count=doubted)
        return self.title("joined", first=said, second=self.tightest(answered))

    def tightest(self, answered: Sequence[Answered]) -> str:
        """Say which scenario is over by most, else does not start, else has the least left."""
        scenario, ledger = min(answered, key=lambda one: _room(one[1]))
        rank, status = ledger.worst_rank, ledger.verdict.status
        name = self.name(scenario, ledger)
        if status is Status.REFUSES or (status is Status.DOES_NOT_FIT and not rank.over_bytes):
            return self.title("said_of", name=name, verdict=self.verdict_alone(ledger))
        if status is Status.DOES_NOT_FIT:
            return self.title("over", name=name, over_bytes=rank.over_bytes)
        if status is Status.TIGHT:
            return self.title("tight", name=name, left_bytes=max(0, rank.left_bytes))
        if ledger.verdict.near_limit:
            return self.title("near", name=name, free_bytes=max(0, rank.free_bytes))
        return self.title("least_room", name=name, free_bytes=max(0, rank.free_bytes))

    def _single(self, scenario: Scenario, ledger: Ledger) -> str:
        gpus = cards_text(scenario, self.language)
        parts = {n: size for n, size in parts_of(ledger.worst_rank).items() if n not in NOT_USED}
        tokens = None if ledger.request is None else ledger.request.tokens
        clear = words.shown_status(ledger) is Status.FITS
        if not clear or not parts or ledger.most_requests is None:
            model = safe_line(scenario.model.name, _NAME_CHARACTERS)
            verdict = self.verdict_alone(ledger)
            return self.title("single_not", model=model, gpus=gpus, verdict=verdict)
        part = max(parts, key=lambda name: parts[name])
        return self.title(
            "single",
            gpus=gpus,
            requests=self.requests(ledger.most_requests, tokens),
            part=part_name(part, self.language),
            part_share=_whole(Fraction(parts[part], max(1, ledger.worst_rank.total_bytes))),
        )

    # Comparisons

    def most(self, subject: Subject) -> str:
        """Say which scenario holds the most requests, beside the baseline."""
        columns = subject.comparison.columns
        base = columns[subject.baseline]
        best = max(columns, key=lambda one: (_held(one), one.is_baseline))
        if not _held(best):
            return self.fitting(subject.answered)
        if len({(_held(one), _tokens(one)) for one in columns}) == 1:
            return self.title("all_hold", requests=self._holds(best))
        other = base
        if best is base:
            other = max((one for one in columns if one is not base), key=_held)
        return self.title(
            "most",
            name=self.name(best.scenario, best.ledger),
            requests=self._holds(best),
            other=self.name(other.scenario, other.ledger),
            other_requests=self._holds(other),
        )

    def _holds(self, column: Column) -> str:
        return self.requests(_held(column), _tokens(column))

    def least_memory(self, subject: Subject) -> str:
        """Say which scenario takes the least of a card, beside the budget too."""
        columns = subject.quick_comparison.columns
        used = [column.taken_bytes("gpu") for column in columns]
        if len(set(used)) == 1:
            return self.title("all_use", used_bytes=used[0])
        base, least = subject.baseline, used.index(min(used))
        other = base
        if least == base:
            other = min((at for at in range(len(used)) if at != base), key=lambda at: used[at])
        return self.title(
            "least",
            name=self.name(columns[least].scenario, columns[least].ledger),
            used_bytes=used[least],
            other=self.name(columns[other].scenario, columns[other].ledger),
            other_bytes=used[other],
        )

    # Ways

    def way(self, subject: Subject, scenario: Scenario, *, of_memory: bool = False) -> str:
        """Say what moved the answer from the baseline to a scenario."""
        way = subject.way_to(scenario)
        moved = [
            step.used_delta_bytes if of_memory else step.concurrency_delta for step in way.steps
        ]
        total = sum(moved)
        if not total and not of_memory:
            return self.way(subject, scenario, of_memory=True)
        base = subject.plan.scenarios[subject.baseline]
        ends = {"name": scenario, "other": base}
        names = {code: self.name(one, subject.ledger_of(one)) for code, one in ends.items()}
        if len(way.steps) == 1:
            names = {"change": step_name_for(way.steps[0], self.language)}
        if not total:
            return self.title("nothing" if len(way.steps) == 1 else "way_same", **names)
        # The step that moves most in the direction of the whole.
        main = max(range(len(moved)), key=lambda at: moved[at] * total)
        names["change"] = step_name_for(way.steps[main], self.language)
        code = (
            ("needs" if total > 0 else "frees") if of_memory else "adds" if total > 0 else "takes"
        )
        if len(way.steps) > 1:
            code = {"adds": "way_more", "takes": "way_fewer"}.get(code, f"way_{code}")
        return self.title(
            code, **names, requests=self.requests(abs(total), None), moved_bytes=abs(total)
        )


def _is_good(ledger: Ledger) -> bool:
    return ledger.verdict.status in (Status.FITS, Status.TIGHT)


def _room(ledger: Ledger) -> tuple[int, int]:
    """Order answers: over the budget, no start, tight or near the limit, and by what is left."""
    rank, status = ledger.worst_rank, ledger.verdict.shown
    over = status is Status.DOES_NOT_FIT and rank.over_bytes
    order = 0 if over else {Status.FITS: 3, Status.TIGHT: 2}.get(status, 1)
    return order, rank.free_bytes if status is Status.FITS else rank.left_bytes


def _whole(share: Fraction) -> Fraction:
    return Fraction(round(share * 100), 100)


def _held(column: Column) -> int:
    return column.largest_concurrency.answer or 0


def _tokens(column: Column) -> int | None:
    return None if column.ledger.request is None else column.ledger.request.tokens
