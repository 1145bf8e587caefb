"""Answers that follow from the record of a picture alone, and that somebody who sees the picture can find."""
