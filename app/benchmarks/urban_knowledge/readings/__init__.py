"""Readings of the Knowledge Module's questions.

Find_Junctions and Identify_Connections have none registered: which ways one may drive on could be read in more ways
than are looked at here.
"""
