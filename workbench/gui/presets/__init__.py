"""The preset library: browsing, comparing, editing and exchanging presets."""
