-- The spans in which the filings were stored that leased messages are about, of claims or of deliveries.
-- Parameter: tokens uuid[]. Rows: token, traceparents text[], of each message about a filing that has one.
-- By hand: -v tokens="'{}'"
SELECT token, array_agg(f.traceparent) AS traceparents FROM (
  SELECT lease AS token, filing_id FROM evaluations WHERE lease = ANY(:tokens)
  UNION
  SELECT d.lease, n.filing_id FROM deliveries d JOIN notices n ON n.tenant = d.tenant AND n.number = d.number
  WHERE d.lease = ANY(:tokens)) m
JOIN filings f ON f.id = m.filing_id WHERE f.traceparent IS NOT NULL GROUP BY token;
