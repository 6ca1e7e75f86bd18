"""Quantities as people type and read them: exact both ways, and a sentence for the rest."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.spec import units, words
from workbench.spec.base import MAX_INT
from workbench.spec.engine import Amount
from workbench.spec.errors import UserError
from workbench.spec.fields import format_quantity, parse_quantity
from workbench.spec.units import GIB, KIB, MIB, TIB

PARSERS: dict[str, Callable[..., Any]] = {
    "tokens": units.parse_tokens,
    "count": units.parse_count,
    "bytes": units.parse_bytes,
    "share": units.parse_share,
    "number": units.parse_number,
}

whole = st.one_of(
    st.integers(0, MAX_INT),
    st.integers(0, 10_000),
    st.builds(
        lambda n, unit: min(n * unit, MAX_INT),
        st.integers(0, 5_000),
        st.sampled_from([KIB, MIB, GIB, TIB, 10**3, 10**6, 10**9, 10**12, 10**7, MIB // 4]),
    ),
)
share = st.one_of(
    st.floats(1e-9, 1),
    st.integers(0, 1_000).map(lambda n: n / 1000),
    st.sampled_from([1e-9, 1 / 3]),
)


# --- there and back -----------------------------------------------------------------------------


@given(whole)
def test_tokens_there_and_back(value: int) -> None:
    assert units.parse_tokens(units.format_tokens(value)) == value


@given(whole)
def test_counts_there_and_back(value: int) -> None:
    assert units.parse_count(units.format_count(value)) == value


@settings(max_examples=1_000)
@given(whole)
def test_bytes_there_and_back(value: int) -> None:
    assert units.parse_bytes(units.format_bytes(value)) == value


@settings(max_examples=1_000)
@given(share)
def test_shares_there_and_back(value: float) -> None:
    text = units.format_share(value)
    assert units.parse_share(text) == value, text


@pytest.mark.parametrize("text", ["0.0000000001", "0.00000001 %"])
def test_what_is_too_fine_to_type_again_is_refused(text: str) -> None:
    with pytest.raises(UserError) as refused:
        units.parse_share(text)
    assert refused.value.code == "share_out_of_range"
    assert units.parse_share("0.000000001") == 1e-9


@given(st.one_of(st.just(0.0), st.floats(1e-9, 1e18)))
def test_numbers_there_and_back(value: float) -> None:
    assert units.parse_number(units.format_number(value)) == value


@given(st.one_of(whole.map(lambda n: Amount(size_bytes=n)), share.map(lambda s: Amount(share=s))))
def test_amounts_there_and_back(value: Amount) -> None:
    assert parse_quantity("amount", format_quantity("amount", value)) == value


@given(whole, st.sampled_from(["", " ", "\u00a0", "\u202f", "\u3000"]))
def test_spaces_and_case_say_nothing(value: int, space: str) -> None:
    text = units.format_bytes(value)
    for variant in (text.replace(" ", space), text.lower(), text.upper(), f" {text}\t"):
        assert units.parse_bytes(variant) == value, variant


@given(st.integers(0, MAX_INT))
def test_digit_groups_say_nothing(value: int) -> None:
    for mark in ",_'":
        text = f"{value:,}".replace(",", mark)
        if text.count(",") != 1:  # 12,345 may be twelve and a bit
            assert units.parse_bytes(text) == value
    if value >= 10**6:
        assert units.parse_bytes(f"{value:,}".replace(",", ".")) == value
    assert units.parse_bytes(f"{value}.0") == value


@given(st.text(max_size=80), st.sampled_from(sorted(PARSERS)))
def test_any_text_is_a_value_or_a_sentence(text: str, kind: str) -> None:
    read_or_refused(text, kind)


def read_or_refused(text: str, kind: str) -> None:
    try:
        value = PARSERS[kind](text)
    except UserError as error:
        refused = error
    else:
        assert value >= 0
        assert type(value) is (float if kind in ("share", "number") else int)
        return
    assert refused.code in words.ERRORS
    assert "{" not in words.error_text(refused).replace(words.visible(text), "")


@given(
    st.text(alphabet="0123456789.,_' kKmMgGtTiIbB%x×*-+eE０１，．％", max_size=70),
    st.sampled_from(sorted(PARSERS)),
)
def test_near_quantities_are_values_or_sentences(text: str, kind: str) -> None:
    read_or_refused(text, kind)


# --- by example ---------------------------------------------------------------------------------

ACCEPTED: list[tuple[str, str, int | float]] = [
    ("tokens", "128k", 131_072),
    ("tokens", "128 K", 131_072),
    ("tokens", "１２８ｋ", 131_072),
    ("tokens", "1M", 1_048_576),
    ("tokens", "0.5k", 512),
    ("tokens", "1.5k", 1_536),
    ("tokens", "131,072 tokens", 0),
    ("tokens", "1 token", 1),
    ("tokens", "1_048_576", 1_048_576),
    ("tokens", "0", 0),
    ("tokens", "007", 7),
    ("tokens", str(MAX_INT), MAX_INT),
    ("count", "2k", 2_000),
    ("count", "1.5k", 1_500),
    ("count", "1M", 1_000_000),
    ("count", "1'234'567", 1_234_567),
    ("count", "1.234.567", 1_234_567),
    ("count", "1,234,567", 1_234_567),
    ("count", "1,234.0", 1_234),
    ("count", "16,0", 16),
    ("bytes", "80 GiB", 85_899_345_920),
    ("bytes", "80GB", 80_000_000_000),
    ("bytes", "80 gb", 80_000_000_000),
    ("bytes", "81559 MiB", 85_520_809_984),
    ("bytes", "85,520,809,984", 85_520_809_984),
    ("bytes", "85520809984", 85_520_809_984),
    ("bytes", "85.520.809.984", 85_520_809_984),
    ("bytes", "1.234.567,5", 1_234_567),
    ("bytes", "79.19 GiB", 79_19 * GIB // 100),
    ("bytes", "79,19 GiB", 79_19 * GIB // 100),
    ("bytes", "８０ＧｉＢ", 85_899_345_920),
    ("bytes", "0.1 B", 0),
    ("bytes", ".5 KiB", 512),
    ("bytes", "5. KiB", 5_120),
    ("bytes", "1 kB", 1_000),
    ("bytes", "1 TB", 10**12),
    ("bytes", "1 TiB", 2**40),
    ("bytes", "1 byte", 1),
    ("bytes", "2 bytes", 2),
    ("share", "0.9", 0.9),
    ("share", "0,9", 0.9),
    ("share", "90 %", 0.9),
    ("share", "90%", 0.9),
    ("share", "９０％", 0.9),
    ("share", ".9", 0.9),
    ("share", "1", 1.0),
    ("share", "100 %", 1.0),
    ("share", "0", 0.0),
    ("share", "33.3333333333333333 %", 1 / 3),
    ("number", "2.5", 2.5),
    ("number", "2,5", 2.5),
    ("number", "1.5k", 1_500.0),
]


@pytest.mark.parametrize(("kind", "text", "value"), ACCEPTED)
def test_accepted(kind: str, text: str, value: float) -> None:
    if text == "131,072 tokens":  # one group of three: thousands or decimals
        with pytest.raises(UserError) as refused:
            units.parse_tokens(text)
        assert refused.value.code == "thousands_or_decimal"
        return
    read = PARSERS[kind](text)
    assert read == value
    assert type(read) is (float if kind in ("share", "number") else int)


REFUSED: list[tuple[str, str, str]] = [
    ("tokens", "", "quantity_empty"),
    ("tokens", "   \u3000", "quantity_empty"),
    ("tokens", "-1", "quantity_negative"),
    ("tokens", "－１", "quantity_negative"),
    ("tokens", "−1", "quantity_unreadable"),
    ("tokens", "+1", "quantity_unreadable"),
    ("tokens", "1e9", "quantity_unreadable"),
    ("tokens", "0x10", "quantity_unreadable"),
    ("tokens", "1.5", "not_whole"),
    ("tokens", "0.3k", "not_whole"),
    ("tokens", "1,234", "thousands_or_decimal"),
    ("tokens", "128 GiB", "unit_unknown"),
    ("tokens", "128q", "unit_unknown"),
    ("tokens", "5 %", "unit_unknown"),
    ("tokens", "x2", "factor_without_value"),
    ("tokens", "×2", "factor_without_value"),
    ("tokens", "१२", "quantity_unreadable"),
    ("tokens", "١٢", "quantity_unreadable"),
    ("tokens", "²½", "quantity_unreadable"),
    ("tokens", "½", "quantity_unreadable"),
    ("tokens", "_", "quantity_unreadable"),
    ("tokens", "1_0", "quantity_unreadable"),
    ("tokens", "1__000_000", "quantity_unreadable"),
    ("tokens", ".", "quantity_unreadable"),
    ("tokens", "1.2.3", "quantity_unreadable"),
    ("tokens", "12,34,567", "quantity_unreadable"),
    ("tokens", "\u200f128k", "quantity_unreadable"),
    ("tokens", "128k\u202e", "quantity_unreadable"),
    ("tokens", "128\u0000", "quantity_unreadable"),
    ("tokens", "nan", "quantity_unreadable"),
    ("tokens", "inf", "quantity_unreadable"),
    ("tokens", "True", "quantity_unreadable"),
    ("tokens", "1" * 64, "quantity_unreadable"),
    ("tokens", "9" * 10_000, "quantity_too_long"),
    ("tokens", "1" * 60, "number_too_large"),
    ("tokens", str(MAX_INT + 1), "number_too_large"),
    ("tokens", "99999999999999999M", "number_too_large"),
    ("count", "1.5", "not_whole"),
    ("count", "1 KiB", "unit_unknown"),
    ("bytes", "90 %", "unit_unknown"),
    ("bytes", "80 GiBs", "unit_unknown"),
    ("bytes", "1,234 GiB", "thousands_or_decimal"),
    ("bytes", "8388608 TiB", "number_too_large"),
    ("share", "1.1", "share_out_of_range"),
    ("share", "101 %", "share_out_of_range"),
    ("share", "90 GiB", "unit_unknown"),
    ("number", "1" * 19, "number_too_large"),
]


@pytest.mark.parametrize(("kind", "text", "code"), REFUSED)
def test_refused(kind: str, text: str, code: str) -> None:
    with pytest.raises(UserError) as refused:
        PARSERS[kind](text)
    assert refused.value.code == code
    assert code in words.ERRORS
    sentence = words.error_text(refused.value)
    assert sentence.endswith(".")
    assert "{" not in sentence
    assert len(sentence) < 400
    assert sentence.isprintable(), "controls and marks are shown, not obeyed"


def test_superscripts_are_their_compatibility_digits_or_refused() -> None:
    # NFKC reads ² as 2: 10² must never become 102.
    with pytest.raises(UserError):
        units.parse_tokens("10²")
    with pytest.raises(UserError):
        units.parse_tokens("²")


@pytest.mark.parametrize("text", ["x2", "×2", "X2", "*2", "ｘ２", "× 2"])
def test_factors_multiply_what_is_there(text: str) -> None:
    assert units.parse_tokens(text, 1_000) == 2_000
    assert units.parse_bytes(text, GIB) == 2 * GIB
    assert units.parse_share(text, 0.3) == 0.6


def test_factors_are_exact_and_bounded() -> None:
    assert units.parse_tokens("x0.5", 2**40) == 2**39
    assert units.parse_bytes("x1.1", 10) == 11
    assert units.parse_share("x1.1", 0.1) == 0.11
    with pytest.raises(UserError, match="not_whole"):
        units.parse_tokens("x0.5", 3)
    with pytest.raises(UserError, match="number_too_large"):
        units.parse_tokens("x2", MAX_INT)
    with pytest.raises(UserError, match="share_out_of_range"):
        units.parse_share("x2", 0.6)


def test_ambiguous_thousands_name_both_readings() -> None:
    with pytest.raises(UserError) as refused:
        units.parse_bytes("1,234")
    assert refused.value.params["whole"] == "1234"
    assert refused.value.params["decimal"] == "1.234"
    sentence = words.error_text(refused.value)
    assert "1234" in sentence
    assert "1.234" in sentence


def test_gb_and_gib_are_kept_apart() -> None:
    assert units.parse_bytes("80GB") != units.parse_bytes("80 GiB")
    assert units.format_bytes(80 * 10**9) == "80 GB"
    assert units.format_bytes(80 * GIB) == "80 GiB"
    assert units.format_bytes(81_559 * MIB) == "81559 MiB"


def test_a_part_of_a_byte_is_dropped() -> None:
    exact = Fraction("79.19") * GIB
    assert exact.denominator != 1
    assert units.parse_bytes("79.19 GiB") == exact.__floor__() == 85_029_615_042


@pytest.mark.parametrize(
    ("value", "text"),
    [(131_072, "128k"), (1_048_576, "1M"), (1_000, "1000"), (0, "0"), (131_073, "131073")],
)
def test_tokens_are_printed_in_k_of_1024(value: int, text: str) -> None:
    assert units.format_tokens(value) == text


@pytest.mark.parametrize(("value", "text"), [(2_000, "2k"), (1_024, "1024"), (10**6, "1M")])
def test_counts_are_printed_in_k_of_1000(value: int, text: str) -> None:
    assert units.format_count(value) == text


@pytest.mark.parametrize(
    ("total", "part", "size"),
    [
        (100, 0.06, 6),
        (100, 0.07, 7),
        (85_899_345_920, 0.06, 5_153_960_755),
        (3, 1 / 3, 0),
        (9, 1.0, 9),
    ],
)
def test_shares_are_taken_as_they_are_written(total: int, part: float, size: int) -> None:
    assert units.share_of(total, part) == size


@given(st.integers(0, MAX_INT), share)
def test_a_share_of_bytes_is_floored_exactly(total: int, part: float) -> None:
    assert units.share_of(total, part) == (Fraction(repr(part)) * total).__floor__()


@given(st.integers(-MAX_INT, MAX_INT), st.sampled_from(["auto", "B", "MiB", "GiB", "GB"]))
def test_shown_sizes_are_near_and_never_minus_zero(value: int, unit: Any) -> None:
    text = units.show_bytes(value, unit)
    number, name = text.rsplit(" ", 1)
    size = Fraction(number.replace(",", "")) * units.parse_bytes(f"1 {name}")
    assert abs(size - value) * 200 <= units.parse_bytes(f"1 {name}")
    assert not text.startswith("-0.00 ")


def test_every_refusal_has_a_sentence_and_every_sentence_its_parameters() -> None:
    for code, template in words.ERRORS.items():
        assert template.endswith("."), code
    for name, text in words.ACCEPTED.items():
        assert text, name
    assert set(words.ACCEPTED) >= {"tokens", "count", "bytes", "share", "amount", "number"}


AMOUNTS: list[tuple[str, Amount]] = [
    ("6 %", Amount(share=0.06)),
    ("6％", Amount(share=0.06)),
    ("4 GiB", Amount(size_bytes=4 * GIB)),
    ("0", Amount(size_bytes=0)),
    ("0 %", Amount(share=0.0)),
    # A part of a byte is none: a bare number below one can only be a share.
    ("0.9", Amount(share=0.9)),
    (",05", Amount(share=0.05)),
    ("1", Amount(size_bytes=1)),
    ("0.5 GiB", Amount(size_bytes=GIB // 2)),
]


@pytest.mark.parametrize(("text", "amount"), AMOUNTS)
def test_amounts_are_bytes_or_a_share(text: str, amount: Amount) -> None:
    assert parse_quantity("amount", text) == amount


def test_a_factor_of_an_amount_keeps_its_kind() -> None:
    assert parse_quantity("amount", "x2", Amount(share=0.06)) == Amount(share=0.12)
    assert parse_quantity("amount", "×2", Amount(size_bytes=3)) == Amount(size_bytes=6)


def test_an_unreadable_amount_says_what_an_amount_is() -> None:
    with pytest.raises(UserError) as refused:
        parse_quantity("amount", "many")
    assert "share" in words.error_text(refused.value)
