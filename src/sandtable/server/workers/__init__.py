"""Processes for what takes long: computer players, sampled odds, strangers' records."""
