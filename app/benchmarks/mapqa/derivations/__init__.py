"""Gold of the questions, and the plans of tool calls that lead to it."""
