"""The style sheet: flat surfaces, hairlines, one accent; every length a part of the text size.

Colours are roles of the application's palette, so that all themes share one sheet: putting on
another sheet costs a layout of every widget, another palette does not.
"""

from __future__ import annotations

from string import Template
from typing import Final

from workbench.library.paths import resources_dir

# `$r` a corner, `$xs` to `$xl` spaces, in pixels; a hairline is always 1 px. The ring of the
# control with the keyboard is 2 px, taken from the space inside, so that nothing moves.
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
QFrame[popup="true"] { background: $surface; border: 1px solid $strong; }
QFrame[hairline="true"] { background: $line; border: none; }

QPushButton, QToolButton { background: $surface; color: $text; border: 1px solid $line;
    border-radius: $r_px; padding: $xs_px $m_px; }
QToolButton { padding: $xs_px $s_px; }
QPushButton:hover, QToolButton:hover { background: $hover; }
QPushButton:pressed, QToolButton:pressed { background: $pressed; }
QPushButton:focus { border: 2px solid $accent; padding: $xs_in $m_in; }
QToolButton:focus { border: 2px solid $accent; padding: $xs_in $s_in; }
QPushButton:disabled, QToolButton:disabled { color: $faint; background: $surface; }
QPushButton:default { background: $accent; color: $on_accent; border-color: $accent; }
QPushButton:default:focus { border-color: $text; }
QPushButton:checked, QToolButton:checked { border-color: $accent; background: $hover; }
QToolButton[flat="true"], QPushButton[flat="true"] { border-color: transparent;
    background: transparent; }
QToolButton[flat="true"]:hover, QPushButton[flat="true"]:hover { background: $hover; }
QToolButton[flat="true"]:focus, QPushButton[flat="true"]:focus { border-color: $accent; }
QPushButton[fold="true"], QPushButton[fold="true"]:focus { padding-left: 0; text-align: left; }
QPushButton[search="true"] { background: $sunken; color: $muted; text-align: left;
    min-width: $search_px; padding: 2px $s_px; }
QPushButton[search="true"]:focus { padding: 1px $s_in; }
QPushButton[search="true"]:hover { background: $hover; color: $text; }
QCheckBox, QRadioButton { border: 1px solid transparent; border-radius: $r_px;
    padding: $xs_px; }
QCheckBox:focus, QRadioButton:focus { border: 2px solid $accent; padding: $xs_in; }
QRadioButton::indicator, QCheckBox::indicator { width: $dot_px; height: $dot_px;
    border: 1px solid $muted; background: $sunken; }
QRadioButton::indicator { border-radius: $dot_r_px; }
QCheckBox::indicator { border-radius: 2px; }
QRadioButton::indicator:checked { width: $dot_in_px; height: $dot_in_px;
    border: $dot_ring_px solid $accent; background: $on_accent; }
QCheckBox::indicator:checked { border-color: $accent; background: $on_accent;
    image: url("$icons/check.svg"); }
QRadioButton::indicator:disabled, QCheckBox::indicator:disabled { border-color: $faint; }
QToolButton[narrow="true"] { padding: $xs_px 0; }
QToolButton[primary="true"] { background: $accent; color: $on_accent; border-color: $accent; }
QToolButton[primary="true"]:hover { border-color: $text; }
QToolButton[primary="true"]:focus { border-color: $text; }
QToolButton[primary="true"]:disabled { background: $surface; color: $faint; border-color: $line; }
QStatusBar QToolButton { padding-top: 0; padding-bottom: 2px; }
QToolButton[more="true"] { color: $muted; padding: $xs_px $xs_px; }
QToolButton[more="true"]:focus { padding: $xs_in $xs_in; }
QToolButton::menu-indicator { image: none; }

