"""Assault: gathering for it, what both sides are worth in it, and who holds the hex afterwards."""
