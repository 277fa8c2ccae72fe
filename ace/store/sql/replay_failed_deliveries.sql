-- Sends failed deliveries of a webhook again, the oldest events first, each with a schedule of its own.
-- Parameters: id uuid, the webhook; tenant text, whose it must be; since: the time of the event; limit.
-- Rows: one, how many.
-- By hand: -v id="gen_random_uuid()" -v tenant="'office'" -v since="now()" -v limit=1000
WITH found AS MATERIALIZED (
  SELECT d.webhook_id, d.event_id FROM deliveries d JOIN notices n ON n.tenant = d.tenant AND n.number = d.number
  WHERE d.webhook_id = :id AND d.tenant = :tenant AND d.state = 'failed' AND n.at >= :since
  ORDER BY d.event_id LIMIT :limit FOR UPDATE OF d
), moved AS (
  UPDATE deliveries d SET state = 'pending', due_at = now(), tried = 0, done_at = NULL FROM found f
  WHERE d.webhook_id = f.webhook_id AND d.event_id = f.event_id
  RETURNING d.event_id
)
SELECT count(*) FROM moved;
