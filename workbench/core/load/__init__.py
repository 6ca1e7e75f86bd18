"""What arrives: length distributions and what they ask of the pool."""
