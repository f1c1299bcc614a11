"""The bench: a virtual phone, the runner of the firmware, and pictures of its panel."""
