-- What the attempts of one message say about their webhook. Disables it if its receiver is gone, or has accepted
-- nothing for days; then what waits for it fails, and its tenant is told.
-- Parameters: token uuid: changes nothing unless the lease is held; webhook uuid; accepted: whether an attempt was;
--   failed: whether the last one failed; gone; pause: seconds until the next message, or NULL; days.
-- Rows: why it was disabled, if it was.
-- By hand: -v token="gen_random_uuid()" -v webhook="gen_random_uuid()" -v accepted=true -v failed=false -v gone=false
--   -v pause=NULL -v days=5
WITH held AS MATERIALIZED (SELECT token FROM leases WHERE token = :token FOR UPDATE),
judged AS MATERIALIZED (
  SELECT w.id, CASE WHEN NOT :failed THEN NULL WHEN :accepted THEN now() ELSE coalesce(failing_since, now()) END AS since
  FROM held, webhooks w WHERE w.id = :webhook AND w.disabled_at IS NULL
    AND (:failed OR w.failing_since IS NOT NULL) FOR NO KEY UPDATE OF w
), moved AS (
  UPDATE webhooks w SET failing_since = j.since,
    paused_until = CASE WHEN :failed THEN now() + make_interval(secs => CAST(:pause AS float8)) END,
    disabled_at = CASE WHEN :gone OR j.since < now() - make_interval(days => :days) THEN now() END,
    disabled_by = CASE WHEN :gone THEN 'gone' WHEN j.since < now() - make_interval(days => :days) THEN 'failing' END
  FROM judged j WHERE w.id = j.id
  RETURNING w.id, w.tenant, w.disabled_by
), failed AS (
  UPDATE deliveries d SET state = 'failed', done_at = now() FROM moved m
  WHERE m.disabled_by IS NOT NULL AND d.webhook_id = m.id AND d.state = 'pending' AND d.lease IS NULL
), told AS (
  INSERT INTO outbox (tenant, kind, subjects, details)
  SELECT tenant, 'endpoint.disabled', ARRAY[id], ARRAY[disabled_by] FROM moved WHERE disabled_by IS NOT NULL
)
SELECT disabled_by FROM moved WHERE disabled_by IS NOT NULL;
