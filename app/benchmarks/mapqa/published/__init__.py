"""Answers against keys as MapQA's files have them: scores beside ours, under the profile `published`."""
