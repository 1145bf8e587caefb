"""The reasoning of a response recomputed: which quantities it states, what they should be, and which one broke first.

Reads the printed context, the question and the response; no map and no gold. Pure.
"""
