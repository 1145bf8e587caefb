"""Scores stage: reads predictions and gold, writes scores, board aggregates and expectations.

`score_run` is the whole of it for callers; readers and scorers are pure and know no database.
"""
