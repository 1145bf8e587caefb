"""How many questions templates give that are to be a share of all, beside those without a share. Pure."""

import math
from collections.abc import Mapping


def bank_of_share(shares: Mapping[str, float], name: str, bank: int, others: int) -> int:
    """How many questions a template's bank holds, where each of `others` that have no share holds `bank`.

    It has its share, too, where all others give as many as they can.
    """
    return max(bank, math.ceil(_times_the_others(shares, name) * bank * others)) if name in shares else bank


def size_of_share(shares: Mapping[str, float], name: str, others: int) -> int:
    """How many questions make up a template's share beside `others` of templates that have none; one at least."""
    return max(1, round(_times_the_others(shares, name) * others))


def _times_the_others(shares: Mapping[str, float], name: str) -> float:
    return shares[name] / (1 - sum(shares.values()))
