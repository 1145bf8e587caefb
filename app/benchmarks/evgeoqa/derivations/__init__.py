"""Gold of the questions about destinations and activities."""
