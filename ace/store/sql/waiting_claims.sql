-- The claims that are due to be examined: of every tenant and priority those that have been due longest,
-- without what is paused. Locks nothing.
-- Parameters: each: the maximum of each tenant and priority; looked_at: of all tenants together, about.
-- Rows: the fields of `WaitingClaim` in assignment.py; failed_at is the endpoint of the last examination, if that failed.
-- By hand: -v each=16 -v looked_at=256
WITH RECURSIVE :ESCALATED_LINES, :PAUSED, flights AS MATERIALIZED (
  SELECT tenant, count(*) AS in_flight FROM leases JOIN evaluations ON lease = token
  WHERE stage = 'slow' GROUP BY tenant
), tenants AS MATERIALIZED (
  SELECT tenant, least(:each, ceil(CAST(:looked_at AS float8) / count(*) OVER ())) AS share
  FROM escalated_lines l
  WHERE NOT EXISTS (SELECT FROM paused WHERE (kind, name) IN (('tenant', l.tenant), ('stage', 'slow')))
  GROUP BY tenant
)
SELECT d.id, tenant, d.filing_id, d.claim_number, d.priority, coalesce(in_flight, 0) AS in_flight, failed_at
FROM escalated_lines l JOIN tenants USING (tenant) LEFT JOIN flights USING (tenant) CROSS JOIN LATERAL (
  SELECT id, filing_id, claim_number, priority, CASE WHEN error IS NOT NULL THEN (
    SELECT CASE WHEN x.error IS NOT NULL THEN endpoint END FROM examinations x
    WHERE evaluation_id = e.id ORDER BY number DESC LIMIT 1) END AS failed_at
  FROM evaluations e
  WHERE state = 'escalated' AND e.tenant = l.tenant AND e.priority = l.priority AND due_at <= now()
  ORDER BY due_at, id LIMIT share) d;
