-- Keeps what a shadow says of claims; one that it has scored before stays as it is.
-- Parameters: model uuid, the shadow; one array per column, all of one length; calibration, of the model in service.
-- By hand: -v model="gen_random_uuid()" -v ids="'{}'" -v escalated="'{}'" -v called="'{}'" -v doubt="'{}'"
--   -v live_escalated="'{}'" -v live_called="'{}'" -v live_doubt="'{}'" -v calibration="'c'"
INSERT INTO shadow_scores (model_id, evaluation_id, escalated, called, doubt, live_escalated, live_called, live_doubt,
  live_calibration)
SELECT :model, given.*, :calibration FROM unnest(
  CAST(:ids AS uuid[]), CAST(:escalated AS boolean[]), CAST(:called AS text[]), CAST(:doubt AS float8[]),
  CAST(:live_escalated AS boolean[]), CAST(:live_called AS text[]), CAST(:live_doubt AS float8[])) AS given
ON CONFLICT DO NOTHING;
