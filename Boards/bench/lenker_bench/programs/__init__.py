"""The programs of the bench: building and running them, and following what they say."""
