"""Loads the files of MapEval's authors: questions with a context, the same for tools, and questions about pictures."""
