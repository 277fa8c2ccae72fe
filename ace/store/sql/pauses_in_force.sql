-- The pauses in force, oldest first, each with the claims that it does not hold up, as they were on their way.
-- By hand: no options.
SELECT p.id, p.tenant, p.kind, p.name, p.drain, p.reason, p.actor, p.at, CASE p.kind
  WHEN 'endpoint' THEN (SELECT count(*) FROM leases WHERE endpoint = p.name)
  WHEN 'stage' THEN (SELECT count(e.id) FROM leases l JOIN evaluations e ON e.lease = l.token WHERE l.stage = p.name)
  ELSE (SELECT count(*) FROM evaluations WHERE tenant = p.name AND state IN ('screening', 'examining')) END AS in_hand
FROM pauses p WHERE p.ended_at IS NULL ORDER BY p.id;
