"""What results are measured with: metrics, selective prediction, and experts as a measurement asks them."""
