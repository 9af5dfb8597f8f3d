"""What tests share: a toy ruleset, boards drawn in letters, dice that fall as written, and the cases of the suite."""
