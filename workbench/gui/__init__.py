"""The window: a session with undo, panels and views that only show. The one home of Qt."""

from __future__ import annotations

import os

# Looking for plug-ins of pydantic in every installed package would delay the start; there are
# none that should run here.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
