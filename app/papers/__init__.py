"""The tables of benchmarks' papers, filled with our own runs beside the figures that the papers print."""
