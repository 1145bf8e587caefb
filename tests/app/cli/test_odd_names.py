"""Names that come from outside: they are printed as they are, or refused in one sentence."""

import pytest

from app.cli.evaluate import _table
from app.cli.generate import whole_number
from app.cli.output import results
from app.core.errors import EndpointRefused, UsageError
from app.inference.checking import _pick
from app.operations.recipe import check_name
from app.predictions.progress import Progress


def test_a_model_called_like_markup_is_printed_as_it_is() -> None:
    progress = Progress(1, "toy@1", "direct", "[/bold]x", "complete", 1, {}, 1, 0, None, True)
    with results.capture() as captured:
        results.print(_table(progress))
    assert "[/bold]x" in captured.get()


@pytest.mark.parametrize("name", ["m" * 100_000, "a\0b", "a\nb"])
def test_a_model_name_that_no_board_can_show_is_refused(name: str) -> None:
    with pytest.raises(EndpointRefused) as caught:
        _pick("http://127.0.0.1:1/v1", None, [name])
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("name", ["", ".", "..", "-x", "a@1", "a b", "a\nb"])
def test_data_set_names_that_no_address_can_hold(name: str) -> None:
    with pytest.raises(UsageError):
        check_name(name)


@pytest.mark.parametrize("seed", ["", "-1", "1e3", " 5", "1_0", "٣", str(2**63), "9" * 5000])
def test_seeds_that_are_nowhole_number(seed: str) -> None:
    with pytest.raises(UsageError):
        whole_number(seed)
