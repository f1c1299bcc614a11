"""The programs of the bench: how they are built and run, and what they say."""
