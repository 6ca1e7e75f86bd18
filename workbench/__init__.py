"""KV Workbench plans, offline, the GPU memory that serving a language model takes."""

__version__ = "0.1.0"
