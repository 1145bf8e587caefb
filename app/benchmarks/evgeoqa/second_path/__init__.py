"""Second path of the questions about destinations and activities."""
