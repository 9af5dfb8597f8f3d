"""Battles by the hundred and questions about single orders: what a program asks of the rules, for any system."""
