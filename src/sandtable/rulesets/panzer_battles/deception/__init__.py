"""Deception units: deployed out of sight, they mislead columns and disturb engineers until they are found."""
