"""vLLM: its defaults, budget, pages and capacity, release by release."""
