-- What a shadow says beside what the models in service said of the same claims, by what those called.
-- Parameter: model uuid, the shadow.
-- By hand: -v model="gen_random_uuid()"
SELECT live_called, called, live_escalated, escalated, count(*) AS claims, max(at) AS last
FROM shadow_scores WHERE model_id = :model GROUP BY live_called, called, live_escalated, escalated
ORDER BY live_called, called, live_escalated, escalated;
