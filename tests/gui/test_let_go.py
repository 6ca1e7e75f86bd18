"""What is done is let go: over a long day nothing piles up."""

from __future__ import annotations

import weakref

from PySide6.QtWidgets import QApplication

from tests.gui.window_kit import wait_until
from workbench.gui.fields.release_box import ReleaseBox
from workbench.gui.jobs import Jobs


class _Work:
    def __call__(self) -> int:
        return 1


def test_a_job_that_has_ended_is_forgotten(qapp) -> None:
    jobs, seen = Jobs(), []
    works = [_Work() for _ in range(4)]
    known = [weakref.ref(work) for work in works]
    while works:
        jobs.run(works.pop(), seen.append, seen.append)
    assert jobs.wait(5_000)
    wait_until(lambda: len(seen) == 4)
    assert not jobs.busy
    wait_until(lambda: all(work() is None for work in known))


def test_a_box_has_one_list_whatever_releases_it_has_offered(qtbot) -> None:
    box = ReleaseBox()
    qtbot.addWidget(box)
    before = len(QApplication.allWidgets())
    for number in range(5):
        box.set_releases([f"0.{number}.0", "1.0.0"])
        box.show_release("1.0.0")
    assert len(QApplication.allWidgets()) == before
    assert box.completer().popup().accessibleName() == "Releases"
