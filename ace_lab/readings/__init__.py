"""True labels: what careful readers say of real claims, and mistakes that writers put into them.

`asking` writes batches of work, `collecting` validates what came back and stores it, `agreement` compares
readers, `labels` makes labels of readings that agree. docs/reference/labels.md describes the stored files.
Nothing here knows rules or models: a label never comes from either.
"""
