"""Evaluation reports: figures, tables and one HTML page."""
