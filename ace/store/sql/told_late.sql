-- How late clients are told: the seconds that the oldest row has waited in the outbox, and those for which the delivery
-- that has been due longest has been due, of webhooks whose receivers are in order; NULL if none waits.
-- By hand: no options.
WITH RECURSIVE :DELIVERY_LINES
SELECT (SELECT extract(epoch FROM now() - at) FROM outbox ORDER BY id LIMIT 1) AS outbox, (
  SELECT extract(epoch FROM now() - min(due_at))
  FROM delivery_lines l JOIN webhooks w ON w.id = l.webhook_id AND w.disabled_at IS NULL AND w.failing_since IS NULL
  CROSS JOIN LATERAL (
    SELECT due_at FROM deliveries WHERE webhook_id = w.id AND state = 'pending' AND lease IS NULL
    ORDER BY due_at LIMIT 1) first) AS delivery;
