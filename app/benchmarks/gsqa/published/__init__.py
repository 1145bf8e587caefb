"""GS-QA's published scores, to the letter, so that ours can be set beside the paper's (profile `published`).

A case (gold, answer as text, answer as parsed objects) → text score, parsed score. No database, no network.
"""
