-- Sends one event to one webhook again, with a schedule of its own, unless it is waiting.
-- Parameters: id uuid, the webhook; event uuid; tenant text, whose they must be. Rows: whether it is sent again, if
--   there is such a delivery.
-- By hand: -v id="gen_random_uuid()" -v event="gen_random_uuid()" -v tenant="'office'"
WITH found AS (
  SELECT webhook_id, event_id, state FROM deliveries
  WHERE webhook_id = :id AND event_id = :event AND tenant = :tenant FOR UPDATE
), moved AS (
  UPDATE deliveries d SET state = 'pending', due_at = now(), tried = 0, done_at = NULL FROM found f
  WHERE d.webhook_id = f.webhook_id AND d.event_id = f.event_id AND d.state <> 'pending'
  RETURNING d.event_id
)
SELECT EXISTS (SELECT FROM moved) AS replayed FROM found;
