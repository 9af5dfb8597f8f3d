"""What the numbers of Panzer Battles must produce: engagements played by the rules and held against bands."""
