"""Views to explore in, drawn by pyqtgraph, which is imported when one is first shown."""
