-- Keeps the analyses of filings of which a lease holds a claim. An analysis that is there is never changed.
-- The lease is locked before its evaluations, as by every move: a filing that is held cannot be purged meanwhile.
-- Parameters: token uuid; filings uuid[], analyses jsonb[] and terms text[], the digests of the term lists that they
--   obey, of one length; rules, jurisdiction: what they were made with.
-- By hand: -v token="gen_random_uuid()" -v filings="'{}'" -v analyses="'{}'" -v terms="'{}'" -v rules="'r'"
--   -v jurisdiction="'US'"
WITH lease AS MATERIALIZED (SELECT token FROM leases WHERE token = :token FOR UPDATE),
held AS MATERIALIZED (SELECT e.filing_id FROM evaluations e JOIN lease ON e.lease = lease.token FOR UPDATE OF e)
INSERT INTO analyses (filing_id, rules, jurisdiction, terms, claims)
SELECT filing_id, :rules, :jurisdiction, terms, made
FROM unnest(CAST(:filings AS uuid[]), CAST(:analyses AS jsonb[]), CAST(:terms AS text[])) AS a (filing_id, made, terms)
WHERE filing_id IN (SELECT filing_id FROM held)
ON CONFLICT DO NOTHING;
