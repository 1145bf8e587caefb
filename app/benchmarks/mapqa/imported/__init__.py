"""Loads the files of MapQA's authors: questions and answers as CSV, the places that they are about as JSON."""
