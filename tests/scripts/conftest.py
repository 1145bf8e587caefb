"""The scripts' own modules, importable by their plain names as when the scripts run them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "lib"))
