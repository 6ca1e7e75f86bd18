"""The verbs of the command line and how their errors leave: one line and exit code 2."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from collections.abc import Callable
from typing import Any

import typer

from workbench import __version__
from workbench.cli import (
    accuracy,
    budget,
    check,
    compare,
    engine_options,
    export,
    presets,
    schema,
)
from workbench.cli.common import say
from workbench.export.formats import FORMATS
from workbench.spec.errors import UserError
from workbench.spec.words import error_text, visible

BAD_INPUT = 2
BROKEN_PIPE = 141
FAULT = 70
"""The program itself failed: neither an answer nor bad input (EX_SOFTWARE)."""
TRACE = "KVW_TRACE"
LONGEST_LINE = 2_000
_FILES = (".kvw", *(form.suffix for form in FORMATS.values()))

# Releases of typer carry a copy of click of their own, so its error classes are found from the
# one that typer exports.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]
ClickException: type[Exception] = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name="kvw",
    help="Plan GPU memory for serving language models. Without a verb: the window.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("budget", epilog=engine_options.epilog(budget.OPTIONS))(budget.budget_verb)
app.command("check")(check.check_verb)
app.command("compare")(compare.compare_verb)
app.command("export")(export.export_verb)
app.command("accuracy", epilog=accuracy.EPILOG)(accuracy.accuracy_verb)
app.command("schema")(schema.schema_verb)
app.add_typer(presets.app, name="presets")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"kvw {__version__}")
        raise typer.Exit


@app.callback()
def kvw(
    version: bool = typer.Option(
        False, "--version", help="Print the version.", is_eager=True, callback=_print_version
    ),
) -> None:
    """Plan GPU memory for serving language models. Without a verb: the window."""


def run(arguments: list[str]) -> int:
    """Run a verb and return its exit code; nothing but a sentence reaches the user."""
    return answering(lambda: _verb(arguments), as_json=_wants_json(arguments))


def _wants_json(arguments: list[str]) -> bool:
    # Of an export it names a file.
    return "--json" in arguments and arguments[:1] != ["export"]


def answering(answer: Callable[[], int], *, as_json: bool = False) -> int:
    """Run what prints an answer and return its exit code, whatever becomes of the printing."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character gets its number instead of nothing at all.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            code = answer()
        except UserError as error:
            code = _refused(error.code, error_text(error), as_json=as_json)
        except ClickException as error:
            code = _misused(error, as_json=as_json)
        except (OSError, typer.Abort):
            raise
        except Exception as error:
            code = _fault(error, as_json=as_json)
        # Now, not at the end of the program, where nobody could say what went wrong.
        if sys.stdout is not None:
            sys.stdout.flush()
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except (BrokenPipeError, SystemExit):
        # The reader of a pipe has gone (typer then exits by itself, with 1, which here would say
        # "does not fit"); what is left in the buffer has nowhere to go.
        sys.stdout = None
        return BROKEN_PIPE
    except OSError as error:
        # What is left in the buffer must not be tried again at the end.
        sys.stdout = None
        reason = errno.errorcode.get(error.errno or 0, "?")
        say(error_text(UserError("output_failed", reason=reason)))
        return BAD_INPUT
    return code


def _fault(error: Exception, *, as_json: bool) -> int:
    """Say in one line that the program itself failed; the environment asks for the trace."""
    if os.environ.get(TRACE):
        raise error
    reason = f"{type(error).__name__}: {error}"
    told = UserError("program_fault", reason=reason, variable=TRACE)
    _refused(told.code, error_text(told), as_json=as_json)
    return FAULT


def _verb(arguments: list[str]) -> int:
    _refuse_broken_text(arguments)
    options: dict[str, str] = {}
    if arguments[:1] == ["budget"]:
        arguments, options = engine_options.taken(arguments, budget.OPTIONS)
    code: Any = app(arguments, prog_name="kvw", standalone_mode=False, obj=options)
    return code if isinstance(code, int) else 0


def _refuse_broken_text(arguments: list[str]) -> None:
    """Refuse arguments that are no text; paths are checked by what opens them."""
    for argument in arguments:
        if any("\ud800" <= character <= "\udfff" for character in argument) and not (
            argument.endswith(_FILES)
        ):
            shown = argument.encode("utf-8", "backslashreplace").decode("ascii", "replace")
            raise UserError("argument_not_text", argument=shown)


def _misused(error: Exception, *, as_json: bool) -> int:
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error)
        return BAD_INPUT
    return _refused("usage", _usage(error), as_json=as_json)


def _usage(error: Any) -> str:
    context = getattr(error, "ctx", None)
    where = "" if context is None else f" (see {context.command_path} --help)"
    return f"{error.format_message()}{where}"


def _refused(code: str, sentence: str, *, as_json: bool) -> int:
    line = visible(" ".join(sentence.split()))
    if len(line) > LONGEST_LINE:
        line = f"{line[: LONGEST_LINE - 1]}…"
    if as_json:
        print(json.dumps({"schema": 1, "error": {"code": code, "message": line}}))
    say(line)
    return BAD_INPUT
