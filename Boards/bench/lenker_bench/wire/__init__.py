"""The wire and the air: the controller, the radio link between controllers, and H4 over TCP."""
