"""Figures of agents: what their episodes on public questions took, and what went wrong in those that are not right."""
