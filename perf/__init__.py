"""Benchmarks against peers. Nothing here is part of the service, and no test times anything."""
