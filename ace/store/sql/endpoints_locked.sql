-- Every endpoint of the expert, locked in one order, with what is on its way to it.
-- By hand: no options.
WITH locked AS MATERIALIZED (SELECT * FROM endpoints ORDER BY name FOR UPDATE), :EXPERT_FLIGHTS
SELECT l.*, now() AS now, coalesce(f.in_flight, 0) AS in_flight, coalesce(f.waiting, 0) AS waiting
FROM locked l LEFT JOIN flights f ON f.endpoint = l.name;
