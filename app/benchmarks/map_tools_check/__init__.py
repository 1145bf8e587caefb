"""Map tools check: questions that are answered by calls of map tools, each with a plan of the calls that lead there."""
