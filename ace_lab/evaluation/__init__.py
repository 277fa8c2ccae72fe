"""How good a gatekeeper is, alone and with an expert: the paper's tables on our data."""
