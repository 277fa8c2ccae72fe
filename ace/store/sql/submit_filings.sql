-- submit, first half: stores filings; one whose tenant and idempotency key are known is left out.
-- Parameters: one array per column, all of one length; request_id and traceparent text: of all of them;
--   limited boolean: whether backlogs are asked for; final: the final states.
-- Rows: the ids that were stored, each with how many of its tenant's evaluations waited for a verdict before.
-- By hand: -v ids="'{}'" -v tenants="'{}'" -v dockets="'{}'" -v priorities="'{}'" -v details="'{}'" -v counts="'{}'"
--   -v keys="'{}'" -v hashes="'{}'" -v request_id=NULL -v traceparent=NULL -v limited=true -v final="'{}'"
WITH stored AS (
  INSERT INTO filings (id, tenant, docket, priority, metadata, claim_count, idempotency_key, body_hash,
    request_id, traceparent)
  SELECT *, CAST(:request_id AS text), CAST(:traceparent AS text) FROM unnest(
    CAST(:ids AS uuid[]), CAST(:tenants AS text[]), CAST(:dockets AS text[]),
    CAST(:priorities AS smallint[]), CAST(:details AS jsonb[]), CAST(:counts AS integer[]),
    CAST(:keys AS text[]), CAST(:hashes AS bytea[]))
  ON CONFLICT (tenant, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
  RETURNING id, tenant
), waiting AS (
  SELECT tenant, sum(count) AS backlog FROM tallies
  WHERE :limited AND tenant IN (SELECT tenant FROM stored) AND NOT state = ANY(CAST(:final AS text[]))
  GROUP BY tenant
)
SELECT id, coalesce(backlog, 0) FROM stored LEFT JOIN waiting USING (tenant);
