"""Moving: what a step costs, how much fits into a hex, zones of control, modes, and the moves themselves."""
