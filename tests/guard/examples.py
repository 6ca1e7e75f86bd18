"""Tests that misbehave, one way each; test_guards.py copies and runs them under our conftest."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
import tempfile
import warnings
from pathlib import Path

import platformdirs
import pytest
from PySide6.QtCore import QMimeData, qWarning
from PySide6.QtWidgets import QMenu, QWidget

_kept: list[QWidget] = []


def test_opens_socket():
    socket.socket(socket.AF_INET)


def test_opens_ipv6_socket():
    socket.socket(socket.AF_INET6)


def test_looks_up_name():
    socket.getaddrinfo("localhost", 80)


def test_swallows_refusal():
    with contextlib.suppress(Exception):
        socket.create_connection(("127.0.0.1", 9))


def test_child_opens_socket(run_offline):
    run_offline([sys.executable, "-c", "import socket; socket.socket()"])


def test_child_swallows_refusal(run_offline):
    code = "import socket\ntry: socket.gethostbyname('localhost')\nexcept Exception: pass"
    run_offline([sys.executable, "-c", code])


def test_warns():
    warnings.warn("something is deprecated", DeprecationWarning, stacklevel=1)


def test_qt_warns(qapp):
    qWarning("something is odd")


def test_leaks_visible_window(qapp):
    window = QWidget(objectName="left open")
    window.show()
    _kept.append(window)


def test_leaks_hidden_window(qapp):
    _kept.append(QWidget(objectName="left alive"))


def test_passes_after_a_leak(qapp):
    assert qapp.topLevelWidgets() == []


def test_passes_with_a_window_given_to_qtbot(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    QMenu(window).setObjectName("belongs to the window")
    window.show()
    _kept.append(window)


@pytest.fixture
def window(qapp):
    window = QWidget()
    yield window
    window.deleteLater()


def test_passes_with_a_window_deleted_by_its_fixture(window):
    window.show()


def test_passes_after_copying(qapp):
    data = QMimeData()
    data.setText("copied")
    qapp.clipboard().setMimeData(data)


def test_passes_with_nothing_copied_before(qapp):
    assert qapp.clipboard().text() == ""


def test_passes_with_an_event_loop():
    asyncio.run(asyncio.sleep(0))


def test_passes_with_a_quiet_child(run_offline):
    done = run_offline([sys.executable, "-c", "print(input())"], stdin="heard")
    assert (done.returncode, done.stdout) == (0, "heard\n")


def test_passes_in_its_own_folders(run_offline):
    home = Path.home()
    places = [
        platformdirs.user_data_path("kvw"),
        platformdirs.user_config_path("kvw"),
        platformdirs.user_cache_path("kvw"),
        platformdirs.user_state_path("kvw"),
        Path(tempfile.mkdtemp()),
    ]
    child = "import platformdirs; print(platformdirs.user_data_path('kvw'))"
    places.append(Path(run_offline([sys.executable, "-c", child]).stdout.strip()))
    assert home.parent.name.startswith("homes")
    assert all(place.is_relative_to(home) for place in places)
    assert os.environ["QT_QPA_PLATFORM"] == "offscreen"


def test_skips_without_shared(shared):
    assert shared.is_dir()
