"""What Trigpoint's own solvers are called: each is registered by the module of its name in this package."""

JUDGE = "judge"
SOLVERS = ("direct", JUDGE, "options_only", "oracle", "rag", "random", "text_to_sql")
