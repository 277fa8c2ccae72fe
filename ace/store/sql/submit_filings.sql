-- submit, first half: stores filings; one whose tenant and idempotency key are known is left out.
-- Parameters: one array per column, all of one length. Rows: the ids that were stored.
-- By hand: -v ids="'{}'" -v tenants="'{}'" -v dockets="'{}'" -v priorities="'{}'" -v details="'{}'" -v counts="'{}'"
--   -v keys="'{}'" -v hashes="'{}'"
INSERT INTO filings (id, tenant, docket, priority, metadata, claim_count, idempotency_key, body_hash)
SELECT * FROM unnest(
  CAST(:ids AS uuid[]), CAST(:tenants AS text[]), CAST(:dockets AS text[]),
  CAST(:priorities AS smallint[]), CAST(:details AS jsonb[]), CAST(:counts AS integer[]),
  CAST(:keys AS text[]), CAST(:hashes AS bytea[]))
ON CONFLICT (tenant, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
RETURNING id;
