-- Part: what the claim of evaluation `e` draws by its verdict, 'rejection' or 'objection'; null without a Fail. Fails
-- that were stored without it draw what their class draws (`ace.claims.taxonomy.ErrorClass.ground`).
CASE WHEN e.verdict = 'Fail' THEN coalesce(e.ground,
  CASE e.error_class WHEN 'syntax' THEN 'objection' ELSE 'rejection' END) END
