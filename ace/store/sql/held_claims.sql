-- The evaluations that a lease holds, each with its claim, and the digests of the term lists under which its filing
-- was analysed by these rules.
-- Parameters: token uuid; rules, jurisdiction.
-- By hand: -v token="gen_random_uuid()" -v rules="'r'" -v jurisdiction="'US'"
SELECT e.id, e.examined, e.outages, e.filing_id, e.tenant, e.certain, e.error, e.probabilities, l.endpoint, c.number, c.text, c.ancestors,
  f.claim_count, f.request_id, f.traceparent, extract(epoch FROM now() - e.due_at) AS waited,
  extract(epoch FROM now() - e.created_at) AS age, ARRAY(
    SELECT a.terms FROM analyses a
    WHERE a.filing_id = e.filing_id AND a.rules = :rules AND a.jurisdiction = :jurisdiction) AS analysed
FROM evaluations e JOIN claims c ON c.filing_id = e.filing_id AND c.number = e.claim_number
JOIN filings f ON f.id = e.filing_id LEFT JOIN leases l ON l.token = e.lease
WHERE e.lease = :token;
