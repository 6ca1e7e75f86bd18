"""Verbs: pure functions from a scenario to its ledger. No Qt, no files, no sentences."""
