-- Part: the pauses in force, of all tenants.
paused AS MATERIALIZED (SELECT kind, name, drain FROM pauses WHERE ended_at IS NULL)
