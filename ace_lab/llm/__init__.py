"""Defects and placebos written by language models, checked before they become rows of a data set.

`tasks` says who is asked for what, `prompts` in which words, `asking` asks, `answers` believes
nothing that it is told, `journal` keeps what came, `injecting` runs it all and makes the rows.
"""
