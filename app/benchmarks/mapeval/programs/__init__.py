"""What finds the rows that derivations of MapEval read, where a SELECT alone cannot."""
