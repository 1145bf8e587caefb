"""Exports: published versions as files for other tools; no clock, so the same recipe gives the same bytes."""
