"""Units made of units: combining platoons of a company, breaking them down again, and attaching them to other corps."""
