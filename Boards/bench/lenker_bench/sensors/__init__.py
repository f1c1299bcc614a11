"""Sensors on the phone's air: what straps, wheels, pedals and radars send."""
