-- The key that a session or a link stands for, if neither has ended. Row security shows a session to whoever sets its
-- hash in `ace.session`, and a key to whoever sets its id in `ace.key`, so each inner query needs the one before it.
-- Parameters: hash text, in hexadecimal; once boolean: whether a link is wanted.
-- By hand: -v hash="'00'" -v once=false
SELECT found.* FROM (SELECT set_config('ace.session', :hash, true) AS hash) named
CROSS JOIN LATERAL (
  SELECT set_config('ace.key', key_id, true) AS id FROM sessions
  WHERE hash = decode(named.hash, 'hex') AND once = :once AND until > now() OFFSET 0) session
CROSS JOIN LATERAL (
  SELECT id, tenant, hash AS key_hash, scopes, requests_per_second FROM keys
  WHERE id = session.id AND revoked_at IS NULL AND coalesce(expires_at > now(), true) OFFSET 0) found;
