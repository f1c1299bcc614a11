"""A phone, a chip and a firmware, and what is between them."""
