-- Part: a re-evaluation that is decided supersedes the evaluation that it was made for.
-- Needs a CTE `moved` with id, after and supersedes of every row.
superseded AS (
  UPDATE evaluations o SET superseded_by = m.id FROM moved m
  WHERE m.supersedes IS NOT NULL AND m.after = 'decided' AND o.id = m.supersedes
)
