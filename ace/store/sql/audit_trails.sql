-- Evaluations whose trail no sequence of moves explains: events numbered 1, 2, 3 …, each from where the one before led,
-- only legal moves, ending where the evaluation stands, and one decision for each verdict.
-- Parameter: legal text[]: 'move:before:after' of every legal step. Rows: one, how many.
-- By hand: -v legal="'{}'"
WITH chain AS (
  SELECT evaluation_id, number, move, before, after,
         row_number() OVER w AS expected, lag(after) OVER w AS stood
  FROM events WINDOW w AS (PARTITION BY evaluation_id ORDER BY number)
), broken AS (
  SELECT evaluation_id FROM chain
  WHERE number <> expected OR before IS DISTINCT FROM stood
     OR NOT (move || ':' || coalesce(before, '') || ':' || after = ANY(:legal))
  UNION
  SELECT e.id FROM evaluations e LEFT JOIN events v ON v.evaluation_id = e.id AND v.number = e.moves
  WHERE v.after IS DISTINCT FROM e.state
     OR (SELECT count(*) FROM events v WHERE v.evaluation_id = e.id) <> e.moves
  UNION
  SELECT e.id FROM evaluations e LEFT JOIN events v ON v.evaluation_id = e.id AND v.move = 'decide'
  WHERE e.state = 'decided' GROUP BY e.id HAVING count(v.number) <> 1
)
SELECT count(*) FROM broken;
