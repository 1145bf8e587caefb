"""What solvers share that look for stations and see only what is around a point: `georover`, `spiral` and others."""
