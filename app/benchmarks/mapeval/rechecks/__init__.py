"""Computes the keys of MapEval's published questions again, from the context of each question alone."""
