-- Stores what an endpoint reports of itself. If its breaker is open, it may be tried at once: what was missing
-- may have come with the new worker.
-- Parameters: name text; bound int or NULL: examinations at once, by its own word; first: slots of a new one.
-- By hand: -v name="'e'" -v bound=NULL -v first=8
INSERT INTO endpoints AS e (name, weight, most, slots, max_concurrent)
VALUES (:name, 1, :first, least(:first, CAST(:bound AS int)), CAST(:bound AS int))
ON CONFLICT (name) DO UPDATE SET
  max_concurrent = coalesce(excluded.max_concurrent, e.max_concurrent),
  slots = least(e.slots, excluded.max_concurrent), until = least(e.until, now());
