-- The evaluations that a lease holds, each with its claim.
-- Parameter: token uuid.
-- By hand: -v token="gen_random_uuid()"
SELECT e.id, e.examined, e.outages, e.filing_id, e.tenant, l.endpoint, c.number, c.text, c.ancestors, f.claim_count
FROM evaluations e JOIN claims c ON c.filing_id = e.filing_id AND c.number = e.claim_number
JOIN filings f ON f.id = e.filing_id LEFT JOIN leases l ON l.token = e.lease
WHERE e.lease = :token;
