"""Fire: who may fire at what, what a fire is worth, and what comes of it."""
