-- The webhook that a lease is for, unless it was disabled or deleted meanwhile, and its secrets that are valid.
-- Parameter: token uuid. Rows: at most one.
-- By hand: -v token="gen_random_uuid()"
SELECT w.id, w.url, now() AS now, s.secrets, s.fingerprints
FROM leases l JOIN webhooks w ON w.id = CAST(l.endpoint AS uuid) CROSS JOIN LATERAL (
  SELECT array_agg(id ORDER BY created_at DESC, id DESC) AS secrets,
    array_agg(fingerprint ORDER BY created_at DESC, id DESC) AS fingerprints
  FROM webhook_secrets WHERE webhook_id = w.id AND coalesce(until > now(), true)) s
WHERE l.token = :token AND w.disabled_at IS NULL AND w.deleted_at IS NULL;
