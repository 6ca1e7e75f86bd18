"""Plans to export: the example that is shipped, and others made for the purpose."""

from __future__ import annotations

from functools import cache

from workbench.export.subject import Subject
from workbench.library import compose, engine_choice, plans
from workbench.library.paths import presets_dir, resources_dir
from workbench.library.presets import Library
from workbench.spec.deployment import Reserves
from workbench.spec.engine import Amount
from workbench.spec.scenario import Plan, Scenario
from workbench.spec.workload import ConstantLength, Workload

GIB = 2**30
CHINESE_NAMES = (
    "基线方案",
    "八比特键值缓存",
    "长上下文一百二十八千",
    "四卡张量并行",
    "混合专家模型",
    "换用 SGLang 引擎",
)


@cache
def example() -> Subject:
    """The plan of the first start."""
    path = resources_dir() / "plans" / "example.kvw"
    return Subject(plans.load(path).plan, path.name)


@cache
def chinese() -> Subject:
    """Six scenarios with Chinese names: other models, cards and engines, one that does not fit."""
    library = Library(presets_dir())
    base = _scenario(library, 0, "llama-3.1-70b", "4x-80-gib", 32_768, 8, "vllm")
    eight = compose.with_kv_format(
        base.with_(id="s1", name=CHINESE_NAMES[1]), library.kv_format("fp8")
    )
    long = base.with_(
        id="s2",
        name=CHINESE_NAMES[2],
        workload=base.workload.with_(lengths=ConstantLength(tokens=131_072), concurrency=12),
    )
    four = _scenario(library, 3, "llama-3.1-8b", "4x-80-gib", 32_768, 48, "plain")
    mixed = _scenario(library, 4, "qwen3-30b-a3b", "h200", 32_768, 8, "vllm")
    other = _scenario(library, 5, "llama-3.1-8b", "h100-sxm", 8_192, 32, "sglang")
    scenarios = (base, eight, long, four, mixed, other)
    plan = Plan(scenarios=scenarios, baseline=base.id, title="第三季度容量规划")
    return Subject(plan, "第三季度.kvw")


def many(count: int) -> Subject:
    """Scenarios that differ in their concurrency."""
    first = example().plan.scenarios[1]
    scenarios = tuple(
        first.with_(
            id=f"s{number}",
            name=f"Scenario {number + 1}",
            workload=first.workload.with_(concurrency=number + 1),
        )
        for number in range(count)
    )
    return Subject(Plan(scenarios=scenarios, baseline="s0"), "many.kvw")


def named(name: str) -> Subject:
    """The example with one text in every place where a person can type one."""
    plan = example().plan
    scenarios = tuple(
        scenario.with_(
            name=name[:200] or "x",
            notes=name,
            model=scenario.model.with_(name=name[:200] or "x"),
            gpu=scenario.gpu.with_(name=name[:200] or "x"),
            workload=scenario.workload.with_(
                prefix_groups=tuple(
                    group.with_(name=name[:200] or "x") for group in scenario.workload.prefix_groups
                ),
            ),
        )
        for scenario in plan.scenarios
    )
    return Subject(plan.with_(scenarios=scenarios, title=name, notes=name), name[:100])


def _scenario(
    library: Library, number: int, model: str, gpu: str, tokens: int, concurrency: int, engine: str
) -> Scenario:
    made = compose.new_scenario(
        library, f"s{number}", CHINESE_NAMES[number], library.model(model), library.gpu(gpu)
    )
    made = made.with_(
        workload=Workload(lengths=ConstantLength(tokens=tokens), concurrency=concurrency),
        reserves=Reserves(headroom=Amount(size_bytes=2 * GIB)),
    )
    return made.with_(engine=engine_choice.engine_of(engine))
