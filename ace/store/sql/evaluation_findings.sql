-- The findings stored with an evaluation, if any are, and the claim they are about.
-- Parameters: id uuid; tenant text, whose it must be.
-- By hand: -v id="gen_random_uuid()" -v tenant="'office'"
SELECT e.id, e.filing_id, e.claim_number, c.text, f.purged_at,
  (SELECT sum(length(text)) FROM claims s WHERE s.filing_id = f.id) AS set_characters,
  k.jurisdiction, k.threshold, k.rules, k.found, k.at
FROM evaluations e JOIN filings f ON f.id = e.filing_id
JOIN claims c ON c.filing_id = e.filing_id AND c.number = e.claim_number
LEFT JOIN findings k ON k.evaluation_id = e.id
WHERE e.id = :id AND e.tenant = :tenant;
