"""Defects and placebos written by language models, checked before they become rows of a data set.

`tasks` decides which model is asked for what, `prompts` has the wording, `generator` asks, `answers` checks
every answer, `journal` stores them, and `injection_run` runs it all and makes the rows.
"""
