"""Loads the files of GS-QA's authors: questions with gold and SQL, and the answers of their baselines."""
