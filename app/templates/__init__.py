"""Benchmarks as data: loads and checks `sql_templates/`; a malformed or unused file stops start-up."""
