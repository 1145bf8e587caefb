"""Reading addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.reading.addresses import Address, read_address


@pytest.mark.parametrize(
    ("answer", "address"),
    [
        ("Städtle 3, 9490 Vaduz", Address("Städtle", "3", "Vaduz", None, "9490")),
        ("Städtle 3, FL-9490 Vaduz", Address("Städtle", "3", "Vaduz", None, "9490")),
        ("Städtle 3, 9490 Vaduz, Liechtenstein", Address("Städtle", "3", "Vaduz", "Liechtenstein", "9490")),
        ("Städtle 3", Address("Städtle", "3")),
        ("Städtle 3, , ,", Address("Städtle", "3")),
        ("Städtle, Vaduz", Address(None, None, "Städtle", "Vaduz")),
        (
            "Mannerheimintie 12 A, 00100 Helsinki",
            Address("Mannerheimintie", "12 A", "Helsinki", None, "00100"),
        ),
        (
            "120 East King Street, Lancaster, PA 17602",
            Address("East King Street", "120", "Lancaster", "PA", "17602"),
        ),
        ("1 E Genesee St, Syracuse, NY 13202", Address("E Genesee St", "1", "Syracuse", "NY", "13202")),
        (
            "155 W 25th St, New York, NY 10001-1234",
            Address("W 25th St", "155", "New York", "NY", "10001-1234"),
        ),
        ("Adler, 9490 Vaduz", Address(city="Vaduz", postcode="9490")),
        ("Akron, OH 44305", Address(city="Akron", state="OH", postcode="44305")),
        ("12, rue de la Paix, Monaco", Address("rue de la Paix", "12", "Monaco")),
        ("12B High Street", Address("High Street", "12B")),
        ("3/5 Herrengasse, Vaduz", Address("Herrengasse", "3/5", "Vaduz")),
        ("Hyatt Regency, 1 E Genesee St, Syracuse", Address("E Genesee St", "1", "Syracuse")),
        ("Restaurant Adler (Herrengasse 2, Vaduz)", Address("Herrengasse", "2", "Vaduz")),
        ("The café is located at Herrengasse 2, Vaduz.", Address("Herrengasse", "2", "Vaduz")),
        ("I think.\nAnswer: Herrengasse 2, Vaduz", Address("Herrengasse", "2", "Vaduz")),
        ("Café Adler\nHerrengasse 2, Vaduz", Address("Herrengasse", "2", "Vaduz")),
        ("9490 Vaduz", Address(city="Vaduz", postcode="9490")),
        ("Akron, Ohio", Address(city="Akron", state="Ohio")),
        ("Albuquerque, NM", Address(city="Albuquerque", state="NM")),
    ],
)
def test_reads(answer: str, address: Address) -> None:
    assert read_address(answer).value == address


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Adler",
        "Vaduz",
        "There are 12 hotels within 500 m.",
        "Adler, 3 km",
        "12 hotels",
        "500 m",
        "ресторан",
        ",,,",
    ],
)
def test_leaves_unread(answer: str) -> None:
    assert read_address(answer).value is None


def test_written_out() -> None:
    assert (
        str(Address("East King Street", "120", "Lancaster", "PA", "17602"))
        == "120 East King Street, Lancaster, PA 17602"
    )
    assert str(Address("Städtle", "3")) == "3 Städtle"


@given(st.text(alphabet="ab1 ,.;()-\nS") | st.text())
def test_never_raises(text: str) -> None:
    reading = read_address(text)
    assert (reading.value is None) == (reading.reason is not None)
    if reading.value is not None:
        assert str(reading.value)


@given(
    st.sampled_from(["Städtle", "Herrengasse", "Avenue Kléber"]),
    st.integers(1, 999),
    st.integers(1000, 99_999),
    st.sampled_from(["Vaduz", "Sankt Gallen", "Monaco"]),
)
def test_both_orders_read_alike(street: str, number: int, postcode: int, city: str) -> None:
    expected = Address(street, str(number), city, None, str(postcode))
    assert read_address(f"{street} {number}, {postcode} {city}").value == expected
    assert read_address(f"{number} {street}, {postcode} {city}").value == expected


@pytest.mark.parametrize("piece", ["1 a", "a 1,", "located at ", "9490 V", "(", "a", "1", "A ", "\n1 a,"])
def test_a_megabyte_is_read(piece: str) -> None:
    reading = read_address(piece * (1_000_000 // len(piece)))
    assert reading.value is None or len(str(reading.value)) < 700
