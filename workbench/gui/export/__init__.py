"""Leaving with something: the export dialog, copying a chart, dragging one out of the window."""
