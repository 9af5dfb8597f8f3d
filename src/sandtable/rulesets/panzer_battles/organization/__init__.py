"""Units made of units: combining platoons of a company, and breaking them down again."""
