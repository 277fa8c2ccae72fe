-- dispatch of deliveries: one message for each webhook that has some due, evenly over tenants.
-- Parameters: room: messages to make; each: deliveries in one; trial: those in one for a webhook that is failing;
--   lease_seconds.
-- Rows: token, webhook_id, events uuid[], of every message.
-- By hand: -v room=32 -v each=200 -v trial=10 -v lease_seconds=60
WITH RECURSIVE :READY_WEBHOOKS, chosen AS MATERIALIZED (
  SELECT id, failing, uuidv7() AS token FROM (
    SELECT id, failing, messages + row_number() OVER (PARTITION BY tenant ORDER BY random()) AS place
    FROM ready_webhooks) r
  WHERE place <= 8 ORDER BY place, random() LIMIT :room
), due AS MATERIALIZED (
  SELECT c.token, d.* FROM chosen c CROSS JOIN LATERAL (
    SELECT webhook_id, event_id FROM deliveries
    WHERE webhook_id = c.id AND state = 'pending' AND lease IS NULL AND due_at <= now()
    ORDER BY due_at, event_id LIMIT CASE WHEN c.failing THEN :trial ELSE :each END FOR UPDATE SKIP LOCKED) d
), leased AS (
  INSERT INTO leases (token, stage, until, endpoint)
  SELECT DISTINCT token, 'webhooks', now() + make_interval(secs => :lease_seconds), CAST(webhook_id AS text) FROM due
), moved AS (
  UPDATE deliveries d SET lease = due.token FROM due WHERE d.webhook_id = due.webhook_id AND d.event_id = due.event_id
)
SELECT token, webhook_id, array_agg(event_id ORDER BY event_id) AS events FROM due GROUP BY token, webhook_id;
