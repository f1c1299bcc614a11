"""One module for each command in `Tests/Trials`."""
