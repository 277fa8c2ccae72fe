-- Takes the explanations and fixes of the rules' findings away; places and kinds stay.
-- Parameter: filings uuid[].
-- By hand: -v filings="'{}'"
UPDATE analyses SET claims = (
  SELECT jsonb_object_agg(number, claim || jsonb_strip_nulls(jsonb_build_object('findings', (
    SELECT jsonb_agg(each - 'explanation' - 'fix' ORDER BY place)
    FROM jsonb_array_elements(claim -> 'findings') WITH ORDINALITY AS f (each, place)))))
  FROM jsonb_each(claims) AS c (number, claim))
WHERE filing_id = ANY(:filings) AND claims <> '{}';
