"""The tiny towns of the second path's own tests."""

from tests.app.questions.second_path.conftest import town

__all__ = ["town"]
