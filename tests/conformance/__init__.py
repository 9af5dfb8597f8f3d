"""What must hold for every ruleset, whatever its game."""
