"""The second path of the questions, and why each wrong option is wrong."""
