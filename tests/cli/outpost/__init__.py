"""The toy ruleset in a room of its own, with scenarios in files: a whole system for the commands to find."""
