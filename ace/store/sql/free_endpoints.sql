-- The endpoints that are in service, and those to be tried after an outage, with the examinations they have room for;
-- without those that are paused.
-- Parameter: names text[], the endpoints of the settings.
-- By hand: -v names="'{}'"
WITH :EXPERT_FLIGHTS, :PAUSED
SELECT name, weight, breaker <> 'closed' AS on_trial,
  CASE breaker WHEN 'closed' THEN floor(slots) - coalesce(f.in_flight, 0) ELSE 1 END AS room
FROM endpoints e LEFT JOIN flights f ON f.endpoint = e.name
WHERE name = ANY(:names) AND (breaker = 'closed'
  OR until <= now() AND NOT EXISTS (SELECT FROM leases WHERE token = e.probe))
  AND NOT EXISTS (SELECT FROM paused p WHERE p.kind = 'endpoint' AND p.name = e.name)
ORDER BY name;
