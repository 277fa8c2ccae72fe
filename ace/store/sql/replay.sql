-- replay: failed evaluations wait again for the stage that failed, their tries forgotten.
-- Parameters: ids uuid[]; tenant text, whose they must be; actor text. Rows: the ids that moved.
-- By hand: -v ids="'{}'" -v tenant="'office'" -v actor="'me'"
WITH moved AS (
  UPDATE evaluations SET
    state = CASE failed_stage WHEN 'fast' THEN 'queued' ELSE 'escalated' END,
    tries = 0, examined = 0, outages = 0, due_at = now(), moves = moves + 1, updated_at = now()
  WHERE id = ANY(:ids) AND tenant = :tenant AND state = 'failed'
  RETURNING id, tenant, moves, 'replay' AS move, 'failed' AS before, state AS after, decided_by, error AS detail
), :RECORD_MOVES
SELECT id FROM moved ORDER BY id;
