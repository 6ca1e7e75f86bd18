"""What people bring: measured logs, turned into questions that the core can answer."""