QLineEdit, QComboBox, QPlainTextEdit, QAbstractSpinBox { background: $sunken; color: $text;
    border: 1px solid $line; border-radius: $r_px; padding: $xs_px $s_px;
    selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit, QPlainTextEdit { placeholder-text-color: $muted; }
QLineEdit:hover, QComboBox:hover { border-color: $strong; }
QLineEdit:focus, QComboBox:focus, QPlainTextEdit:focus, QAbstractSpinBox:focus {
    border: 2px solid $accent; padding: $xs_in $s_in; }
QComboBox:focus { padding-right: 0; }
QLineEdit[invalid="true"] { border-color: $danger; }
QLineEdit:disabled, QComboBox:disabled { color: $faint; }
QComboBox { padding-right: 0; }
QComboBox::drop-down { border: none; width: $l_px; }
QComboBox::down-arrow { image: url("$icons/chevron-down.svg"); width: $em_px;
    height: $em_px; }
QComboBox QAbstractItemView { background: $surface; border: 1px solid $line;
    selection-background-color: $hover; selection-color: $text; outline: none; }

QTabWidget::pane { border: none; }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: $muted; border: 1px solid transparent;
    border-radius: $r_px; padding: $xs_px $s_px; margin-right: 1px; }
QTabBar::tab:first { margin-left: $xs_px; }
QTabBar::tab:hover { background: $hover; }
QTabBar::tab:selected { background: $hover; color: $text; font-weight: 600; }
QTabBar::tab:focus { border: 2px solid $accent; padding: $xs_in $s_in; }
QTabBar::scroller { width: $l_px; }
QTabBar QToolButton { border: none; padding: 0; }

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

QTableView, QTreeView, QListView { background: $surface; border: 2px solid transparent;
    border-radius: $r_px; gridline-color: $line;
    alternate-background-color: $sunken; selection-background-color: $hover;
    selection-color: $text; outline: none; }
QTableView:focus, QTreeView:focus, QListView:focus { border-color: $accent; }
QListView[quiet="true"]:focus, QTableView[quiet="true"]:focus { border-color: transparent; }
QComboBox QAbstractItemView, QComboBox QAbstractItemView:focus { border: 1px solid $line; }
QHeaderView { background: $surface; border: none; }
QHeaderView::section { background: $surface; color: $muted; border: none;
    border-bottom: 1px solid $line; padding: $xs_px $s_px; }
QHeaderView::section:vertical { border: none; }
QTableCornerButton::section { background: transparent; border: none; }
QToolTip { background: $surface; color: $text; border: 1px solid $line; padding: $xs_px; }
"""
)


_ROLES: Final = {
    "page": "alternate-base",
    "surface": "window",
    "sunken": "alternate-base",
    "line": "mid",
    "text": "window-text",
    "muted": "placeholder-text",
    "accent": "highlight",
    "on_accent": "highlighted-text",
    "danger": "bright-text",
    "hover": "midlight",
    "pressed": "light",
    "strong": "dark",
    "faint": "link-visited",
}
"""The role of Qt's palette that has each colour; `theme.palette_of` fills them."""


def style_sheet(em: int) -> str:
    """Return the sheet for a text size in pixels."""
    sizes = {
        "xs": em * 0.3,
        "s": em * 0.55,
        "m": em * 0.85,
        "l": em * 1.6,
        "xl": em * 2.4,
        "em": em,
        "r": em * 0.45,
        "card": em * 0.7,
        "search": em * 15,
        "bar": em * 0.6,
        "bar_r": em * 0.25,
    }
    pixels = {name: max(1, round(size)) for name, size in sizes.items()}
    # A dot that is chosen is a ring of colour: as large as the empty one, edges included.
    ring = max(2, round(em * 0.25))
    pixels |= {"dot": 4 * ring - 2, "dot_in": 2 * ring, "dot_ring": ring, "dot_r": 2 * ring}
    lengths = {f"{name}_px": f"{size}px" for name, size in pixels.items()}
    lengths |= {f"{name}_in": f"{max(0, size - 1)}px" for name, size in pixels.items()}
    colours = {name: f"palette({role})" for name, role in _ROLES.items()}
    icons = _quoted(resources_dir().joinpath("icons").as_posix())
    return _SHEET.substitute(lengths | colours, icons=icons)


def _quoted(path: str) -> str:
    return path.replace("\\", "\\\\").replace('"', '\\"')
