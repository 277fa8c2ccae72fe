-- Every process that reports itself or holds messages: when it started and was last seen, what it holds, and whether
-- it lives. One that was lost long ago is left out.
-- Parameters: lost interval, remembered interval.
-- By hand: -v lost="'45 seconds'" -v remembered="'1 hour'"
WITH held AS (
  SELECT worker, min(stage) AS stage, count(DISTINCT token) AS messages, count(e.id) AS claims,
    min(l.started_at) AS since
  FROM leases l LEFT JOIN evaluations e ON e.lease = l.token WHERE l.started_at IS NOT NULL GROUP BY worker
)
SELECT coalesce(w.name, h.worker) AS name, w.part, h.stage, w.host, w.started_at, w.seen_at,
  coalesce(h.messages, 0) AS messages, coalesce(h.claims, 0) AS claims, h.since,
  coalesce(w.seen_at >= now() - CAST(:lost AS interval), true) AS lives
FROM workers w FULL JOIN held h ON h.worker = w.name
WHERE w.seen_at IS NULL OR w.seen_at >= now() - CAST(:remembered AS interval)
ORDER BY coalesce(w.part, h.stage), lives DESC, name;
