"""How much work each expert endpoint is given: slots and a circuit breaker. Pure."""
