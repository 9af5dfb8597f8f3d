"""The `sandtable` command: play in a terminal, ask for odds, run batches, look into records and content."""
