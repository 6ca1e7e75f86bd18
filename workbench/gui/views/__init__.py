"""Explorer tabs: tables of one scenario, each built when it is first shown."""
