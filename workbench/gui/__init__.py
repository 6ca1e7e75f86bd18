"""The window: a session with undo, panels and views that only show. The one home of Qt."""
