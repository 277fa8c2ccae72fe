-- Changes a webhook, or deletes it: what is NULL stays. If nothing is sent any more, what waits fails; a webhook that
-- is enabled again starts without its failures.
-- Parameters: id uuid; tenant text, whose it must be; url, description text; kinds text[]; enabled boolean;
--   owner text, who disables; deleted boolean. Rows: its id, if there is one.
-- By hand: -v id="gen_random_uuid()" -v tenant="'office'" -v url=NULL -v description=NULL -v kinds=NULL
--   -v enabled=NULL -v owner="'owner'" -v deleted=false
WITH moved AS (
  UPDATE webhooks SET
    url = coalesce(CAST(:url AS text), url), description = coalesce(CAST(:description AS text), description),
    kinds = coalesce(CAST(:kinds AS text[]), kinds),
    disabled_at = CASE WHEN CAST(:enabled AS boolean) THEN NULL WHEN NOT CAST(:enabled AS boolean) THEN
      coalesce(disabled_at, now()) ELSE disabled_at END,
    disabled_by = CASE WHEN CAST(:enabled AS boolean) THEN NULL WHEN NOT CAST(:enabled AS boolean) THEN
      coalesce(disabled_by, CAST(:owner AS text)) ELSE disabled_by END,
    failing_since = CASE WHEN CAST(:enabled AS boolean) THEN NULL ELSE failing_since END,
    paused_until = CASE WHEN CAST(:enabled AS boolean) THEN NULL ELSE paused_until END,
    deleted_at = CASE WHEN :deleted THEN now() END
  WHERE id = :id AND tenant = :tenant AND deleted_at IS NULL
  RETURNING id, disabled_at
), failed AS (
  UPDATE deliveries d SET state = 'failed', done_at = now() FROM moved m
  WHERE m.disabled_at IS NOT NULL AND d.webhook_id = m.id AND d.state = 'pending' AND d.lease IS NULL
)
SELECT id FROM moved;
