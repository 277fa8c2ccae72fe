-- Every endpoint of the expert, with what is on its way to it.
-- By hand: no options.
WITH :EXPERT_FLIGHTS
SELECT e.*, coalesce(f.in_flight, 0) AS in_flight
FROM endpoints e LEFT JOIN flights f ON f.endpoint = e.name ORDER BY e.name;
