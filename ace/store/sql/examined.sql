-- decide, defer and fail: what came of one examination. The examination is kept with the move; what is learned of
-- its endpoint is kept even if the move comes too late.
-- Parameters: move text: 'decide', 'defer' or 'fail'; token uuid; id uuid: the evaluation; examination uuid: its own
--   id; columns jsonb: its columns by their names, except ids, number and time; error_class and ground text and
--   disputed boolean, for 'decide'; own boolean: whether a fault is the claim's own, which counts against its limit of
--   examinations; delay: seconds until a deferred claim is due again, but at once if the fault is not its own and another
--   endpoint may still be tried; disputes text[]: kinds to count; retry_after: seconds that the endpoint asked for, or NULL; actor text.
-- Rows: the evaluation's id, if it moved.
-- By hand: -v move="'defer'" -v token="gen_random_uuid()" -v id="gen_random_uuid()" -v examination="gen_random_uuid()"
--   -v columns="'{\"seconds\": 1}'" -v error_class=NULL -v ground=NULL -v disputed=false -v delay=9
--   -v own=true -v disputes="'{}'" -v retry_after=NULL -v actor="'me'"
WITH held AS MATERIALIZED (SELECT token FROM leases WHERE token = :token FOR UPDATE),
given AS MATERIALIZED (
  SELECT CAST(:move AS text) AS move, x.*
  FROM jsonb_populate_record(NULL::examinations, CAST(:columns AS jsonb)) AS x
), moved AS (
  UPDATE evaluations e SET
    state = CASE g.move WHEN 'decide' THEN 'decided' WHEN 'defer' THEN 'escalated' ELSE 'failed' END,
    verdict = CASE g.move WHEN 'decide' THEN g.verdict ELSE e.verdict END,
    decided_by = CASE g.move WHEN 'decide' THEN 'expert' ELSE e.decided_by END,
    error_class = CASE g.move WHEN 'decide' THEN :error_class ELSE e.error_class END,
    ground = CASE g.move WHEN 'decide' THEN :ground ELSE e.ground END,
    examination_id = CASE g.move WHEN 'decide' THEN :examination ELSE e.examination_id END,
    disputed = CASE g.move WHEN 'decide' THEN :disputed ELSE e.disputed END,
    failed_stage = CASE g.move WHEN 'decide' THEN NULL WHEN 'fail' THEN 'slow' ELSE e.failed_stage END,
    due_at = CASE WHEN g.move <> 'defer' THEN e.due_at
                  WHEN NOT :own AND e.examined + e.outages < (
                    SELECT count(*) FROM endpoints WHERE breaker = 'closed' AND name <> g.endpoint) THEN now()
                  ELSE now() + make_interval(secs => :delay) END,
    error = g.error, tries = 0, lease = NULL,
    examined = e.examined + CAST(:own AS int), outages = CASE WHEN :own THEN 0 ELSE e.outages + 1 END,
    moves = moves + 1, updated_at = now()
  FROM held, given g WHERE e.id = :id AND e.state = 'examining' AND e.lease = held.token
  RETURNING e.id, tenant, supersedes, moves, g.move, 'examining' AS before, e.state AS after, decided_by,
            g.error AS detail
), kept AS (
  INSERT INTO examinations
  SELECT x.* FROM moved, jsonb_populate_record(NULL::examinations, CAST(:columns AS jsonb) || jsonb_build_object(
    'id', CAST(:examination AS uuid), 'evaluation_id', moved.id, 'at', now(),
    'number', (SELECT count(*) + 1 FROM examinations WHERE evaluation_id = moved.id))) AS x
), disputing AS (
  INSERT INTO disputes (kind, count)
  SELECT kind, 1 FROM moved CROSS JOIN unnest(CAST(:disputes AS text[])) AS d (kind)
), learned AS (
  INSERT INTO outcomes (endpoint, token, error, own, seconds, retry_after, leased_at)
  SELECT endpoint, :token, error, :own AND error IS NOT NULL, seconds, :retry_after, (SELECT made_at FROM leases WHERE token = :token)
  FROM given WHERE endpoint IS NOT NULL
), :RECORD_MOVES, :SUPERSEDED, closed AS (
  DELETE FROM leases WHERE token = :token AND EXISTS (SELECT FROM moved)
)
SELECT id FROM moved;
