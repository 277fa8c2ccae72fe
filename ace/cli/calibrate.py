"""`ace calibrate`: when a gatekeeper's scores are too doubtful to be believed."""
