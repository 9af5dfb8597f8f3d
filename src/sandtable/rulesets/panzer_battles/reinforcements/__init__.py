"""Who comes, goes, or may not move yet: reinforcements by road, sea and air, releases, withdrawals, exits."""
