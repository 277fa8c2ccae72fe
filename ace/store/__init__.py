"""PostgreSQL, the only truth: tables, every state change, every read. Knows claims, nothing above."""
