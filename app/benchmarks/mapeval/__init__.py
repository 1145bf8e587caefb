"""MapEval: multiple choice about places, surroundings, routes and trips, with a context, with tools, or with a map."""
