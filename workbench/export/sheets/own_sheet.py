"""A sheet that takes our formulas as they are, and tells when it has been packed."""

from __future__ import annotations

from collections.abc import Callable

from xlsxwriter.worksheet import Worksheet


def _nobody() -> None:
    """Nobody waits for it."""


class OwnSheet(Worksheet):  # type: ignore[misc]
    """What the library does to formulas of people is not done: ours call five old functions.

    It would try thirty patterns on each formula, and change the names of sheets that look like
    the call of a newer function.
    """

    packed: Callable[[], None] = staticmethod(_nobody)
    """Called when its part of the file is made."""

    def _prepare_formula(self, formula: str, expand_future_functions: bool = False) -> str:
        return formula.removeprefix("=")

    def _assemble_xml_file(self) -> None:
        super()._assemble_xml_file()
        self.packed()
