"""Loads the files of MapEval's authors: questions with a context, and questions about pictures."""
