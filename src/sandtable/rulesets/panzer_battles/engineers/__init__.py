"""Engineers: works, mines, rubble, bridges and ferries, and everybody's digging in."""
