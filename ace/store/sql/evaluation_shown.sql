-- Part: what a client sees of evaluations `e`, each with the examination that decided it.
SELECT e.id, e.filing_id, f.docket, e.claim_number, e.state, e.verdict, e.decided_by, e.error_class,
  :VERDICT_GROUND AS ground,
  e.probabilities, e.u, e.h6, e.score, e.doubt, e.tau, e.certain, e.span, e.model, e.calibration,
  e.disputed, e.would_escalate,
  e.examined, e.error, e.due_at, e.moves, e.supersedes, e.superseded_by, e.created_at, e.updated_at,
  to_jsonb(x) - 'raw' AS examination
FROM evaluations e JOIN filings f ON f.id = e.filing_id
LEFT JOIN examinations x ON x.id = e.examination_id
