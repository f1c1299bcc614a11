"""Breaks the sources on purpose, a line at a time, to see whether a test notices; `Tests/mutate` is its command."""
