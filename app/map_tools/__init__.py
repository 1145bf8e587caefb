"""Tools over a published snapshot, for solvers that may look at the map."""
