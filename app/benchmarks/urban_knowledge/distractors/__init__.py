"""Strategies that make wrong options of the Knowledge Module's questions, as published and harder ones."""
