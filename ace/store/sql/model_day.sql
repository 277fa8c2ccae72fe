-- How the claims of a day's filings looked that one model with one calibration screened, and whether any claim of the
-- day still has to be screened. Ids are of the day (UUID version 7), so the rows are one range of the primary key.
-- Parameters: first, beyond: the smallest id of the day and of the next; model, calibration; score, length: the inner
--   edges of the bins; score_middle, length_middle: the bin from which a value counts as high.
-- By hand: -v first="gen_random_uuid()" -v beyond="gen_random_uuid()" -v model="'m'" -v calibration="'c'" -v score="'{}'"
--   -v length="'{}'" -v score_middle=1 -v length_middle=1
WITH seen AS MATERIALIZED (
  SELECT filing_id, decided_by, NOT coalesce(doubt <= tau, false) AS doubtful,
    width_bucket(doubt, CAST(:score AS float8[])) AS score,
    width_bucket(CAST(size AS float8), CAST(:length AS float8[])) AS length,
    CASE WHEN NOT p[1] < CAST(p[2] AS float8) + p[3] + p[4] + p[5] + p[6] THEN 0 ELSE
      CASE greatest(p[2], p[3], p[4], p[5], p[6]) WHEN p[2] THEN 1 WHEN p[3] THEN 2 WHEN p[4] THEN 3 WHEN p[5] THEN 4
      ELSE 5 END END AS class
  FROM (SELECT *, probabilities AS p FROM evaluations) AS e
  WHERE id >= :first AND id < :beyond AND model = :model AND calibration = :calibration AND p IS NOT NULL
), of_filings AS (
  SELECT count(*) AS n, count(*) FILTER (WHERE doubtful) AS share, count(*) FILTER (WHERE score >= :score_middle) AS score,
    count(*) FILTER (WHERE length >= :length_middle) AS length, count(*) FILTER (WHERE class > 0) AS class
  FROM seen GROUP BY filing_id
)
SELECT
  (SELECT count(*) FROM seen) AS claims,
  (SELECT count(*) FROM seen WHERE doubtful) AS doubtful,
  (SELECT count(*) FROM seen WHERE decided_by = 'gatekeeper') AS decided,
  (SELECT coalesce(jsonb_object_agg(score, n), '{}') FROM
    (SELECT score, count(*) AS n FROM seen WHERE score IS NOT NULL GROUP BY score) s) AS score,
  (SELECT coalesce(jsonb_object_agg(length, n), '{}') FROM
    (SELECT length, count(*) AS n FROM seen GROUP BY length) s) AS length,
  (SELECT coalesce(jsonb_object_agg(class, n), '{}') FROM
    (SELECT class, count(*) AS n FROM seen GROUP BY class) s) AS classes,
  -- Of each trait: the claims that have it, and the sums over filings of n n, n k and k k.
  (SELECT jsonb_build_object(
     'share', ARRAY[sum(share), sum(n * n), sum(n * share), sum(share * share)],
     'score', ARRAY[sum(score), sum(n * n), sum(n * score), sum(score * score)],
     'length', ARRAY[sum(length), sum(n * n), sum(n * length), sum(length * length)],
     'class', ARRAY[sum(class), sum(n * n), sum(n * class), sum(class * class)])
   FROM of_filings) AS sums,
  EXISTS (SELECT FROM evaluations WHERE id >= :first AND id < :beyond AND state IN ('queued', 'screening')) AS open;
