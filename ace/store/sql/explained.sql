-- Everything that explains one evaluation: what was filed, how it moved, what scored it, who promoted that, what the
-- rules and the expert said, what a shadow said, whether it was drawn for an audit, and who reviewed it.
-- Parameter: id uuid.
-- By hand: -v id="gen_random_uuid()"
SELECT
  to_jsonb(e) AS evaluation,
  jsonb_build_object('id', f.id, 'tenant', f.tenant, 'docket', f.docket, 'created_at', f.created_at,
    'purged_at', f.purged_at, 'body_sha256', encode(f.body_hash, 'hex')) AS filing,
  jsonb_build_object('number', c.number, 'status', c.status, 'ancestors', c.ancestors, 'text', c.text,
    'text_sha256', encode(sha256(convert_to(c.text, 'UTF8')), 'hex'),
    'ancestor_texts', (SELECT coalesce(jsonb_object_agg(a.number, a.text), '{}') FROM claims a
                       WHERE a.filing_id = c.filing_id AND a.number = ANY(c.ancestors))) AS claim,
  (SELECT coalesce(jsonb_agg(to_jsonb(v) - 'evaluation_id' ORDER BY v.number), '[]')
   FROM events v WHERE v.evaluation_id = e.id) AS events,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('rules', a.rules, 'jurisdiction', a.jurisdiction, 'at', a.at,
     'claim', a.claims -> CAST(e.claim_number AS text)) ORDER BY a.at), '[]')
   FROM analyses a WHERE a.filing_id = e.filing_id) AS analyses,
  (SELECT coalesce(jsonb_agg(to_jsonb(x) - 'evaluation_id' ORDER BY x.number, x.at), '[]')
   FROM examinations x WHERE x.evaluation_id = e.id) AS examinations,
  (SELECT to_jsonb(m) - 'tenant' FROM models m WHERE m.model = e.model AND m.calibration = e.calibration
   ORDER BY m.at DESC LIMIT 1) AS model,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('at', t.at, 'actor', t.actor, 'act', t.act, 'target', t.target,
     'reason', t.reason) ORDER BY t.id), '[]')
   FROM acts t JOIN models m ON m.model = e.model AND m.calibration = e.calibration
     AND t.tenant = m.tenant AND starts_with(t.target, 'model ' || left(m.digest, 12))) AS model_acts,
  (SELECT coalesce(jsonb_agg(to_jsonb(s) - 'evaluation_id' ORDER BY s.at), '[]')
   FROM shadow_scores s WHERE s.evaluation_id = e.id) AS shadow_scores,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('probability', s.probability, 'actor', s.actor, 'at', s.at)
     ORDER BY s.at), '[]') FROM audit_sample s WHERE s.evaluation_id = e.id) AS drawn,
  (SELECT coalesce(jsonb_agg(to_jsonb(r) - 'evaluation_id' - 'tenant' ORDER BY r.id), '[]')
   FROM reviews r WHERE r.evaluation_id = e.id) AS reviews
FROM evaluations e JOIN filings f ON f.id = e.filing_id
JOIN claims c ON c.filing_id = e.filing_id AND c.number = e.claim_number
WHERE e.id = :id;
