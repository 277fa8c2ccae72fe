-- Part: the webhooks with a due delivery and room for a message, and how many messages their tenant has in flight:
-- at most eight, so that slow receivers of one tenant delay nobody else's. A webhook gets one message after the other,
-- which costs least, and another one beside them each second if its receiver takes longer; one that fails does not.
-- Belongs behind WITH RECURSIVE.
:DELIVERY_LINES, webhook_flights AS MATERIALIZED (
  SELECT CAST(endpoint AS uuid) AS webhook_id, count(*) AS messages, max(made_at) AS last
  FROM leases WHERE stage = 'webhooks' GROUP BY endpoint
), tenant_flights AS (
  SELECT w.tenant, sum(messages) AS messages FROM webhook_flights f JOIN webhooks w ON w.id = f.webhook_id
  GROUP BY w.tenant
), ready_webhooks AS (
  SELECT w.id, w.tenant, w.failing_since IS NOT NULL AS failing, coalesce(t.messages, 0) AS messages
  FROM delivery_lines l JOIN webhooks w ON w.id = l.webhook_id
  LEFT JOIN webhook_flights f ON f.webhook_id = w.id LEFT JOIN tenant_flights t ON t.tenant = w.tenant
  WHERE w.disabled_at IS NULL AND w.deleted_at IS NULL AND coalesce(w.paused_until <= now(), true)
    AND coalesce(t.messages, 0) < 8
    AND (f.messages IS NULL OR (w.failing_since IS NULL AND f.last < now() - interval '1 second'))
    AND (SELECT due_at FROM deliveries WHERE webhook_id = w.id AND state = 'pending' AND lease IS NULL
         ORDER BY due_at LIMIT 1) <= now()
)
