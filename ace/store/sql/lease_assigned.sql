-- dispatch on the slow stage: a lease for each of these claims, in their order; those no longer due are left out.
-- Parameters: ids uuid[], tokens uuid[], endpoints text[], of one length; lease_seconds; actor text.
-- Rows: id, token, endpoint, tries of every claim leased.
-- By hand: -v ids="'{}'" -v tokens="'{}'" -v endpoints="'{}'" -v lease_seconds=60 -v actor="'me'"
WITH assigned AS MATERIALIZED (
  SELECT e.id, a.token, a.endpoint, e.tries
  FROM unnest(CAST(:ids AS uuid[]), CAST(:tokens AS uuid[]), CAST(:endpoints AS text[]))
    WITH ORDINALITY AS a (id, token, endpoint, place) JOIN evaluations e ON e.id = a.id
  WHERE e.state = 'escalated' ORDER BY place FOR UPDATE OF e SKIP LOCKED
), leased AS (
  INSERT INTO leases (token, stage, until, endpoint)
  SELECT token, 'slow', now() + make_interval(secs => :lease_seconds), endpoint FROM assigned
), moved AS (
  UPDATE evaluations e SET
    state = 'examining', lease = assigned.token, moves = moves + 1, updated_at = now()
  FROM assigned WHERE e.id = assigned.id
  RETURNING e.id, tenant, moves, 'dispatch' AS move, 'escalated' AS before, 'examining' AS after, decided_by,
            NULL AS detail
), :RECORD_MOVES
SELECT id, token, endpoint, tries FROM assigned;
