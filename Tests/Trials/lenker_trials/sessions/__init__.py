"""Sessions with a fault or a loss in them, and how the ride came back."""
