"""Parts of the solver `geoflow`: what the model is told of graphs, and how its replies become one."""
