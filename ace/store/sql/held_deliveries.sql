-- What a worker that holds a lease is to send, in the order of the feed.
-- Parameter: token uuid. Rows: the event of each delivery, how often it was tried, and the traceparent of its filing.
-- By hand: -v token="gen_random_uuid()"
SELECT d.event_id, d.tried, n.kind, n.at, n.filing_id, n.evaluation_id, n.claim_number, n.verdict, n.error_class,
  n.error, n.webhook_id, f.traceparent
FROM deliveries d JOIN notices n ON n.tenant = d.tenant AND n.number = d.number
LEFT JOIN filings f ON f.id = n.filing_id
WHERE d.lease = :token ORDER BY d.number;
