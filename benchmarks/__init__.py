"""What ACE is measured with. Each module prints one JSON object as its last line with `--json`."""
