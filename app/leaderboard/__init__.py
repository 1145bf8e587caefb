"""Leaderboard stage: reads runs, board aggregates and expectations as the api role; writes nothing."""
