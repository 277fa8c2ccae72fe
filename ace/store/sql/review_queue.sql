-- Decided evaluations of a tenant that most need eyes, those that this reviewer has answered left out.
-- Parameters: tenant text; kind: disputed, doubtful, audit or differing; reviewer; limit.
-- By hand: -v tenant="'office'" -v kind="'disputed'" -v reviewer="'key:x'" -v limit=1
SELECT e.id, e.filing_id, f.docket, e.claim_number, e.doubt, e.tau, e.disputed,
  (SELECT max(probability) FROM audit_sample s WHERE s.evaluation_id = e.id) AS probability,
  (SELECT count(*) FROM reviews r WHERE r.evaluation_id = e.id AND r.rule IS NULL) AS reviews
FROM evaluations e JOIN filings f ON f.id = e.filing_id AND f.purged_at IS NULL
WHERE e.tenant = :tenant AND e.verdict IS NOT NULL
  AND CASE CAST(:kind AS text)
    WHEN 'disputed' THEN e.disputed
    WHEN 'doubtful' THEN e.doubt IS NOT NULL
    WHEN 'audit' THEN EXISTS (SELECT FROM audit_sample s WHERE s.evaluation_id = e.id)
    ELSE EXISTS (
      SELECT FROM reviews r WHERE r.evaluation_id = e.id AND r.rule IS NULL AND r.label IS NOT NULL
      GROUP BY r.evaluation_id HAVING count(DISTINCT r.label) > 1)
  END
  AND NOT EXISTS (SELECT FROM reviews r WHERE r.evaluation_id = e.id AND r.rule IS NULL
    AND (r.status = 'adjudicated' OR r.reviewer = :reviewer AND :kind <> 'differing'))
ORDER BY CASE WHEN :kind = 'doubtful' THEN -e.doubt END, e.id
LIMIT :limit;
