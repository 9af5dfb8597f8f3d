"""The protocol every ruleset speaks: whose decision is open, what was rolled, what happened, who may see it."""
