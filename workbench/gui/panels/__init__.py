"""Docks: the scenario, why a number is what it is, findings."""
