-- fail: claims that the rules could not be run on within their bound, each with the reason; the rest of the message
-- goes on. Locks the lease before its evaluations, as every move does.
-- Parameters: token uuid; ids uuid[] and errors text[], of one length; actor text.
-- By hand: -v token="gen_random_uuid()" -v ids="'{}'" -v errors="'{}'" -v actor="'me'"
WITH held AS MATERIALIZED (SELECT token FROM leases WHERE token = :token FOR UPDATE),
given AS MATERIALIZED (
  SELECT * FROM unnest(CAST(:ids AS uuid[]), CAST(:errors AS text[])) AS g (id, error)
), moved AS (
  UPDATE evaluations e SET
    state = 'failed', error = g.error, failed_stage = 'fast',
    lease = NULL, moves = moves + 1, updated_at = now()
  FROM held, given g WHERE e.id = g.id AND e.state = 'screening' AND e.lease = held.token
  RETURNING e.id, e.tenant, moves, 'fail' AS move, 'screening' AS before, e.state AS after, decided_by,
            g.error AS detail
), :RECORD_MOVES
SELECT count(*) FROM moved;
