"""LMDeploy: a share of what the weights leave free, in blocks of one table."""
