"""Wrong options of the Reasoning Module."""
