"""Computer players. They see views only, so they know what a human in their seat would know."""
