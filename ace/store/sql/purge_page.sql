-- The next page of filings, old or not, so that every statement is short: the last id looked at, and those to purge.
-- Parameters: after uuid; limit; before timestamptz; tenant text, or NULL for all.
-- By hand: -v after="'00000000-0000-0000-0000-000000000000'" -v limit=100 -v before="'2000-01-01'" -v tenant=NULL
WITH page AS MATERIALIZED (
  SELECT id, tenant, created_at, purged_at FROM filings WHERE id > :after ORDER BY id LIMIT :limit
)
SELECT (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last, ARRAY(
  SELECT id FROM page WHERE purged_at IS NULL AND created_at < :before
    AND (CAST(:tenant AS text) IS NULL OR tenant = :tenant) ORDER BY id) AS found;
