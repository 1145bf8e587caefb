"""What readers see of the calls that a model asks for."""

import pytest

from app.published.replies import readable_arguments


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('{"query": "Universit\\u00e4t"}', '{"query": "Universität"}'),
        ('{"query":  "Adler"}', '{"query":  "Adler"}'),
        ('{"query": "\\u00e4', '{"query": "\\u00e4'),
    ],
)
def test_letters_are_shown_as_letters(written: str, shown: str) -> None:
    assert readable_arguments(written) == shown
