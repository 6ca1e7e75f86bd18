"""Sentences of errors on the command line, by code."""

from __future__ import annotations

from collections.abc import Mapping

CLI_ERRORS: Mapping[str, str] = {
    "argument_not_text": "{argument} holds bytes that are no text: type UTF-8.",
    "budget_needs_a_question": "Nothing to answer: give a plan file, or --model and --gpu.",
    "option_of_another_engine": "{option} is no option of the engine {engine}: leave it out, or "
    "choose the engine that has it with --engine.",
    "scenario_unknown": "The plan has no scenario “{text}”: accepted is one of {accepted}.",
    "scenario_ambiguous": "The plan has {found} scenarios called “{text}”: rename one.",
    "plan_is_empty": "{path} holds no scenario: accepted is a plan with at least one.",
    "option_needs_a_value": "{option} needs a value.",
    "option_needs_a_plan": "{option} names something in a plan: give a plan file too.",
    "plan_and_preset": "{option} cannot be mixed with a plan file: edit the plan, or leave it out.",
    "field_does_not_apply": "{option} does not apply to this model: {field} is not one number.",
    "prefix_needs_tokens": "{option} describes a shared prefix: give --prefix-tokens too.",
    "choice_unknown": "“{text}” is not known for {option}: accepted is one of {accepted}.",
    "one_format_only": "One answer has one format: give one of {options}.",
    "option_value": "{option}: {reason}",
    "output_failed": "The answer could not be written out ({reason}); send it to another place.",
    "program_fault": "A fault of the program kept it from answering ({reason}); nothing was "
    "changed. {variable}=1 shows where.",
    "export_needs_a_format": "Nothing to write: give one or more of {accepted}.",
    "export_what_unsuited": "“{what}” cannot be in all of these files: accepted is {accepted}.",
    "export_one_place": "{options} would both write to {path}: give each a place of its own.",
    "schema_unknown": "“{text}” has no schema here: accepted is one of {accepted}.",
}
