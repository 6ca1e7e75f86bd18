"""Nouns: frozen, validated types and units. Imports nothing else of ours and no Qt."""
