"""The one-machine stack: embedded PostgreSQL and Redis, ACE's processes, and sample claim sets."""
