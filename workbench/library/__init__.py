"""Our own files: presets, plans, migrations, recovery, settings. No Qt."""
