-- decide and escalate: the gatekeeper's results for one message, with the findings of the rules, if there are any.
-- Locks the lease before its evaluations, as every move does, so that two moves over one lease never deadlock.
-- Parameters: token uuid; one array per column of the results, all of one length (p0 to p5: probabilities);
--   score, tau, model, calibration: what they were made with; checked uuid[] and found jsonb[]: evaluations with
--   their findings; jurisdiction, threshold, rules: what those were made with; actor text.
-- By hand: -v token="gen_random_uuid()" -v ids="'{}'" -v escalate="'{}'" -v fail="'{}'" -v classes="'{}'" -v u="'{}'"
--   -v h6="'{}'" -v p0="'{}'" -v p1="'{}'" -v p2="'{}'" -v p3="'{}'" -v p4="'{}'" -v p5="'{}'" -v doubt="'{}'"
--   -v score="'u'" -v tau=0.4 -v model="'m'" -v calibration="'c'" -v checked="'{}'" -v found="'{}'"
--   -v jurisdiction="'US'" -v threshold=0.5 -v rules="'r'" -v actor="'me'"
WITH held AS MATERIALIZED (SELECT token FROM leases WHERE token = :token FOR UPDATE),
given AS MATERIALIZED (
  SELECT * FROM unnest(
    CAST(:ids AS uuid[]), CAST(:escalate AS boolean[]), CAST(:fail AS boolean[]),
    CAST(:classes AS text[]), CAST(:u AS float8[]), CAST(:h6 AS float8[]),
    CAST(:p0 AS real[]), CAST(:p1 AS real[]), CAST(:p2 AS real[]),
    CAST(:p3 AS real[]), CAST(:p4 AS real[]), CAST(:p5 AS real[]), CAST(:doubt AS float8[]))
  AS g (id, escalate, fail, class, u, h6, p0, p1, p2, p3, p4, p5, doubt)
), moved AS (
  UPDATE evaluations e SET
    state = CASE WHEN escalate THEN 'escalated' ELSE 'decided' END,
    verdict = CASE WHEN escalate THEN NULL WHEN fail THEN 'Fail' ELSE 'Pass' END,
    decided_by = CASE WHEN escalate THEN NULL ELSE 'gatekeeper' END,
    error_class = CASE WHEN fail AND NOT escalate THEN g.class END,
    probabilities = ARRAY[p0, p1, p2, p3, p4, p5], u = g.u, h6 = g.h6,
    doubt = g.doubt, score = :score, tau = :tau, model = :model, calibration = :calibration,
    tries = 0, lease = NULL,
    error = NULL, failed_stage = NULL, moves = moves + 1, due_at = now(), updated_at = now()
  FROM held, given g WHERE e.id = g.id AND e.state = 'screening' AND e.lease = held.token
  RETURNING e.id, e.tenant, moves, 'screening' AS before, e.state AS after, e.decided_by,
            CASE e.state WHEN 'decided' THEN 'decide' ELSE 'escalate' END AS move, NULL AS detail
), kept AS (
  INSERT INTO findings (evaluation_id, jurisdiction, threshold, rules, found)
  SELECT moved.id, CAST(:jurisdiction AS text), CAST(:threshold AS float8), CAST(:rules AS text), c.found
  FROM moved JOIN unnest(CAST(:checked AS uuid[]), CAST(:found AS jsonb[])) AS c (id, found) USING (id)
  ON CONFLICT (evaluation_id) DO UPDATE SET jurisdiction = excluded.jurisdiction,
    threshold = excluded.threshold, rules = excluded.rules, found = excluded.found, at = now()
), :RECORD_MOVES
SELECT count(*) FROM moved;
