"""Disputes: who doubts a question says so; a maintainer sees its proof and decides; an erratum is a new version."""
