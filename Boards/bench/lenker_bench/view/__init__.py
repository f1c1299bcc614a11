"""What a person sees: the panel in a terminal and as a picture, and the summary of a ride."""
