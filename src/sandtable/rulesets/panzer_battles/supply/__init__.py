"""Supply: what a unit can count on where it is, its lines of communication, its ammunition and its fuel."""
