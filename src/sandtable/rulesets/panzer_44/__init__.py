"""Panzer '44: tactical combat in western Europe, 1944-45, with secret plots that both sides open at once."""
