-- submit: a new evaluation for the claim of each of these, if it is decided and there is none already; the least
-- urgent of all work. What was decided stays as it is. Filings that a purge holds are left out.
-- Parameters: ids uuid[]; tenant text, whose they must be; actor text. Rows: the ids of the new evaluations.
-- By hand: -v ids="'{}'" -v tenant="'office'" -v actor="'me'"
WITH given AS MATERIALIZED (
  SELECT e.id, e.tenant, e.filing_id, e.claim_number, e.size
  FROM evaluations e JOIN filings f ON f.id = e.filing_id
  WHERE e.id = ANY(:ids) AND e.tenant = :tenant AND :REEVALUABLE
  ORDER BY e.id FOR SHARE OF f SKIP LOCKED
), queued AS (
  INSERT INTO evaluations
    (id, tenant, filing_id, claim_number, state, priority, size, tries, examined, outages, moves, supersedes)
  SELECT uuidv7(), tenant, filing_id, claim_number, 'queued', 9, size, 0, 0, 0, 1, id FROM given
  ON CONFLICT (supersedes) WHERE supersedes IS NOT NULL AND state <> 'cancelled' DO NOTHING
  RETURNING id, tenant
), logged AS (
  INSERT INTO events (evaluation_id, number, move, before, after, actor)
  SELECT id, 1, 'submit', NULL, 'queued', :actor FROM queued
), counted AS (
  INSERT INTO tallies (tenant, state, decided_by, count)
  SELECT tenant, 'queued', '', count(*) FROM queued GROUP BY tenant
)
SELECT id FROM queued ORDER BY id;
