"""The schedule works with the broker alone, as its container does."""

import os
import subprocess
from pathlib import Path

from app.cli.worker import beat_command
from app.core.settings import PROJECT_ROOT
from tests.processes import PrivateRedis, wait_until


def test_no_password_of_the_database_is_needed(broker: PrivateRedis, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TRIGPOINT_")}
    environment |= {"TRIGPOINT_ENV_FILE": str(tmp_path / "none"), "TRIGPOINT_REDIS_URL": broker.url}
    with (tmp_path / "beat.log").open("wb") as log:
        beat = subprocess.Popen(
            beat_command("info"), cwd=PROJECT_ROOT, env=environment, stdout=log, stderr=log
        )
    try:
        wait_until(
            lambda: beat.poll() is not None or "Sending due task" in (tmp_path / "beat.log").read_text(),
            "the first message",
        )
        assert beat.poll() is None, (tmp_path / "beat.log").read_text()
    finally:
        beat.terminate()
        beat.wait(20)
