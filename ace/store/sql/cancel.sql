-- cancel: every evaluation of a filing that has no verdict yet.
-- Parameters: filing uuid; tenant text, whose it must be; actor text. Rows: the ids that moved.
-- By hand: -v filing="gen_random_uuid()" -v tenant="'office'" -v actor="'me'"
WITH held AS (
  SELECT id, state FROM evaluations
  WHERE filing_id = :filing AND tenant = :tenant AND state NOT IN ('decided', 'cancelled')
  ORDER BY id FOR UPDATE
), moved AS (
  UPDATE evaluations e SET state = 'cancelled', lease = NULL, moves = moves + 1, updated_at = now()
  FROM held WHERE e.id = held.id
  RETURNING e.id, e.tenant, moves, 'cancel' AS move, held.state AS before, e.state AS after, decided_by,
            NULL AS detail
), :RECORD_MOVES
SELECT id FROM moved ORDER BY id;
