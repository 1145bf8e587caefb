"""Contexts of the questions: how they are written from the answers of tools, and how answers are read from them."""
