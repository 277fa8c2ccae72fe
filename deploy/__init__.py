"""What is deployed beside the code: the chart, and what watches it."""
