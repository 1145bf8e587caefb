"""Tasks for evaluation harnesses: folders that hold questions with gold, and the scorers that judge answers here."""
