-- For each stage, how many seconds the evaluation that has been due longest has waited; NULL if none waits.
-- By hand: no options.
WITH RECURSIVE :QUEUED_LINES, :ESCALATED_LINES
SELECT
  (SELECT extract(epoch FROM now() - min(due_at)) FROM queued_lines l CROSS JOIN LATERAL (
    SELECT due_at FROM evaluations
    WHERE state = 'queued' AND tenant = l.tenant AND priority = l.priority ORDER BY due_at LIMIT 1) first) AS fast,
  (SELECT extract(epoch FROM now() - min(due_at)) FROM escalated_lines l CROSS JOIN LATERAL (
    SELECT due_at FROM evaluations
    WHERE state = 'escalated' AND tenant = l.tenant AND priority = l.priority ORDER BY due_at LIMIT 1) first) AS slow;
