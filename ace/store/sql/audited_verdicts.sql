-- Verdicts of one model with one calibration that a draw chose, on filings of some days, each with its day, the
-- probability with which it was drawn, and the reviews of its verdict, oldest first.
-- Parameters: first, beyond: the smallest ids of the first day and of the day after the last; model, calibration.
-- By hand: -v first="gen_random_uuid()" -v beyond="gen_random_uuid()" -v model="'m'" -v calibration="'c'"
SELECT CAST(e.created_at AT TIME ZONE 'UTC' AS date) AS day, s.probability, e.verdict,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('rule', r.rule, 'label', r.label, 'status', r.status,
     'reviewer', r.reviewer) ORDER BY r.id), '[]')
   FROM reviews r WHERE r.evaluation_id = e.id AND r.rule IS NULL) AS reviews
FROM (SELECT evaluation_id, max(probability) AS probability FROM audit_sample
      WHERE evaluation_id >= :first AND evaluation_id < :beyond GROUP BY evaluation_id) AS s
JOIN evaluations e ON e.id = s.evaluation_id
WHERE e.decided_by = 'gatekeeper' AND e.model = :model AND e.calibration = :calibration
ORDER BY e.id;
