-- Draws decided evaluations of a tenant at random. The draw of an evaluation follows from its id: a second draw with
-- the same probability finds the same, one with a higher probability those and more.
-- Parameters: tenant text; probability; since: of the decision; actor.
-- By hand: -v tenant="'office'" -v probability=0.01 -v since="now()" -v actor="'me'"
INSERT INTO audit_sample (evaluation_id, probability, tenant, actor)
SELECT e.id, :probability, e.tenant, :actor FROM evaluations e
WHERE e.tenant = :tenant AND e.verdict IS NOT NULL AND e.updated_at >= :since
  AND CAST(CAST('x' || left(md5('audit ' || CAST(e.id AS text)), 8) AS bit(32)) AS bigint)
    < CAST(:probability AS double precision) * 4294967296
ON CONFLICT DO NOTHING RETURNING evaluation_id;
