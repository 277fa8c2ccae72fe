-- What there is for a dispatcher to do: by indexes, without a lock, in one round trip.
-- What is paused is not due, and an endpoint that is paused has no room.
-- Rows: one, the fields of `Pending` in pending.py.
-- By hand: no options.
WITH :PAUSED
SELECT EXISTS (SELECT FROM leases WHERE until < now()) AS lapsed,
  EXISTS (
    WITH RECURSIVE :QUEUED_LINES
    SELECT FROM queued_lines l CROSS JOIN LATERAL (
      SELECT FROM evaluations
      WHERE state = 'queued' AND tenant = l.tenant AND priority = l.priority AND due_at <= now() LIMIT 1) first
    WHERE NOT EXISTS (SELECT FROM paused WHERE (kind, name) IN (('tenant', l.tenant), ('stage', 'fast')))
  ) AS fast,
  EXISTS (
    WITH RECURSIVE :ESCALATED_LINES
    SELECT FROM escalated_lines l CROSS JOIN LATERAL (
      SELECT FROM evaluations
      WHERE state = 'escalated' AND tenant = l.tenant AND priority = l.priority AND due_at <= now() LIMIT 1) first
    WHERE NOT EXISTS (SELECT FROM paused WHERE (kind, name) IN (('tenant', l.tenant), ('stage', 'slow')))
  ) AS slow,
  EXISTS (SELECT FROM outcomes) AS came, EXISTS (:DRAINED_LEASES) AS drained,
  EXISTS (SELECT FROM jobs WHERE state = 'running') AS jobs,
  (SELECT id FROM outbox ORDER BY id LIMIT 1) IS NOT NULL AS told,
  EXISTS (WITH RECURSIVE :READY_WEBHOOKS SELECT FROM ready_webhooks) AS webhooks, e.*, w.*
FROM (
  SELECT array_agg(name) AS names, array_agg(weight) AS weights, array_agg(most) AS most,
    coalesce(bool_or(NOT EXISTS (SELECT FROM paused p WHERE p.kind = 'endpoint' AND p.name = endpoints.name)
      AND CASE breaker WHEN 'closed' THEN
      (SELECT count(*) FROM leases WHERE stage = 'slow' AND endpoint = endpoints.name) < floor(slots)
      ELSE until <= now() END), false) AS room
  FROM endpoints) e, (
  SELECT count(*) AS waiting, coalesce(extract(epoch FROM now() - min(made_at)), 0) AS waited_seconds
  FROM leases WHERE stage = 'fast' AND started_at IS NULL) w;
