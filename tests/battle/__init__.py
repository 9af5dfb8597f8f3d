"""The authority, its exit and its store."""
