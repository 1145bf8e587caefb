"""In which order to visit stops, with stays and times at which a stay may happen: exact, or good. Pure functions.

problem.py says what is asked and answered, exact.py and heuristic.py answer, solving.py chooses between the two.
"""
