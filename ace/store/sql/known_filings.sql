-- The filings that were stored under these keys before, each with its first evaluations.
-- Parameters: tenants text[] and keys text[], of one length.
-- By hand: -v tenants="'{office}'" -v keys="'{k-1}'"
SELECT f.tenant, f.idempotency_key, f.id, f.body_hash,
  array_agg(e.claim_number ORDER BY e.id) AS numbers, array_agg(e.id ORDER BY e.id) AS ids
FROM (SELECT DISTINCT * FROM unnest(CAST(:tenants AS text[]), CAST(:keys AS text[]))) AS g (tenant, key)
JOIN filings f ON f.tenant = g.tenant AND f.idempotency_key = g.key
JOIN evaluations e ON e.filing_id = f.id AND e.supersedes IS NULL
GROUP BY f.id;
