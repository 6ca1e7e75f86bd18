"""Opens exports with programs that are not ours: LibreOffice, poppler, librsvg."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.conftest import PROGRAMS_MISSING

PATIENCE_S = 180


def program(*names: str) -> str:
    """Return the path of a program; a test is skipped where none of these is installed."""
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(PROGRAMS_MISSING)
    return found


def run(*command: str | Path) -> str:
    """Run a program and return what it prints; it must succeed."""
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, f"{command[0]}: {done.stdout}{done.stderr}"
    return done.stdout


def office(files: Iterable[Path], to: str, folder: Path) -> list[Path]:
    """Convert files with LibreOffice, all in one start of it; `to` as "pdf" or "csv:…".

    Return the new files in order. Starting it takes seconds: convert many files at once.
    """
    files = list(files)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        run(
            program("soffice", "libreoffice"),
            f"-env:UserInstallation=file://{profile}",
            *("--headless", "--norestore", "--convert-to", to, "--outdir", folder),
            *files,
        )
    suffix = to.split(":")[0]
    made = [folder / f"{file.stem}.{suffix}" for file in files]
    missing = [path.name for path in made if not path.exists()]
    assert not missing, f"LibreOffice made no {missing}"
    return made


def pdf_text(pdf: Path) -> str:
    """Return the text of a PDF as it can be selected, page after page."""
    return run(program("pdftotext"), "-layout", pdf, "-")


def pdf_pages(pdf: Path) -> int:
    """Return how many pages a PDF has."""
    found = re.search(r"^Pages:\s+(\d+)", run(program("pdfinfo"), pdf), re.MULTILINE)
    assert found, "pdfinfo names no pages"
    return int(found[1])


def pdf_fonts(pdf: Path) -> list[list[str]]:
    """Return the fonts of a PDF as `pdffonts` lists them, the words of a line each."""
    return [line.split() for line in run(program("pdffonts"), pdf).splitlines()[2:]]


def pdf_pictures(pdf: Path, folder: Path, dpi: int = 60) -> list[Path]:
    """Paint the pages of a PDF into PNG files."""
    folder.mkdir(parents=True, exist_ok=True)
    run(program("pdftoppm"), "-r", str(dpi), "-png", pdf, folder / pdf.stem)
    return sorted(folder.glob(f"{pdf.stem}-*.png"))


def svg_picture(svg: Path, png: Path) -> Path:
    """Paint an SVG into a PNG file."""
    run(program("rsvg-convert"), "-o", png, svg)
    return png
