-- The analyses of some claims, by one version of the rules.
-- Parameters: filings uuid[], numbers smallint[], terms text[]: the claims, and the digest of the term list that the
--   analysis of each obeys, of one length; rules, jurisdiction.
-- By hand: -v filings="'{}'" -v numbers="'{}'" -v terms="'{}'" -v rules="'r'" -v jurisdiction="'US'"
SELECT a.filing_id, w.number, c.claim
FROM analyses a CROSS JOIN LATERAL jsonb_each(a.claims) AS c (number, claim)
JOIN unnest(CAST(:filings AS uuid[]), CAST(:numbers AS smallint[]), CAST(:terms AS text[])) AS w (filing_id, number, terms)
  ON w.filing_id = a.filing_id AND w.terms = a.terms AND w.number = CAST(c.number AS int)
WHERE a.filing_id = ANY(:filings) AND a.rules = :rules AND a.jurisdiction = :jurisdiction;
