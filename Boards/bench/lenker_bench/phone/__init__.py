"""The virtual phone: the ride, komoot's service, and how kinds of phones differ."""
