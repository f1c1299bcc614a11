"""A wire that damages what it carries, and a controller that does what real ones do and none should."""
