-- The oldest test filings that are older than some hours, still have their text, and have nothing open any more.
-- Parameters: hours; limit. Rows: id.
-- By hand: -v hours=24 -v limit=100
SELECT id FROM filings f
WHERE :FOR_TESTS AND purged_at IS NULL AND created_at < now() - make_interval(hours => :hours)
  AND NOT EXISTS (
    SELECT FROM evaluations e
    WHERE e.filing_id = f.id AND e.state NOT IN ('decided', 'failed', 'cancelled'))
ORDER BY created_at, id LIMIT :limit;
