"""A checked claim set for readers: JSON, text, SARIF and SVG."""
