-- Part: whether evaluation `e` is the one that counts for its claim: not superseded, and a re-evaluation only once it
-- is decided. There is one for each claim that is evaluated.
e.superseded_by IS NULL AND (e.supersedes IS NULL OR e.state = 'decided')
