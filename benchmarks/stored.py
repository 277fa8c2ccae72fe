"""Fills a database with what long use leaves behind: filings that are settled, in one go and in SQL.

Rows are like those that the moves write: claims of full length with their ancestors, evaluations of ten
tenants (`bench` has half of all), three events each, and an examination for every twentieth. Only the
checks of foreign keys are left out, since the statements make the keys themselves.
"""

from typing import Final

import psycopg
from sqlalchemy import Engine, text

from ace.store import moves
from benchmarks.filings import CLAIMS_PER_FILING, claim_set

CHUNK_FILINGS: Final = 5_000
DAYS: Final = 90  # over which the filings came in

_CHUNK: Final = """
CREATE TEMP TABLE chunk AS
SELECT uuidv7(-age) AS id, now() - age AS at, n,
  coalesce(%(tenant)s, CASE WHEN n %% 2 = 0 THEN 'bench' ELSE 'other-' || n %% 9 END) AS tenant
FROM generate_series(%(first)s::int, %(last)s::int) n,
  LATERAL (SELECT make_interval(secs => (%(filings)s - n) * %(spacing)s) AS age) a;

INSERT INTO filings (id, tenant, docket, priority, metadata, claim_count, body_hash, created_at)
SELECT id, tenant, 'S-' || n, 5, '{}', %(claims)s, decode(md5(n::text), 'hex'), at FROM chunk;

INSERT INTO claims (filing_id, number, text, ancestors)
SELECT c.id, l.number, l.text, l.ancestors FROM chunk c CROSS JOIN lines l;

CREATE TEMP TABLE settled AS
SELECT uuidv7(at - now()) AS id, filing_id, tenant, at, number, size, random() < 0.2 AS fail,
  CASE WHEN dice < 0.02 THEN 'failed' WHEN dice < 0.03 THEN 'cancelled' ELSE 'decided' END AS state,
  CASE WHEN dice > 0.08 THEN 'gatekeeper' WHEN dice > 0.03 THEN 'expert' END AS decided_by,
  CASE WHEN dice > 0.03 AND dice <= 0.08 THEN uuidv7(at - now()) END AS examination
FROM (SELECT c.id AS filing_id, c.tenant, c.at, l.number, l.size, random() AS dice
  FROM chunk c CROSS JOIN lines l) AS thrown;

INSERT INTO evaluations (id, tenant, filing_id, claim_number, state, priority, size, due_at, tries, examined,
  outages, moves, created_at, updated_at, probabilities, u, h6, tau, model, calibration, verdict, decided_by,
  error_class, examination_id, error, failed_stage)
SELECT id, tenant, filing_id, number, state, 5, size, at, 0, (examination IS NOT NULL)::int, 0, 3, at,
  at + interval '2 s', '{0.7,0.1,0.05,0.05,0.05,0.05}', 0.6, 0.9, 0.5, 'seeded', 'seeded',
  CASE WHEN state = 'decided' THEN CASE WHEN fail THEN 'Fail' ELSE 'Pass' END END, decided_by,
  CASE WHEN state = 'decided' AND fail THEN 'antecedent' END, examination,
  CASE state WHEN 'failed' THEN (ARRAY['truncated', 'schema', 'poison'])[1 + number %% 3] END,
  CASE state WHEN 'failed' THEN 'slow' END
FROM settled;

INSERT INTO examinations (id, evaluation_id, number, prompt_version, model, seconds, prompt_tokens,
  completion_tokens, verdict, reasoning, raw, at)
SELECT examination, id, 1, 'seeded', 'seeded', 1.5, 900, 250, CASE WHEN fail THEN 'Fail' ELSE 'Pass' END,
  repeat('The element is introduced before it is used. ', 12), repeat('{"step": "as it came"} ', 50), at
FROM settled WHERE examination IS NOT NULL;

INSERT INTO events (evaluation_id, number, at, move, before, after, actor)
SELECT id, v.number, at, coalesce(v.move, e.move), v.before, coalesce(v.after, e.state), 'seeded'
FROM settled CROSS JOIN (VALUES (1, 'submit', NULL, 'queued'), (2, 'dispatch', 'queued', 'screening'),
  (3, NULL, 'screening', NULL)) AS v (number, move, before, after)
JOIN (VALUES ('decided', 'decide'), ('failed', 'fail'), ('cancelled', 'cancel')) AS e (state, move)
  USING (state);

DROP TABLE chunk, settled;
"""

# How many claims had been decided by each minute of the last hour, as if they had been counted all along.
_DECIDED_BY_MINUTE: Final = """
INSERT INTO decided_by_minute (tenant, decided_by, minute, total)
SELECT tenant, decided_by, minute, sum(count) OVER (PARTITION BY tenant, decided_by ORDER BY minute)
FROM (SELECT tenant, decided_by, count(*) AS count,
        date_trunc('minute', greatest(updated_at, now() - interval '2 hours')) AS minute
      FROM evaluations WHERE state = 'decided' GROUP BY tenant, decided_by, minute) AS counted
ON CONFLICT (tenant, decided_by, minute) DO UPDATE SET total = excluded.total;
"""


def fill(db: Engine, evaluations: int, *, tenant: str | None = None) -> None:
    """Stores `evaluations` settled evaluations and leaves the tables vacuumed and analysed.

    All are of `tenant`, if it is given."""
    filings = evaluations // CLAIMS_PER_FILING
    url = db.url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(url, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection:
        connection.execute("SET session_replication_role = replica")  # no checks of foreign keys
        connection.execute("CREATE TEMP TABLE lines (number int, text text, ancestors smallint[], size int)")
        lines = claim_set()
        for claim in lines.claims:
            connection.execute(
                "INSERT INTO lines VALUES (%s, %s, %s, %s)",
                (claim.number, claim.text, list(lines.ancestors(claim.number)), 8 + len(claim.text) // 4),
            )
        for first in range(1, filings + 1, CHUNK_FILINGS):
            last = min(first + CHUNK_FILINGS - 1, filings)
            values = {
                "first": first,
                "last": last,
                "filings": filings,
                "claims": CLAIMS_PER_FILING,
                "spacing": DAYS * 86_400 // filings,
                "tenant": tenant,
            }
            connection.execute(_CHUNK, values)
        with db.begin() as counting:
            moves.recount(counting)
            counting.execute(text(_DECIDED_BY_MINUTE))
        connection.execute("VACUUM (ANALYZE)")
        connection.execute("CHECKPOINT")
