-- How many claims of each tenant were decided in the newest minutes, by whom, and since the beginning of which minute.
-- Parameters: tenant text (null: every tenant), minutes int.
-- By hand: -v tenant="'office'" -v minutes=5
SELECT d.tenant, d.decided_by, max(d.total) - coalesce((
  SELECT total FROM decided_by_minute b WHERE b.tenant = d.tenant AND b.decided_by = d.decided_by
    AND b.minute <= date_trunc('minute', now()) - make_interval(mins => :minutes)
  ORDER BY minute DESC LIMIT 1), 0) AS count, min(d.minute) AS since
FROM decided_by_minute d
WHERE d.minute > date_trunc('minute', now()) - make_interval(mins => :minutes)
  AND (CAST(:tenant AS text) IS NULL OR d.tenant = :tenant)
GROUP BY d.tenant, d.decided_by;
