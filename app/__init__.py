"""Trigpoint: proved geospatial question-answering benchmarks from OpenStreetMap."""

__version__ = "0.1.0"
