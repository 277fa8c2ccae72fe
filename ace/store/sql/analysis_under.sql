-- Part: the analysis `a` of filing `f` by one version of the rules: the one that obeys a term list, else the newest.
LEFT JOIN LATERAL (
  SELECT o.claims, o.at, o.rules, o.jurisdiction, o.terms, o.terms = :terms AS obeys FROM analyses o
  WHERE o.filing_id = f.id AND o.rules = :rules AND o.jurisdiction = :jurisdiction
  ORDER BY o.terms = :terms DESC, o.at DESC LIMIT 1) a
