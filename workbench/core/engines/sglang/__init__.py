"""SGLang: a static share of what is free before the weights, and what must fit in the rest."""
