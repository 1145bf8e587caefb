"""Answers parsed by a chat endpoint with a JSON schema: what is asked, what is read of a reply, what is stored, and how
often it agrees with our rules.
"""
