"""Which rules a release of vLLM follows."""

from __future__ import annotations

import pytest

from workbench.library import release_table
from workbench.library.engines import known_releases, parse_release, read_releases, vllm_rules
from workbench.spec import words
from workbench.spec.errors import UserError


@pytest.mark.parametrize(
    ("release", "read"),
    [
        ("0.19.0", "0.19.1"),
        ("0.8.0", "0.8.5"),
        ("0.10.0", "0.10.2"),
        ("0.11.0", "0.11.2"),
        ("0.15.1", "0.11.2"),
        ("0.32.4", "0.19.1"),
        ("0.33.0", "0.33.0"),
        ("0.40", "0.33.0"),
        ("1.2.3", "0.33.0"),
        ("0.9.1", "0.8.5"),
        ("0.6.6.post1", "0.6.6"),
        ("0.2.4", "0.6.6"),
        ("v0.26.1rc1.dev608+g99a10304d", "0.19.1"),
        (" 0.31.0 ", "0.19.1"),
    ],
)
def test_a_release_follows_a_read_one(release: str, read: str):
    assert vllm_rules(release).read_release == read


@pytest.mark.parametrize("release", [rules for rules in read_releases() if rules != "0.6.6"])
def test_a_read_release_is_its_own_row(release: str):
    row = next(
        rules for rules in release_table.table_of("vllm").read if rules.read_release == release
    )
    assert vllm_rules(release) == row


def test_v0_until_0_7_and_by_choice_until_0_10():
    assert vllm_rules("0.7.3", "v1").core == "v0"
    assert vllm_rules("0.8.5").core == "v1"
    assert vllm_rules("0.8.5", "v0").core == "v0"
    assert vllm_rules("0.10.2", "v0").read_release == "0.6.6"
    assert vllm_rules("0.11.2", "v0").core == "v1"
    v0 = vllm_rules("0.6.6")
    assert (v0.tokens, v0.need, v0.watermark) == ("blocks", "blocks", 0.01)


@pytest.mark.parametrize(
    ("before", "after", "field", "old", "new"),
    [
        ("0.9.0", "0.9.1", "tokens", "blocks", "groups"),
        ("0.20.2", "0.21.0", "graph_estimate", "flag", "charged"),
        ("0.20.2", "0.21.0", "tokens", "groups", "request"),
        ("0.20.2", "0.21.0", "default_utilization", 0.9, 0.92),
        ("0.25.1", "0.26.0", "in_flight", "batch", "concurrent"),
        ("0.32.0", "0.33.0", "withheld_block_in_checks", False, True),
        ("0.32.0", "0.33.0", "prefix_caching_hybrid", False, True),
        ("0.6.6", "0.7.0", "latent_row_elements", 1, 128),
    ],
)
def test_switches_have_dates_of_their_own(
    before: str, after: str, field: str, old: object, new: object
):
    assert getattr(vllm_rules(before), field) == old
    assert getattr(vllm_rules(after), field) == new


def test_a_default_of_unknown_date_is_assumed_until_a_log_shows_it():
    assert "default_utilization" not in vllm_rules("0.19.1").assumed
    assert "default_utilization" in vllm_rules("0.21.0").assumed
    assert "default_utilization" in vllm_rules("0.30.2").assumed
    assert "default_utilization" not in vllm_rules("0.31.0").assumed
    assert "default_utilization" not in vllm_rules("0.33.0").assumed


def test_assumed_names_are_switches():
    for release in known_releases():
        rules = vllm_rules(release)
        assert set(rules.assumed) <= set(type(rules).model_fields)


def test_the_picker_lists_newest_first():
    releases = known_releases()
    assert releases[0] == "0.33.0"
    assert list(releases) == sorted(releases, key=parse_release, reverse=True)
    assert set(read_releases()) <= set(releases)


@pytest.mark.parametrize(
    "text", ["", "latest", "0", "0.x", "0.21-0.22", "0.1.2.3.4", "１.2", "9" * 99]
)
def test_a_text_that_names_no_release_is_refused(text: str):
    with pytest.raises(UserError) as refused:
        vllm_rules(text)
    assert refused.value.code == "release_unreadable"
    assert "0.15.1" in words.error_text(refused.value)
