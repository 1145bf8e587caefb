"""Second path of the Knowledge Module's templates, and the rules that prove their wrong options wrong."""
