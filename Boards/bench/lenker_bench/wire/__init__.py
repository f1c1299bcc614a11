"""The wire and the air: the controller, the radio link, H4, and the faults that can be put on it."""
