-- Part: whether the claim of evaluation `e` can be evaluated again: it is decided, no re-evaluation of it is under way
-- or decided, and its text is still there.
e.state = 'decided' AND e.superseded_by IS NULL
AND NOT EXISTS (SELECT FROM evaluations n WHERE n.supersedes = e.id AND n.state <> 'cancelled')
AND EXISTS (SELECT FROM filings p WHERE p.id = e.filing_id AND p.purged_at IS NULL)
