"""Scoring of claim sets in files, for backlogs that no queue should carry: `ace score`.

A unit of work is a row group of a Parquet file or a file of JSON lines. Its results are one file with a
manifest, so that any launcher can run and repeat it. Rules, model and calibration are those of the workers;
no database and no broker take part.
"""
