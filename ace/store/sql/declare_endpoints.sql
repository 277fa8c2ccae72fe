-- Stores the endpoints that the settings name, or their new weights and maxima.
-- Parameters: names text[], weights float8[], most int[] (the maximum of slots), of one length; first: slots at first.
-- By hand: -v names="'{}'" -v weights="'{}'" -v most="'{}'" -v first=8
INSERT INTO endpoints AS e (name, weight, most, slots)
SELECT *, least(most, :first) FROM unnest(
  CAST(:names AS text[]), CAST(:weights AS float8[]), CAST(:most AS int[])) AS d (name, weight, most)
ORDER BY name
ON CONFLICT (name) DO UPDATE SET weight = excluded.weight, most = excluded.most
WHERE (e.weight, e.most) IS DISTINCT FROM (excluded.weight, excluded.most);
