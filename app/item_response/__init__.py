"""Item response: how hard questions are, how well they tell runs apart, and small sets that stand for all of them."""
