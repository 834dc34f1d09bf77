"""What scripts/check-load is made of."""
