"""Contexts of the Reasoning Module: how they are written, and a program that answers from them alone."""
