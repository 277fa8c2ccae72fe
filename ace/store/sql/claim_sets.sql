-- The claims of filings, in order, without filings that have more characters in all.
-- Parameters: filings uuid[]; max_characters.
-- By hand: -v filings="'{}'" -v max_characters=200000
SELECT filing_id, number, text FROM claims JOIN (
  SELECT filing_id FROM claims WHERE filing_id = ANY(:filings)
  GROUP BY filing_id HAVING sum(length(text)) <= :max_characters) AS small USING (filing_id)
ORDER BY filing_id, number;
