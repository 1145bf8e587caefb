"""`python -m app.benchmarks.urban_reasoning.steps.check_file FILE`: checks responses, one JSON object a line.

Reads {"id", "task", "context", "question", "response"}; prints {"id", "first_broken", "class"}.
"""

import json
import sys
from pathlib import Path

from app.benchmarks.urban_reasoning.steps.checking import as_document, check_response


def main(arguments: list[str]) -> int:
    """Check the file that is named first; with --steps every step is printed, too."""
    path = Path(next(one for one in arguments if not one.startswith("--")))
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip():
            continue
        told = json.loads(line)
        checked = check_response(
            told["task"], told["context"], told.get("question") or "", told.get("response") or ""
        )
        found = {"id": told["id"], **as_document(checked)}
        if "--steps" in arguments:
            found["steps"] = [step._asdict() for step in checked.steps]
        sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
