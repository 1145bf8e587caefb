"""Short texts are read once; long ones each time, so that nothing long is kept."""

from hypothesis import given
from hypothesis import strategies as st

from app.scores.reading.names import read_name
from app.scores.reading.remembering import SHORT, remembered


def test_short_texts_are_read_once_and_long_ones_each_time() -> None:
    seen: list[str] = []

    @remembered
    def read(text: str) -> int:
        seen.append(text)
        return len(text)

    short, long = "x" * SHORT, "x" * (SHORT + 1)
    assert [read(text) for text in (short, long, short, long)] == [SHORT, SHORT + 1, SHORT, SHORT + 1]
    assert seen == [short, long, long]


@given(st.text(max_size=300))
def test_a_reading_is_the_same_again(text: str) -> None:
    assert read_name(text) == read_name(text) == read_name.__wrapped__(text)  # type: ignore[attr-defined]
