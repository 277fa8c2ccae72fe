-- What came of one message of deliveries: those that were tried, and the rest, which is due as before. If the webhook
-- is disabled by now, nothing waits for it any more.
-- Parameters: token uuid; events uuid[], accepted boolean[], delays float8[] (seconds until the next attempt, NULL
--   after the last), attempts jsonb[]: of one length. Rows: one, how many deliveries were settled with this lease.
-- By hand: -v token="gen_random_uuid()" -v events="'{}'" -v accepted="'{}'" -v delays="'{}'" -v attempts="'{}'"
WITH held AS MATERIALIZED (SELECT token, endpoint FROM leases WHERE token = :token FOR UPDATE),
given AS MATERIALIZED (
  SELECT * FROM unnest(CAST(:events AS uuid[]), CAST(:accepted AS boolean[]), CAST(:delays AS float8[]),
    CAST(:attempts AS jsonb[])) AS g (event_id, accepted, delay, attempt)
), steps AS MATERIALIZED (
  SELECT d.webhook_id, d.event_id, g.delay, g.attempt,
    CASE WHEN g.accepted THEN 'delivered' WHEN w.disabled_at IS NOT NULL THEN 'failed'
         WHEN g.attempt IS NOT NULL AND g.delay IS NULL THEN 'failed' ELSE 'pending' END AS state
  FROM held JOIN deliveries d ON d.lease = held.token JOIN webhooks w ON w.id = d.webhook_id
  LEFT JOIN given g ON g.event_id = d.event_id
), moved AS (
  UPDATE deliveries d SET state = s.state, lease = NULL,
    due_at = CASE WHEN s.delay IS NULL THEN due_at ELSE now() + make_interval(secs => s.delay) END,
    tried = tried + CAST(s.attempt IS NOT NULL AS int),
    attempts = CASE WHEN s.attempt IS NULL THEN attempts
                    WHEN jsonb_array_length(attempts) < 30 THEN attempts || s.attempt
                    ELSE (attempts - 0) || s.attempt END,
    done_at = CASE WHEN s.state <> 'pending' THEN now() END
  FROM steps s WHERE d.webhook_id = s.webhook_id AND d.event_id = s.event_id
  RETURNING d.event_id
), closed AS (
  DELETE FROM leases WHERE token IN (SELECT token FROM held)
)
SELECT count(*) FROM moved;
