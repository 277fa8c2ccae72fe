-- release: gives back what leases still hold, counting no try, and closes the leases.
-- Parameters: tokens uuid[]; worker text: only leases that it took up, or with NULL those nobody has; actor text.
-- By hand: -v tokens="'{}'" -v worker=NULL -v actor="'me'"
WITH closed AS (
  DELETE FROM leases
  WHERE token = ANY(:tokens) AND worker IS NOT DISTINCT FROM CAST(:worker AS text) RETURNING token
), moved AS (
  UPDATE evaluations SET
    state = CASE state WHEN 'screening' THEN 'queued' ELSE 'escalated' END,
    lease = NULL, moves = moves + 1, updated_at = now()
  FROM closed WHERE lease = closed.token AND state IN ('screening', 'examining')
  RETURNING id, tenant, moves, 'release' AS move,
            CASE state WHEN 'queued' THEN 'screening' ELSE 'examining' END AS before,
            state AS after, decided_by, NULL AS detail
), :RECORD_MOVES, freed AS (
  UPDATE deliveries SET lease = NULL FROM closed WHERE lease = closed.token
)
SELECT count(*) FROM moved;
