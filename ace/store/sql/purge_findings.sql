-- Takes the explanations and fixes of the rules' findings away.
-- Parameter: filings uuid[].
-- By hand: -v filings="'{}'"
UPDATE findings SET found = (
  SELECT coalesce(jsonb_agg(each - 'explanation' - 'fix' ORDER BY place), '[]')
  FROM jsonb_array_elements(found) WITH ORDINALITY AS f (each, place))
WHERE evaluation_id IN (SELECT id FROM evaluations WHERE filing_id = ANY(:filings)) AND found <> '[]';
