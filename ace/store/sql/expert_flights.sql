-- Part: what is on its way to each endpoint of the expert, and how much of it no worker has taken up.
flights AS (
  SELECT endpoint, count(*) AS in_flight, count(*) FILTER (WHERE started_at IS NULL) AS waiting
  FROM leases WHERE stage = 'slow' AND endpoint IS NOT NULL GROUP BY endpoint
)
