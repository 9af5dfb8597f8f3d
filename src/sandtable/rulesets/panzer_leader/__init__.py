"""Panzer Leader: platoon actions in the west, 1944-45 (rules PL-101 to PL-1609)."""
