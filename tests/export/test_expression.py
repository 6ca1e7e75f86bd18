"""Formulas of the ledger as a spreadsheet writes and counts them."""

from __future__ import annotations

import pytest

from workbench.export.sheets.expression import NotPlain, counted, live, read


def test_a_bent_decimal_is_set_right() -> None:
    values = {"a": 100, "b": 0.29}
    formula = live("⌊{a} × {b}⌋", values, str.upper, 29)
    assert formula == "INT(ROUND(A*B,3))"
    assert counted(read("⌊{a} × {b}⌋"), values, rounded=False) == 28
    assert live("⌊{a} × {b}⌋", values, str.upper, 27) is None


def test_order_of_operations_is_kept() -> None:
    def said(expression: str) -> str | None:
        values = {"a": 7, "b": 2, "c": 3}
        wanted = counted(read(expression), values, rounded=False)
        return live(expression, values, str.upper, wanted)

    assert said("{a} - ({b} - {c})") == "A-(B-C)"
    assert said("{a} × ({b} + {c}) ÷ {b}") == "A*(B+C)/B"
    assert said("{a} ÷ ({b} × {c})") == "A/(B*C)"
    assert said("max(0, {a} − {b}, ⌈{a} ÷ {b}⌉)") == "MAX(0,A-B,(-INT(-(A/B))))"
    assert said("1,024 × {a}") == "1024*A"


@pytest.mark.parametrize(
    "text", ["{a} ^ 2", "sqrt({a})", "({a}", "{a} {b}", "", "max({a}", "⌊{a}⌉"]
)
def test_what_is_not_known_is_no_formula(text: str) -> None:
    with pytest.raises(NotPlain):
        read(text)
    assert live(text, {"a": 1, "b": 2}, str.upper, 1) is None


def test_what_a_double_cannot_hold_is_no_formula() -> None:
    assert live("{a} + {b}", {"a": 2**60, "b": 1}, str.upper, 2**60 + 1) is None
    assert live("{a} ÷ {b}", {"a": 1, "b": 0}, str.upper, 1) is None
