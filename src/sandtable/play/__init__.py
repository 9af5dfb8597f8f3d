"""The machinery that every room runs on, with no rule in it."""
