-- expire and fail: takes back what leases that ran out still hold. If a worker had taken the message up, each
-- claim counts a try, and fails as poison when it has max_tries; the event names the worker. Deliveries are due again.
-- Parameters: limit: leases to take back; max_tries; actor text.
-- By hand: -v limit=100 -v max_tries=3 -v actor="'me'"
WITH lapsed AS MATERIALIZED (
  SELECT token FROM leases WHERE until < now() ORDER BY until LIMIT :limit FOR UPDATE SKIP LOCKED
), dead AS (
  DELETE FROM leases WHERE token IN (SELECT token FROM lapsed)
  RETURNING token, stage, worker, CAST(started_at IS NOT NULL AS int) AS started
), moved AS (
  UPDATE evaluations e SET
    state = CASE WHEN tries + started >= :max_tries THEN 'failed'
                 WHEN d.stage = 'fast' THEN 'queued' ELSE 'escalated' END,
    error = CASE WHEN tries + started >= :max_tries THEN 'poison' ELSE error END,
    failed_stage = CASE WHEN tries + started >= :max_tries THEN d.stage ELSE failed_stage END,
    tries = tries + started, lease = NULL, moves = moves + 1, updated_at = now()
  FROM dead d WHERE e.lease = d.token AND e.state IN ('screening', 'examining')
  RETURNING e.id, e.tenant, moves, CASE e.state WHEN 'failed' THEN 'fail' ELSE 'expire' END AS move,
            CASE d.stage WHEN 'fast' THEN 'screening' ELSE 'examining' END AS before,
            e.state AS after, decided_by,
            CASE e.state WHEN 'failed' THEN 'poison' ELSE d.worker END AS detail
), :RECORD_MOVES, freed AS (
  UPDATE deliveries SET lease = NULL FROM dead WHERE lease = dead.token
)
SELECT count(*) FROM moved;
