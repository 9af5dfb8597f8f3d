"""Combat results: what a combat value does to the unit it falls on, drawn or worked out beforehand."""
