"""Results to display lists: what is drawn, where, in which colour. Pure Python, no Qt."""
