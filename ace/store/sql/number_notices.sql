-- Gives what moves put into the outbox its numbers in the feeds of its tenants, and makes the deliveries. A filing
-- that has nothing open any more is told of once for each time that this becomes so: the sum of its moves says which.
-- One dispatcher at a time may do it: numbers then become visible in their order, without gaps.
-- Parameter: limit: events after which no further row is taken. Rows: one, how many events were taken.
-- By hand: -v limit=1000
WITH taken AS MATERIALIZED (
  DELETE FROM outbox WHERE id IN (
    SELECT id FROM (
      SELECT id, sum(cardinality(subjects)) OVER (ORDER BY id) - cardinality(subjects) AS before
      FROM (SELECT id, subjects FROM outbox ORDER BY id LIMIT :limit) first) counted
    WHERE before < :limit)
  RETURNING id, tenant, kind, subjects, details, at
), told AS MATERIALIZED (
  SELECT uuidv7() AS id, o.id AS row, s.place, o.tenant, o.kind, o.at, e.filing_id, e.id AS evaluation_id, e.claim_number,
    CASE o.kind WHEN 'evaluation.decided' THEN e.verdict END AS verdict,
    CASE o.kind WHEN 'evaluation.decided' THEN e.error_class END AS error_class, s.detail AS error,
    CASE o.kind WHEN 'endpoint.disabled' THEN s.subject END AS webhook_id
  FROM taken o CROSS JOIN LATERAL unnest(o.subjects, o.details) WITH ORDINALITY AS s (subject, detail, place)
  LEFT JOIN evaluations e ON e.id = s.subject
), filings AS MATERIALIZED (
  SELECT filing_id, tenant, max(at) AS at FROM told WHERE filing_id IS NOT NULL GROUP BY filing_id, tenant
), settled AS MATERIALIZED (
  SELECT uuidv7() AS id, f.tenant, f.filing_id, f.at, s.moves FROM filings f CROSS JOIN LATERAL (
    SELECT sum(moves) AS moves, bool_and(state IN ('decided', 'failed', 'cancelled')) AS final
    FROM evaluations WHERE filing_id = f.filing_id) s
  WHERE s.final AND NOT EXISTS (
    SELECT FROM notices n WHERE n.filing_id = f.filing_id AND n.moves = s.moves AND n.kind = 'filing.settled')
), fresh AS (
  SELECT row, place, id, tenant, kind, at, filing_id, evaluation_id, claim_number, verdict, error_class, error,
    webhook_id, CAST(NULL AS bigint) AS moves FROM told
  UNION ALL
  SELECT NULL, NULL, id, tenant, 'filing.settled', at, filing_id, NULL, NULL, NULL, NULL, NULL, NULL, moves FROM settled
), heads AS MATERIALIZED (
  SELECT tenant, coalesce((
    SELECT number FROM notices n WHERE n.tenant = t.tenant ORDER BY number DESC LIMIT 1), 0) AS head
  FROM (SELECT DISTINCT tenant FROM taken) t
), numbered AS (
  INSERT INTO notices (tenant, number, id, kind, at, filing_id, evaluation_id, claim_number, verdict, error_class,
    error, webhook_id, moves)
  SELECT tenant, head + row_number() OVER (PARTITION BY tenant ORDER BY row NULLS LAST, place, id), id, kind, at, filing_id,
    evaluation_id, claim_number, verdict, error_class, error, webhook_id, moves
  FROM fresh JOIN heads USING (tenant)
  RETURNING tenant, number, id, kind
), sent AS (
  INSERT INTO deliveries (webhook_id, event_id, tenant, number)
  SELECT w.id, n.id, n.tenant, n.number FROM numbered n JOIN webhooks w ON w.tenant = n.tenant
  WHERE w.disabled_at IS NULL AND w.deleted_at IS NULL AND n.kind = ANY(w.kinds)
)
SELECT count(*) FROM told;
