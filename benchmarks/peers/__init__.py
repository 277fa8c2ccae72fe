"""The same work with other queues, each in its documented, obvious way: a task per claim.

Celery is measured twice: the second time with a task for 200 claims and one statement for their verdicts,
because our own messages carry up to a thousand.

A peer is a module that reads ACE_DATABASE_URL and ACE_BROKER_URL when it is imported, as modules of
tasks must, and has `WORKERS` (arguments of Python, one tuple a command), `prepare()` and
`accept(batches)`. Accepting is what an endpoint for bulk uploads would do: rows first, committed, then
a task for each. All have two worker processes with four tasks at a time in each. Nobody scores: the
null model costs them nothing.
"""
