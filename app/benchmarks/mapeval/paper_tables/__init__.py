"""Tables of papers with questions of MapEval: those of MapEval itself, and those of Spatial-Agent."""
