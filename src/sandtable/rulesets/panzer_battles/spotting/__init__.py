"""Seeing: lines of sight, spotting levels, concealment and what a side remembers."""
