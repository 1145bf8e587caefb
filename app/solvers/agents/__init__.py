"""Solvers that call tools: what they share. Each of them is a module of `app.solvers`, as other solvers are."""
