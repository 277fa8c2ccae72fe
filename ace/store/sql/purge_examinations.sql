-- Takes what the expert wrote away, and keeps classes, places and kinds.
-- Parameter: filings uuid[].
-- By hand: -v filings="'{}'"
UPDATE examinations SET raw = NULL, reasoning = NULL,
  findings = CASE WHEN findings <> '[]' THEN (
    SELECT jsonb_agg(jsonb_build_object(
      'class', each->'class', 'start', each->'start', 'end', each->'end') ORDER BY place)
    FROM jsonb_array_elements(findings) WITH ORDINALITY AS f (each, place)) ELSE findings END,
  disagreements = CASE WHEN disagreements <> '[]' THEN (
    SELECT jsonb_agg(jsonb_build_object('kind', each->'kind') ORDER BY place)
    FROM jsonb_array_elements(disagreements) WITH ORDINALITY AS d (each, place)) ELSE disagreements END
WHERE evaluation_id IN (SELECT id FROM evaluations WHERE filing_id = ANY(:filings))
  AND (raw IS NOT NULL OR reasoning IS NOT NULL);
