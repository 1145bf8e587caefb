"""The tiny towns of the second path, with the areas of places."""

from tests.app.questions.second_path.conftest import town

__all__ = ["town"]
