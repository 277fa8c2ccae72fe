-- Part: the leases that no worker has taken up and that a pause takes back. Needs the CTE `paused`.
SELECT l.token FROM leases l WHERE l.started_at IS NULL AND EXISTS (
  SELECT FROM paused p WHERE p.drain AND CASE p.kind
    WHEN 'stage' THEN l.stage = p.name
    WHEN 'endpoint' THEN l.endpoint = p.name
    ELSE EXISTS (SELECT FROM evaluations e WHERE e.lease = l.token AND e.tenant = p.name) END)
