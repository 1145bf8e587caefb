"""Reading answers: free text → an option, a name, a number, an angle, an area.

Every reader is deterministic, linear in the text's length, and gives a Reading for any text at all.
"""
