"""The environment: visibility, ground condition, storms, and weather that is programmed day by day."""
