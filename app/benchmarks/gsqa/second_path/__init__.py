"""Second path of GS-QA's templates."""
