"""Display lists and tables to files and the clipboard."""
