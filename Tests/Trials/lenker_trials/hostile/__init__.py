"""Attacks: what they do, and whether the program held."""


class NotHeld(Exception):
    """The program did what it must not, or not what it must."""
