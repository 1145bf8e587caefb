"""Report cards: what one model can do on one map, from stored runs over several benchmarks."""
