"""What one plan has that another has not."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gui.sample import plan as sample_plan
from workbench.core.plan_changes import plan_changes
from workbench.spec.fields import FIELDS
from workbench.spec.scenario import Plan


def base() -> Plan:
    """Three scenarios to change."""
    first = sample_plan().scenarios[0]
    scenarios = tuple(first.with_(id=i, name=i.upper()) for i in "abc")
    return Plan(scenarios=scenarios, baseline="a")


def whats(before: Plan, after: Plan) -> list[tuple[str, str]]:
    return [(change.what, change.name) for change in plan_changes(before, after)]


def test_equal_plans_have_no_changes():
    assert plan_changes(base(), base()) == ()


def test_everything_is_told_once():
    before = base()
    a, _, c = before.scenarios
    changed = FIELDS["workload.context"].write(c, 4_321).with_(name="Longer", notes="why")
    after = Plan(scenarios=(changed, a, a.with_(id="d", name="New")), baseline="c")
    assert whats(before, after) == [
        ("removed", "B"),
        ("renamed", "Longer"),
        ("input", "Longer"),
        ("notes", "Longer"),
        ("added", "New"),
        ("moved", "Longer"),
        ("moved", "A"),
        ("baseline", ""),
    ]
    found = plan_changes(before, after)
    context = next(change for change in found if change.input is not None)
    assert context.input.id == "workload.context"
    assert context.after == 4_321
    assert (found[-1].before, found[-1].after) == ("A", "Longer")


def test_what_no_input_holds_is_told_too():
    before = base()
    a = before.scenarios[0]
    after = before.replacing(a.with_(model_ref=None, model=a.model.with_(license_note="other")))
    assert after != before
    assert {what for what, _ in whats(before, after)} & {"rest", "input"}


@given(
    kept=st.lists(st.sampled_from("abc"), unique=True),
    contexts=st.lists(st.integers(1, 10_000), min_size=3, max_size=3),
    names=st.lists(st.sampled_from(["A", "B", "C", "other"]), min_size=3, max_size=3),
)
@settings(max_examples=60)
def test_no_difference_goes_untold(kept: list[str], contexts: list[int], names: list[str]):
    before = base()
    scenarios = tuple(
        FIELDS["workload.context"].write(before.scenario(i), tokens).with_(name=name)
        for i, tokens, name in zip(kept, contexts, names, strict=False)
    )
    after = Plan(scenarios=scenarios, baseline=kept[0] if kept else None)
    assert bool(plan_changes(before, after)) == (before != after)
    assert bool(plan_changes(after, before)) == (before != after)
