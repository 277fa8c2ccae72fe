-- submit, second half: stores claims, queues an evaluation for each that is pending, and logs and counts those.
-- Parameters: one array per column, all of one length; actor text. A claim that is not pending has no id.
-- By hand: -v ids="'{}'" -v filings="'{}'" -v numbers="'{}'" -v texts="'{}'" -v ancestors="'{}'" -v statuses="'{}'"
--   -v tenants="'{}'" -v priorities="'{}'" -v sizes="'{}'" -v actor="'me'"
WITH given AS MATERIALIZED (
  SELECT * FROM unnest(
    CAST(:ids AS uuid[]), CAST(:filings AS uuid[]), CAST(:numbers AS smallint[]),
    CAST(:texts AS text[]), CAST(:ancestors AS text[]), CAST(:statuses AS text[]), CAST(:tenants AS text[]),
    CAST(:priorities AS smallint[]), CAST(:sizes AS integer[]))
  AS g (id, filing_id, number, text, ancestors, status, tenant, priority, size)
), stored AS (
  INSERT INTO claims (filing_id, number, text, ancestors, status)
  SELECT filing_id, number, text, CAST(ancestors AS smallint[]), status FROM given
), pending AS (
  SELECT * FROM given WHERE id IS NOT NULL
), queued AS (
  INSERT INTO evaluations
    (id, tenant, filing_id, claim_number, state, priority, size, tries, examined, outages, moves)
  SELECT id, tenant, filing_id, number, 'queued', priority, size, 0, 0, 0, 1 FROM pending
), logged AS (
  INSERT INTO events (evaluation_id, number, move, before, after, actor)
  SELECT id, 1, 'submit', NULL, 'queued', :actor FROM pending
)
INSERT INTO tallies (tenant, state, decided_by, count)
SELECT tenant, 'queued', '', count(*) FROM pending GROUP BY tenant;
