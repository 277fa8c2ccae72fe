"""A checked claim set for readers: JSON, text, SARIF, SVG; a filing as CSV, HTML and DOCX."""
