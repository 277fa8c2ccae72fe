SELECT least(
  coalesce((SELECT sum(count) FROM tallies WHERE state = 'examining'), 0)
    + (SELECT count(*) FROM (
        SELECT FROM evaluations WHERE state = 'escalated' AND due_at <= now() LIMIT 10000) due),
  coalesce((SELECT sum(floor(slots)) FROM endpoints WHERE breaker = 'closed'), 0))
