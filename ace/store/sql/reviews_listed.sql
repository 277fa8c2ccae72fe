-- Part: reviews `r` as clients see them, with the claim that each is about.
SELECT r.id, r.evaluation_id, e.filing_id, f.docket, e.claim_number, r.rule, r.place, r.answer, r.label, r.span,
  r.reason, r.status, r.blind, r.seconds, r.reviewer, r.at
FROM reviews r JOIN evaluations e ON e.id = r.evaluation_id JOIN filings f ON f.id = e.filing_id
