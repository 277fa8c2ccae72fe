-- Part: evaluations, found by their ids `page`, as the queue of reviews shows them.
SELECT e.id, e.filing_id, f.docket, e.claim_number, e.doubt, e.tau, e.calibration,
  (SELECT max(probability) FROM audit_sample s WHERE s.evaluation_id = e.id) AS probability,
  (SELECT count(*) FROM reviews r WHERE r.evaluation_id = e.id AND r.rule IS NULL) AS reviews
FROM page JOIN evaluations e ON e.id = page.id JOIN filings f ON f.id = e.filing_id
