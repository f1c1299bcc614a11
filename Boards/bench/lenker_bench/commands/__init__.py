"""One module for each command in `Boards/bench`, and the options that they share."""
