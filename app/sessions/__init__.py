"""Sessions: what agents that others run are given for a question, and the tool calls that they make for it."""
