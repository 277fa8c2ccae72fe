-- How many claims of a tenant were decided in each minute of the last hour, by whom; minutes without any are left out.
-- Parameter: tenant text.
-- By hand: -v tenant="'office'"
SELECT minute, decided_by, total - coalesce((
  SELECT total FROM decided_by_minute b WHERE b.tenant = d.tenant AND b.decided_by = d.decided_by AND b.minute < d.minute
  ORDER BY minute DESC LIMIT 1), 0) AS count
FROM decided_by_minute d
WHERE tenant = :tenant AND minute > date_trunc('minute', now()) - interval '60 minutes' ORDER BY minute, decided_by;
