"""The style sheet: flat surfaces, hairlines, one accent; every length a part of the text size."""

from __future__ import annotations

from string import Template
from typing import Final

from workbench.charts.palette import Theme
from workbench.library.paths import resources_dir

# `$r` a corner, `$xs` to `$l` spaces, in pixels; a hairline is always 1 px.
_SHEET: Final = Template(
    """
QMainWindow, QMainWindow > QWidget#centre { background: $page; }
QMainWindow::separator { background: $page; width: $s_px; height: $s_px; }
QMainWindow::separator:hover { background: $line; }

QMenuBar { background: $surface; padding: $xs_px $m_px; }
QMenuBar::item { background: transparent; padding: $xs_px $s_px; border-radius: $r_px; }
QMenuBar::item:selected { background: $hover; }
QMenu { background: $surface; border: 1px solid $line; padding: $xs_px; }
QMenu::item { padding: $xs_px $xl_px $xs_px $l_px; border-radius: $r_px; }
QMenu::item:selected { background: $hover; color: $text; }
QMenu::item:disabled { color: $faint; }
QMenu::separator { height: 1px; background: $line; margin: $xs_px; }
QMenu::indicator { width: $em_px; height: $em_px; left: $xs_px; }

QToolBar { background: $surface; border: none; border-top: 1px solid $line;
    border-bottom: 1px solid $line; padding: $xs_px $m_px; spacing: $s_px; }
QStatusBar { background: $surface; border-top: 1px solid $line; }
QStatusBar::item { border: none; }

QDockWidget { background: $surface; }
QDockWidget > QWidget { background: $surface; }

QFrame[card="true"] { background: $surface; border: 1px solid $line; border-radius: $card_px; }
QFrame[hairline="true"] { background: $line; border: none; }

QPushButton, QToolButton { background: $surface; color: $text; border: 1px solid $line;
    border-radius: $r_px; padding: $xs_px $m_px; }
QToolButton { padding: $xs_px $s_px; }
QPushButton:hover, QToolButton:hover { background: $hover; }
QPushButton:pressed, QToolButton:pressed { background: $line; }
QPushButton:focus, QToolButton:focus { border-color: $accent; }
QPushButton:disabled, QToolButton:disabled { color: $faint; background: $surface; }
QPushButton:default { background: $accent; color: $on_accent; border-color: $accent; }
QPushButton:checked, QToolButton:checked { border-color: $accent; background: $hover; }
QToolButton[flat="true"], QPushButton[flat="true"] { border-color: transparent;
    background: transparent; }
QToolButton[flat="true"]:hover, QPushButton[flat="true"]:hover { background: $hover; }
QToolButton[flat="true"]:focus, QPushButton[flat="true"]:focus { border-color: $accent; }
QPushButton[fold="true"] { padding-left: 0; text-align: left; }
QToolButton::menu-indicator { image: none; }

QLineEdit, QComboBox, QPlainTextEdit, QAbstractSpinBox { background: $sunken; color: $text;
    border: 1px solid $line; border-radius: $r_px; padding: $xs_px $s_px;
    selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit, QPlainTextEdit { placeholder-text-color: $muted; }
QLineEdit:hover, QComboBox:hover { border-color: $strong; }
QLineEdit:focus, QComboBox:focus, QPlainTextEdit:focus { border-color: $accent; }
QLineEdit[invalid="true"] { border-color: $danger; }
QLineEdit:disabled, QComboBox:disabled { color: $faint; }
QComboBox { padding-right: 0; }
QComboBox::drop-down { border: none; width: $l_px; }
QComboBox::down-arrow { image: url("$icons/chevron-down-$name.svg"); width: $em_px;
    height: $em_px; }
QComboBox QAbstractItemView { background: $surface; border: 1px solid $line;
    selection-background-color: $hover; selection-color: $text; outline: none; }

QTabWidget::pane { border: none; }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: $muted; border: 1px solid transparent;
    border-radius: $r_px; padding: $xs_px $m_px; margin-right: $xs_px; }
QTabBar::tab:first { margin-left: $xs_px; }
QTabBar::tab:hover { background: $hover; }
QTabBar::tab:selected { background: $hover; color: $text; font-weight: 600; }
QTabBar::tab:focus { border-color: $accent; }

QScrollArea { background: transparent; border: none; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QSplitter::handle { background: $line; }
QSplitter::handle:vertical { height: 1px; margin: 0 $m_px; }
QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: $bar_px; }
QScrollBar:horizontal { height: $bar_px; }
QScrollBar::handle { background: $line; border-radius: $bar_r_px; }
QScrollBar::handle:vertical { min-height: $xl_px; }
QScrollBar::handle:horizontal { min-width: $xl_px; }
QScrollBar::handle:hover { background: $strong; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QTableView, QTreeView, QListView { background: $surface; border: none; gridline-color: $line;
    alternate-background-color: $sunken; selection-background-color: $hover;
    selection-color: $text; outline: none; }
QHeaderView { background: $surface; border: none; }
QHeaderView::section { background: $surface; color: $muted; border: none;
    border-bottom: 1px solid $line; padding: $xs_px $s_px; }
QTableCornerButton::section { background: $surface; border: none; }
QToolTip { background: $surface; color: $text; border: 1px solid $line; padding: $xs_px; }
"""
)


def style_sheet(theme: Theme, em: int) -> str:
    """Return the sheet for a theme and a text size in pixels."""
    sizes = {
        "xs": em * 0.3,
        "s": em * 0.55,
        "m": em * 0.85,
        "l": em * 1.6,
        "xl": em * 2.4,
        "em": em,
        "r": em * 0.45,
        "card": em * 0.7,
        "bar": em * 0.6,
        "bar_r": em * 0.25,
    }
    lengths = {f"{name}_px": f"{max(1, round(size))}px" for name, size in sizes.items()}
    return _SHEET.substitute(
        lengths,
        name=theme.name,
        icons=_quoted(resources_dir().joinpath("icons").as_posix()),
        page=theme.page,
        surface=theme.surface,
        sunken=theme.sunken,
        line=theme.line,
        text=theme.text,
        muted=theme.muted,
        accent=theme.accent,
        on_accent=theme.on_accent,
        danger=theme.danger,
        hover=mixed(theme.surface, theme.text, 0.06),
        strong=mixed(theme.line, theme.text, 0.25),
        faint=mixed(theme.muted, theme.surface, 0.5),
    )


def mixed(one: str, other: str, share: float) -> str:
    """Return a colour between two, `share` of the way to the other."""
    channels = (
        round(int(one[i : i + 2], 16) * (1 - share) + int(other[i : i + 2], 16) * share)
        for i in (1, 3, 5)
    )
    return "#" + "".join(f"{channel:02X}" for channel in channels)


def _quoted(path: str) -> str:
    return path.replace("\\", "\\\\").replace('"', '\\"')
