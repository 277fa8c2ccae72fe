-- Of the newest claims of a tenant that were screened in the last hour by one calibration, how many the gatekeeper
-- decided, and how many went to the expert, whatever became of them there.
-- Parameters: tenant text, calibration text, newest int: how many claims are looked at.
-- By hand: -v tenant="'office'" -v calibration="'cal-1'" -v newest=5000
SELECT count(*) FILTER (WHERE decided_by = 'gatekeeper') AS gatekeeper,
  count(*) FILTER (WHERE decided_by IS DISTINCT FROM 'gatekeeper') AS expert
FROM (SELECT decided_by, calibration, updated_at FROM evaluations
      WHERE tenant = :tenant ORDER BY id DESC LIMIT :newest) e
WHERE calibration = :calibration AND updated_at > now() - interval '1 hour';
