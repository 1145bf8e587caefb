"""docker-compose.yml and the Dockerfile keep to least privilege; the real run is `make test-compose`."""

import re

import yaml

from app.core.settings import PROJECT_ROOT

COMPOSE = yaml.safe_load((PROJECT_ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
PASSWORDS = {
    "db": {"SUPERUSER", "OWNER", "WORKER", "MAINTAINER", "API", "READER", "DASHBOARD"},
    "redis": {"REDIS"},
    "sandbox": {"SANDBOX_SUPERUSER", "SANDBOX", "READER"},
    "migrate": {"OWNER"},
    "api": {"API", "MAINTAINER", "READER", "REDIS"},
    "worker": {"WORKER", "READER", "SANDBOX", "REDIS"},
    "importer": {"OWNER", "WORKER", "REDIS"},
    "beat": {"REDIS"},
    "trigpoint": {"OWNER", "WORKER", "MAINTAINER", "API", "READER", "SANDBOX", "REDIS"},
    "scripted": set(),
    "vllm": set(),
    "grafana": {"DASHBOARD", "GRAFANA"},
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
        assert set(re.findall(r"\$\{TRIGPOINT_PASSWORD_([A-Z_]+)", words)) == PASSWORDS[name], name


def test_database_and_broker_cannot_be_reached_from_outside() -> None:
    assert COMPOSE["networks"]["inside"]["internal"] is True
    for name in ("db", "redis", "migrate", "beat"):
        assert SERVICES[name]["networks"] == ["inside"]
        assert "ports" not in SERVICES[name]


def test_the_model_starts_only_where_it_is_asked_for_and_only_workers_reach_it() -> None:
    vllm = SERVICES["vllm"]
    assert vllm["profiles"] == ["gpu"]
    assert "ports" not in vllm
    assert {"inside"} <= set(vllm["networks"]) & set(SERVICES["worker"]["networks"])
    (device,) = vllm["deploy"]["resources"]["reservations"]["devices"]
    assert (device["driver"], device["count"], device["capabilities"]) == ("nvidia", 1, ["gpu"])
    for name, service in SERVICES.items():
        assert "vllm" not in service.get("depends_on", {}), name


def test_the_dashboards_start_only_where_they_are_asked_for_on_a_pinned_image() -> None:
    grafana = SERVICES["grafana"]
    assert grafana["profiles"] == ["dashboards"]
    assert re.search(r"grafana/grafana:\d+\.\d+\.\d+\}$", grafana["image"])
    assert all(port.startswith("${TRIGPOINT_GRAFANA_PUBLISH:-127.0.0.1:") for port in grafana["ports"])
    assert all(volume.endswith(":ro") for volume in grafana["volumes"] if volume.startswith("."))
    for name, service in SERVICES.items():
        assert "grafana" not in service.get("depends_on", {}), name


def test_what_the_services_name_is_there() -> None:
    """What `docker compose config` would look for: volumes, networks, stages, services that others wait for."""
    stages = set(re.findall(r"^FROM \S+ AS (\S+)$", (PROJECT_ROOT / "Dockerfile").read_text(), re.MULTILINE))
    for name, service in SERVICES.items():
        if name != "grafana":
            assert service["build"]["target"] in stages, name
        assert set(service["networks"]) <= set(COMPOSE["networks"]), name
        assert set(service.get("depends_on", {})) <= set(SERVICES), name
        named = {volume.split(":")[0] for volume in service.get("volumes", [])}
        assert {volume for volume in named if "/" not in volume and "$" not in volume} <= set(
            COMPOSE["volumes"]
        ), name


def test_the_models_server_comes_from_pip_on_the_same_base() -> None:
    text = (PROJECT_ROOT / "Dockerfile").read_text()
    stage = text[text.index("FROM base AS vllm") :]
    assert re.search(r"^ARG VLLM=\d+\.\d+\.\d+$", stage, re.MULTILINE)
    assert 'pip install --quiet "vllm==$VLLM"' in stage


def test_long_running_services_have_health_checks() -> None:
    for name in ("db", "redis", "api", "worker", "importer", "beat", "vllm", "grafana"):
        assert SERVICES[name]["healthcheck"]["test"]


def test_every_image_ends_as_an_ordinary_user_from_one_base() -> None:
    text = (PROJECT_ROOT / "Dockerfile").read_text()
    stages = re.split(r"^FROM ", text, flags=re.MULTILINE)[1:]
    assert [stage.split("\n")[0] for stage in stages] == [
        "debian:bookworm-slim AS base",
        "base AS db",
        "base AS redis",
        "base AS app",
        "base AS vllm",
    ]
    for stage in stages[1:]:
        users = re.findall(r"^USER (\S+)", stage, flags=re.MULTILINE)
        assert users, stage
        assert users[-1] != "root", stage
