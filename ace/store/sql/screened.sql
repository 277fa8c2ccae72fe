-- decide and escalate: the gatekeeper's results for one message.
-- Locks the lease before its evaluations, as every move does, so that two moves over one lease never deadlock.
-- Parameters: token uuid; one array per column of the results, all of one length (p0 to p5: probabilities;
--   grounds: what a Fail draws; would_escalate: decided, although it would go to the expert; start and end: the span of
--   a Fail, or NULL); score, tau, certain, model, calibration:
--   what they were made with; actor text.
-- By hand: -v token="gen_random_uuid()" -v ids="'{}'" -v escalate="'{}'" -v fail="'{}'" -v classes="'{}'"
--   -v grounds="'{}'" -v u="'{}'" -v h6="'{}'" -v p0="'{}'" -v p1="'{}'" -v p2="'{}'" -v p3="'{}'" -v p4="'{}'"
--   -v p5="'{}'" -v doubt="'{}'" -v disputed="'{}'" -v would_escalate="'{}'" -v start="'{}'" -v end="'{}'"
--   -v score="'u'" -v tau=0.4 -v certain=0.9 -v model="'m'" -v calibration="'c'" -v actor="'me'"
WITH held AS MATERIALIZED (SELECT token FROM leases WHERE token = :token FOR UPDATE),
given AS MATERIALIZED (
  SELECT * FROM unnest(
    CAST(:ids AS uuid[]), CAST(:escalate AS boolean[]), CAST(:fail AS boolean[]),
    CAST(:classes AS text[]), CAST(:grounds AS text[]), CAST(:u AS float8[]), CAST(:h6 AS float8[]),
    CAST(:p0 AS real[]), CAST(:p1 AS real[]), CAST(:p2 AS real[]),
    CAST(:p3 AS real[]), CAST(:p4 AS real[]), CAST(:p5 AS real[]), CAST(:doubt AS float8[]),
    CAST(:disputed AS boolean[]), CAST(:would_escalate AS boolean[]), CAST(:start AS int[]), CAST(:end AS int[]))
  AS g (id, escalate, fail, class, ground, u, h6, p0, p1, p2, p3, p4, p5, doubt, disputed, would_escalate,
        span_start, span_end)
), moved AS (
  UPDATE evaluations e SET
    state = CASE WHEN escalate THEN 'escalated' ELSE 'decided' END,
    verdict = CASE WHEN escalate THEN NULL WHEN fail THEN 'Fail' ELSE 'Pass' END,
    decided_by = CASE WHEN escalate THEN NULL ELSE 'gatekeeper' END,
    error_class = CASE WHEN fail AND NOT escalate THEN g.class END,
    ground = CASE WHEN fail AND NOT escalate THEN g.ground END,
    probabilities = ARRAY[p0, p1, p2, p3, p4, p5], u = g.u, h6 = g.h6,
    doubt = g.doubt, score = :score, tau = :tau, certain = :certain, model = :model, calibration = :calibration,
    disputed = g.disputed, would_escalate = g.would_escalate,
    span = CASE WHEN span_start IS NOT NULL THEN ARRAY[span_start, span_end] END,
    tries = 0, lease = NULL,
    error = NULL, failed_stage = NULL, moves = moves + 1, due_at = now(), updated_at = now()
  FROM held, given g WHERE e.id = g.id AND e.state = 'screening' AND e.lease = held.token
  RETURNING e.id, e.tenant, e.supersedes, moves, 'screening' AS before, e.state AS after, e.decided_by,
            CASE e.state WHEN 'decided' THEN 'decide' ELSE 'escalate' END AS move, NULL AS detail
), :RECORD_MOVES, :SUPERSEDED
SELECT count(*) FROM moved;
