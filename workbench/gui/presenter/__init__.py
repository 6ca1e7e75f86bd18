"""Presenter mode: the answer as one large slide that is still live."""
