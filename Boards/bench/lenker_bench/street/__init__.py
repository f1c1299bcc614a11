"""Who else is on the air: beacons, the devices of a busy street, and one with services to look at."""
