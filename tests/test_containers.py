"""docker-compose.yml and the Dockerfile keep to least privilege; the real run is `make test-compose`."""

import re

import yaml

from app.core.settings import PROJECT_ROOT

COMPOSE = yaml.safe_load((PROJECT_ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
PASSWORDS = {
    "db": {"SUPERUSER", "OWNER", "WORKER", "MAINTAINER", "API", "READER", "DASHBOARD"},
    "redis": {"REDIS"},
    "migrate": {"OWNER"},
    "api": {"API"},
    "worker": {"WORKER", "REDIS"},
    "beat": {"REDIS"},
    "trigpoint": {"OWNER", "WORKER", "MAINTAINER", "API", "REDIS"},
    "scripted": set(),
}


def test_every_service_is_hardened() -> None:
    assert set(SERVICES) == set(PASSWORDS)
    for name, service in SERVICES.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "privileged" not in service, name


def test_each_service_is_given_only_the_passwords_it_needs() -> None:
    for name, service in SERVICES.items():
        words = " ".join(str(value) for value in service.get("environment", {}).values())
        assert set(re.findall(r"\$\{TRIGPOINT_PASSWORD_([A-Z]+)", words)) == PASSWORDS[name], name


def test_database_and_broker_cannot_be_reached_from_outside() -> None:
    assert COMPOSE["networks"]["inside"]["internal"] is True
    for name in ("db", "redis", "migrate", "beat"):
        assert SERVICES[name]["networks"] == ["inside"]
        assert "ports" not in SERVICES[name]


def test_long_running_services_have_health_checks() -> None:
    for name in ("db", "redis", "api", "worker", "beat"):
        assert SERVICES[name]["healthcheck"]["test"]


def test_every_image_ends_as_an_ordinary_user_from_one_base() -> None:
    text = (PROJECT_ROOT / "Dockerfile").read_text()
    stages = re.split(r"^FROM ", text, flags=re.MULTILINE)[1:]
    assert [stage.split("\n")[0] for stage in stages] == [
        "debian:bookworm-slim AS base",
        "base AS db",
        "base AS redis",
        "base AS app",
    ]
    for stage in stages[1:]:
        users = re.findall(r"^USER (\S+)", stage, flags=re.MULTILINE)
        assert users, stage
        assert users[-1] != "root", stage
