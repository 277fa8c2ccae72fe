-- Part: the webhooks that have deliveries waiting, due or not. Belongs behind WITH RECURSIVE.
-- Found by leaps over an index that begins with the webhook, as queued_lines.sql finds tenants.
delivery_lines AS (
  (SELECT webhook_id FROM deliveries WHERE state = 'pending' AND lease IS NULL ORDER BY webhook_id LIMIT 1)
  UNION ALL
  SELECT next.* FROM delivery_lines l CROSS JOIN LATERAL (
    SELECT webhook_id FROM deliveries
    WHERE state = 'pending' AND lease IS NULL AND webhook_id > l.webhook_id ORDER BY webhook_id LIMIT 1) next
)
