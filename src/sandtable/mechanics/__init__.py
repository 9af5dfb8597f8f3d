"""Arithmetic that two or more systems share, as functions of explicit arguments."""
