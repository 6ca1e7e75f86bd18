"""The fit of vLLM's memory figures: what ships is what the script writes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from workbench.library.engine_fits import fits_path, read_fits, vllm_fits
from workbench.spec.releases import parse_release


@pytest.fixture(scope="module")
def written(shared, pytestconfig, tmp_path_factory):
    out = tmp_path_factory.mktemp("fit") / "fits.json"
    script = pytestconfig.rootpath / "packaging" / "fit_vllm.py"
    command = [sys.executable, str(script), "--logs", str(shared / "logs")]
    command += ["--facts", str(shared / "facts"), "--out", str(out), "--report"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return out, done.stdout


def row(report: str, start: str) -> str:
    return next(line for line in report.splitlines() if line.startswith(start))


def number(line: str, before: str) -> float:
    return float(line.split(before)[0].split()[-1])


def test_the_shipped_file_is_what_the_script_writes(written):
    fresh, shipped = read_fits(written[0]), read_fits(fits_path())
    # Coefficients of a least-squares fit may differ in their last digit between machines.
    assert [e.since for e in fresh.epochs] == [e.since for e in shipped.epochs]
    for new, old in zip(fresh.epochs, shipped.epochs, strict=True):
        (a,), (b,) = new.fits.activation, old.fits.activation
        assert a.logit_bytes == pytest.approx(b.logit_bytes, rel=1e-3)
        assert a.text.high_bytes == pytest.approx(b.text.high_bytes, rel=1e-2, abs=2**20)
        assert new.fits.non_torch == old.fits.non_torch


def test_activation_holds_on_models_kept_back(written):
    report = written[1]
    assert number(row(report, "activation v0, kept back"), " %") < 10
    assert number(row(report, "activation 0.8-0.16, kept back"), " %") < 1
    kept = row(report, "activation 0.17-0.19, kept back")
    assert float(kept.split("p90 ")[1].split()[0]) < 0.05


def test_activation_is_as_good_as_asked_on_complete_logs(written):
    report = written[1]
    assert number(row(report, "activation v0, complete"), " %") <= 10
    assert number(row(report, "activation 0.8-0.16, complete"), " %") <= 1
    late = row(report, "activation 0.17-0.19, complete")
    assert int(late.split("within 0.05 GiB ")[1].split("%")[0]) >= 90


def test_runtime_is_as_good_as_asked(written):
    report = written[1]
    campaign = row(report, "non-torch campaign, complete")
    assert float(campaign.split("p90 ")[1].split()[0]) <= 0.1
    elsewhere = row(report, "non-torch elsewhere, complete")
    assert float(elsewhere.split("median ")[1].split()[0]) <= 0.1
    assert float(elsewhere.split("p90 ")[1].split()[0]) <= 0.6


@pytest.mark.parametrize(
    ("release", "core", "epoch"),
    [
        ("0.2.5", "v0", "0.5"),
        ("0.8.5", "v0", "0.7"),
        ("0.8.5", "v1", "0.8"),
        ("0.15.1", "v1", "0.11"),
        ("v0.19", "v1", "0.18"),
        ("0.33.0", "v1", "0.27"),
        ("main", "v1", "0.27"),
    ],
)
def test_a_release_takes_the_newest_figures_that_are_not_newer(release, core, epoch):
    assert vllm_fits(release, core).epoch == epoch


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("0.15.1", (0, 15, 1)),
        ("v0.19", (0, 19, 0)),
        ("0.8.5.dev22", (0, 8, 5)),
        ("0.26.1.dev0+gd3d3b2cca", (0, 26, 1)),
        ("0.6.x", None),
        ("0.1x (modified)", None),
        ("0.13-ish", None),
        ("0.29.0?", None),
        (">=0.21", None),
        ("0.10.2+", None),
        ("0.10.2/0.11", None),
        ("0.21-0.22", None),
        ("0.1.dev20073+g8e685d198", None),
        ("fork", None),
    ],
)
def test_releases(text, release):
    assert parse_release(text) == release
