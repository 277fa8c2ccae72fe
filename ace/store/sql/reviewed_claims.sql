-- Claims that people have labelled, with everything that a data set wants of them, for `ace reviews export`.
-- Parameters: tenant text, or null for all.
-- By hand: -v tenant=NULL
SELECT e.id, f.tenant, f.docket, f.id AS filing_id, e.claim_number, c.text, e.verdict, e.error_class, e.decided_by,
  e.probabilities, e.doubt, e.model, e.calibration,
  (SELECT max(probability) FROM audit_sample s WHERE s.evaluation_id = e.id) AS probability,
  (SELECT coalesce(jsonb_agg(jsonb_build_array(a.number, a.text) ORDER BY place), '[]')
   FROM unnest(c.ancestors) WITH ORDINALITY AS n (number, place)
   JOIN claims a ON a.filing_id = c.filing_id AND a.number = n.number) AS ancestors,
  (SELECT jsonb_agg(jsonb_build_object('rule', r.rule, 'place', r.place, 'answer', r.answer, 'label', r.label,
     'span', r.span, 'status', r.status, 'blind', r.blind, 'reviewer', r.reviewer) ORDER BY r.id)
   FROM reviews r WHERE r.evaluation_id = e.id) AS reviews
FROM evaluations e JOIN filings f ON f.id = e.filing_id
JOIN claims c ON c.filing_id = e.filing_id AND c.number = e.claim_number
WHERE e.id IN (SELECT evaluation_id FROM reviews WHERE rule IS NULL) AND c.text <> ''
  AND f.tenant = coalesce(:tenant, f.tenant)
ORDER BY e.id;
