"""Answers computed elsewhere: read and checked as they come, stored, made into a run that is scored like any other."""
