"""A plan as slides: native charts that can be edited, tables, speaker notes."""
