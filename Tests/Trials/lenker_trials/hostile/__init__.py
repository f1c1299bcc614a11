"""Attacks and strange chips: what they do, and whether the program held."""
