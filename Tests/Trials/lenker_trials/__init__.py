"""Sessions of the firmware that go wrong on purpose: faults of the wire, losses of the link, attacks."""
