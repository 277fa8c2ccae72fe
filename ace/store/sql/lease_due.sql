-- dispatch on the fast stage: leases the due claims of one message, evenly over tenants that are not paused, each
-- tenant's most urgent first. A filing that would be cut waits for the next message, unless it is more than half a
-- message or the tenant has nothing else in this one: a worker then analyses it once. Claims that have lost a worker
-- travel in small groups, and alone on their last try.
-- Parameters: token uuid, the new lease's; lease_seconds; budget_tokens, max_claims: what the message may carry;
--   offer: how many claims are looked at and locked; suspects: how many claims that have lost a worker may
--   travel together; max_tries; actor text.
-- Rows: id, tries, offered (how many claims might have travelled together), of every claim leased.
-- By hand: -v token="gen_random_uuid()" -v lease_seconds=60 -v budget_tokens=8192 -v max_claims=64 -v offer=256
--   -v suspects=32 -v max_tries=3 -v actor="'me'"
WITH RECURSIVE :QUEUED_LINES, :PAUSED, tenants AS MATERIALIZED (
  -- If there is not room for all tenants, it is given out by lot.
  SELECT tenant, random() AS turn, ceil(CAST(:offer AS float8) / count(*) OVER ()) AS share
  FROM queued_lines l
  WHERE NOT EXISTS (SELECT FROM paused WHERE (kind, name) IN (('tenant', l.tenant), ('stage', 'fast')))
  GROUP BY tenant
), due AS MATERIALIZED (
  SELECT e.*, turn, share FROM queued_lines l JOIN tenants USING (tenant) CROSS JOIN LATERAL (
    SELECT id, tenant, filing_id, size, tries, priority, due_at FROM evaluations
    WHERE state = 'queued' AND tenant = l.tenant AND priority = l.priority AND due_at <= now()
    ORDER BY due_at, id LIMIT share FOR UPDATE SKIP LOCKED) e
), ranked AS MATERIALIZED (
  SELECT id, tenant, filing_id, size, tries, turn, share,
    row_number() OVER (PARTITION BY tenant ORDER BY priority, due_at, id) AS rank,
    CASE WHEN tries = 0 THEN :max_claims
         WHEN tries < :max_tries - 1 THEN least(:suspects, :max_claims) ELSE 1 END AS company
  FROM due
), fellows AS (
  SELECT *, row_number() OVER w AS place, sum(size) OVER w AS spent, count(*) OVER () AS offered
  FROM ranked
  WHERE rank <= share AND company = (SELECT company FROM ranked ORDER BY rank, turn LIMIT 1)
  WINDOW w AS (ORDER BY rank, turn, id)
), fitting AS (
  SELECT *, place = 1 OR (place <= company AND spent <= :budget_tokens) AS fits FROM fellows
), filings AS (
  SELECT *, bool_and(fits) OVER f OR 2 * sum(size) OVER f > :budget_tokens OR 2 * count(*) OVER f > company AS ready
  FROM fitting WINDOW f AS (PARTITION BY filing_id)
), taken AS (
  SELECT id, tries, offered
  FROM (SELECT *, bool_or(ready) OVER (PARTITION BY tenant) AS other FROM filings) f
  WHERE fits AND (ready OR NOT other)
), leased AS (
  INSERT INTO leases (token, stage, until)
  SELECT :token, 'fast', now() + make_interval(secs => :lease_seconds) WHERE EXISTS (SELECT FROM taken)
), moved AS (
  UPDATE evaluations SET state = 'screening', lease = :token, moves = moves + 1, updated_at = now()
  WHERE id IN (SELECT id FROM taken)
  RETURNING id, tenant, moves, 'dispatch' AS move, 'queued' AS before, 'screening' AS after, decided_by,
            NULL AS detail
), :RECORD_MOVES
SELECT id, tries, offered FROM taken;
