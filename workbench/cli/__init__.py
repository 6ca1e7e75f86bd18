"""The command line: one module a verb, the same core as the window, no arithmetic of its own."""
