SELECT coalesce(sum(count), 0) FROM tallies WHERE state IN ('queued', 'screening')
