"""`python -m app.jobs.child PARENT WORDS…`: becomes `trigpoint WORDS…`, and is told to stop when PARENT is gone."""

import os
import signal
import sys
from collections.abc import Sequence

from app.core.parent import end_with_parent

TRIGPOINT = "from app.cli.main import main; main()"


def main(arguments: Sequence[str]) -> None:
    """Never returns. SIGTERM unwinds an import, and ends other commands within their transaction."""
    parent, *words = arguments
    end_with_parent(int(parent), signal.SIGTERM)
    os.execv(sys.executable, [sys.executable, "-c", TRIGPOINT, *words])


if __name__ == "__main__":
    main(sys.argv[1:])
