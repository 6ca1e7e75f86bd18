"""Controls for the quantities and presets of a scenario."""
