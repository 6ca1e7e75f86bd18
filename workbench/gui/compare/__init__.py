"""The compare view: scenarios, models or GPUs side by side, and what moved the answer."""
