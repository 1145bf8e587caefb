"""A Docker engine for tests, and the services of docker-compose.yml in it as hosts of their own."""

import contextlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from app.core.settings import PROJECT_ROOT

ENGINE = PROJECT_ROOT.parent / "shared" / "docker" / "engine"
DATA = PROJECT_ROOT / ".local" / "engine"
"""Where our own engine keeps its images; `make test-compose` has the same."""
PATIENCE = 1500.0
"""Seconds that a command may take: the first build fetches packages."""


def said(command: list[str], environment: dict[str, str] | None = None) -> str:
    """What a command prints; fails the test with its last words where it fails."""
    done = subprocess.run(
        command,
        cwd=PROJECT_ROOT,
        env=os.environ | (environment or {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode:
        words = "\n".join((done.stdout + done.stderr).strip().splitlines()[-15:])
        pytest.fail(f"`{' '.join(command)}` failed ({done.returncode}): {words or 'it said nothing'}")
    return done.stdout


def answers(environment: dict[str, str]) -> bool:
    """Whether a Docker engine answers."""
    if shutil.which("docker") is None:
        return False
    asked = subprocess.run(
        ["docker", "info"], env=os.environ | environment, capture_output=True, timeout=60, check=False
    )
    return asked.returncode == 0


@contextmanager
def docker_engine() -> Iterator[dict[str, str]]:
    """The variables that lead to an engine: the one that answers, else one of our own, which stops with the block."""
    if answers({}):
        yield {}
        return
    if not ENGINE.exists():
        pytest.skip("no Docker engine answers, and ../shared, which could start one, is absent")
    ours = {"DOCKER_HOST": f"unix://{DATA}/docker.sock"}
    running = answers(ours)
    said([str(ENGINE), "up", str(DATA)])
    try:
        if not answers(ours):
            pytest.fail(f"the Docker engine does not answer: read {DATA}/dockerd.log")
        yield ours
    finally:
        if not running:
            # What images of earlier trees were made of; the images of this one stay, and build fast.
            said(["docker", "image", "prune", "--force"], ours)
            said([str(ENGINE), "down", str(DATA)])


@dataclass(frozen=True)
class Host:
    """A container, named by its id, of which the beginning is its host name."""

    id: str
    docker: "Docker" = field(compare=False, repr=False)

    @property
    def name(self) -> str:
        """Its host name."""
        return self.id[:12]

    def addresses(self) -> dict[str, str]:
        """Its address in each of its networks."""
        return {name: network["IPAddress"] for name, network in self.networks().items()}

    def address(self) -> str:
        """Its address in the first of its networks."""
        return next(iter(self.addresses().values()))

    def networks(self) -> dict[str, dict[str, str]]:
        """The networks it is in."""
        shown = self.docker.run("inspect", "-f", "{{json .NetworkSettings.Networks}}", self.id)
        found: dict[str, dict[str, str]] = json.loads(shown)
        return found


@dataclass(frozen=True)
class Docker:
    """Commands to one engine."""

    environment: dict[str, str]

    def run(self, *arguments: str) -> str:
        """`docker …`, and what it prints."""
        return said(["docker", *arguments], self.environment).strip()

    @contextmanager
    def cut_off(self, host: Host) -> Iterator[None]:
        """Take a host out of all its networks while the block lasts.

        It comes back with another address: what it had open is of no use any more, and nobody tells it so.
        """
        image = self.run("inspect", "-f", "{{.Image}}", host.id)
        networks = list(host.networks())
        strangers: list[str] = []
        try:
            for network in networks:
                self.run("network", "disconnect", network, host.id)
                # The lowest address that is free is given away next.
                strangers.append(
                    self.run("run", "-d", "--network", network, "--entrypoint", "sleep", image, "inf")
                )
            yield
        finally:
            for network in networks:
                self.run("network", "connect", network, host.id)
            self.run("rm", "--force", "--volumes", *strangers)

    @contextmanager
    def paused(self, host: Host) -> Iterator[None]:
        """Have a host stand still while the block lasts."""
        self.run("pause", host.id)
        try:
            yield
        finally:
            self.run("unpause", host.id)


@dataclass(frozen=True)
class Compose:
    """One project of docker-compose.yml, with passwords of its own and what a test changes."""

    docker: Docker
    command: list[str]

    def run(self, *arguments: str) -> str:
        """`docker-compose …`, and what it prints."""
        return said([*self.command, *arguments], self.docker.environment)

    def hosts(self, service: str) -> list[Host]:
        """The containers of a service that run."""
        return [Host(line, self.docker) for line in self.run("ps", "-q", service).split()]


@contextmanager
def composed(project: str, folder: Path, changes: dict[str, object]) -> Iterator[Compose]:
    """The services' images, built; nothing runs yet. Containers, networks and volumes go with the block.

    `changes` is laid over the services of docker-compose.yml; passwords are in `folder`/env.
    """
    with docker_engine() as environment:
        said(["sh", str(PROJECT_ROOT / "scripts/compose-env"), str(folder / "env")])
        override = folder / "override.yml"
        override.write_text(yaml.safe_dump({"version": "3.8", "services": changes}))
        has_plugin = not subprocess.run(
            ["docker", "compose", "version"], capture_output=True, check=False
        ).returncode
        program = ["docker", "compose"] if has_plugin else ["docker-compose"]
        files = ["--env-file", str(folder / "env"), "-f", "docker-compose.yml", "-f", str(override)]
        compose = Compose(Docker(environment), [*program, *files, "-p", project, "--profile", "tools"])
        down = ("down", "--volumes", "--remove-orphans")
        compose.run(*down)
        try:
            compose.run("build")
            yield compose
        finally:
            with contextlib.suppress(subprocess.TimeoutExpired):
                (folder / "containers.log").write_text(compose.run("logs", "--no-color", "--timestamps"))
            compose.run(*down)
