"""docker-compose.yml, the Dockerfile and .env.example, held against each other and against ACE.

No Docker engine runs here. The file is interpolated as Compose does it and then read by the package
`compose-spec`, an independent implementation of the Compose specification that refuses unknown keys
and malformed values; its models were generated from the specification's JSON schema.
"""

import itertools
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from ace.claims.model import MAX_CHAIN_CHARACTERS
from ace.local.servers import POSTGRES_SETTINGS
from ace.settings import Settings
from tests import commands
from workers.app import TASKS

ROOT = Path(__file__).parents[2]
PROFILES = ("cpu", "gpu")
SECRETS = {"POSTGRES_PASSWORD", "POSTGRES_API_PASSWORD", "REDIS_PASSWORD", "ACE_SECRET"}
ONE_SHOT = {"migrate", "login"}
VARIABLE = re.compile(r"\$(?:\$|\{(?P<name>\w+)(?P<rule>:[-?])(?P<word>[^}]*)\})")

COMPOSE = (ROOT / "docker-compose.yml").read_text()
ENV_EXAMPLE = (ROOT / ".env.example").read_text()
DOCKERFILE = (ROOT / "Dockerfile").read_text()
EXACT = re.compile(r":v?\d+\.\d+(?:\.\d+)?$|@sha256:[0-9a-f]{64}$")
DOCUMENTED = dict(re.findall(r"^#?([A-Z][A-Z_0-9]*)=(.*)$", ENV_EXAMPLE, re.MULTILINE))


def interpolated(value: Any, environment: dict[str, str]) -> Any:
    """What Compose makes of `${…}` and `$$` in a document; raises KeyError with a variable's message."""

    def put(match: re.Match[str]) -> str:
        if match.group() == "$$":
            return "$"
        given = environment.get(match["name"], "")
        if not given and match["rule"] == ":?":
            raise KeyError(match["word"])
        return given or match["word"]

    if isinstance(value, dict):
        return {key: interpolated(inner, environment) for key, inner in value.items()}
    if isinstance(value, list):
        return [interpolated(inner, environment) for inner in value]
    return VARIABLE.sub(put, value) if isinstance(value, str) else value


RAW = yaml.safe_load(COMPOSE)
DOCUMENT = interpolated(RAW, dict.fromkeys(SECRETS, "ab12"))
SERVICES: dict[str, dict[str, Any]] = DOCUMENT["services"]


def with_tls(document: str) -> str:
    """The file once the lines that begin with #TLS took the place of those above them."""
    lines: list[str] = []
    for line in document.splitlines():
        taken = re.sub(r"^( *)#TLS ", r"\1", line)
        if taken != line and lines[-1].partition(":")[0] == taken.partition(":")[0]:
            lines.pop()
        lines.append(taken)
    return "\n".join(lines)


TLS = interpolated(yaml.safe_load(with_tls(COMPOSE)), dict.fromkeys(SECRETS, "ab12"))


def ace_commands(service: dict[str, Any]) -> list[str] | None:
    """The words after `ace` where a service runs it."""
    command = service.get("command", [])
    return command[1:] if command[:1] == ["ace"] else None


def environment_of(service: dict[str, Any]) -> dict[str, str]:
    return dict(service.get("environment", {}))


def running(profile: str) -> set[str]:
    """The services that a profile starts."""
    return {name for name, one in SERVICES.items() if profile in one.get("profiles", [profile])}


def specification() -> Callable[[str], Any]:
    """`from_json` of the package compose-spec, which CI must have."""
    if "CI" in os.environ:
        import compose_spec
    else:
        compose_spec = pytest.importorskip("compose_spec")
    parse: Callable[[str], Any] = compose_spec.PyCompose.from_json
    return parse


def test_the_file_is_a_compose_file() -> None:
    read = specification()(json.dumps(DOCUMENT))
    assert set(read.service_names()) == set(SERVICES)


def test_the_file_with_tls_is_a_compose_file_too() -> None:
    assert set(specification()(json.dumps(TLS)).service_names()) == set(SERVICES)
    keys = [line.split("#")[0].partition(":")[0] for line in with_tls(COMPOSE).splitlines() if ":" in line]
    assert not [key for key, after in itertools.pairwise(keys) if key == after and key.strip()]


@pytest.mark.parametrize("name", [name for name, one in SERVICES.items() if ace_commands(one)])
def test_with_tls_nobody_talks_to_another_machine_in_the_clear(name: str) -> None:
    given = TLS["services"][name].get("environment", {})
    (where,) = [one["target"] for one in TLS["services"][name]["configs"]]
    if "ACE_DATABASE_URL" in given:
        assert given["ACE_DATABASE_URL"].endswith(f"?sslmode=verify-full&sslrootcert={where}")
        assert given["ACE_BROKER_URL"].startswith("rediss://")
        assert given["ACE_BROKER_URL"].endswith(f"?ssl_ca_certs={where}")
    assert ("ACE_EXPERT_CA_FILE" in given) == ("ACE_EXPERT_URL" in given)
    assert given.get("ACE_EXPERT_CA_FILE", where) == where


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ({"comand": ["ace"]}, "comand"),
        ({"restart": "sometimes"}, "sometimes"),
        ({"depends_on": {"b": {"condition": "healthy"}}}, "healthy"),
        ({"healthcheck": {"tests": ["CMD", "true"]}}, "tests"),
        ({"ports": ["all:8000"]}, "port range"),
        ({"stop_grace_period": "30 moons"}, "moons"),
    ],
)
def test_what_is_no_compose_file_is_refused(broken: dict[str, Any], complaint: str) -> None:
    service = {"image": "x:1", **broken}
    with pytest.raises(ValueError, match=complaint):
        specification()(json.dumps({"services": {"a": service}}))


def test_every_dollar_is_one_that_we_interpolate() -> None:
    lines = [line.partition(" #")[0] for line in COMPOSE.splitlines() if not line.lstrip().startswith("#")]
    assert "$" not in VARIABLE.sub("", "\n".join(lines))


@pytest.mark.parametrize("missing", sorted(SECRETS))
def test_a_missing_secret_is_named(missing: str) -> None:
    with pytest.raises(KeyError, match=f"set {missing} in .env"):
        interpolated(RAW, dict.fromkeys(SECRETS - {missing}, "ab12"))


@pytest.mark.parametrize("name", [name for name, one in SERVICES.items() if ace_commands(one)])
def test_every_ace_command_exists(name: str) -> None:
    commands.parse(ace_commands(SERVICES[name]) or [])


def test_every_worker_takes_a_queue_that_exists() -> None:
    queues = {
        name: words[1]
        for name, one in SERVICES.items()
        if (words := ace_commands(one) or [""])[0] == "worker"
    }
    assert set(queues.values()) == set(TASKS)
    assert queues["gatekeeper"] == queues["gatekeeper-gpu"] == "fast"


@pytest.mark.parametrize("name", SERVICES)
def test_every_variable_of_ace_is_a_setting(name: str) -> None:
    given = {key: value for key, value in environment_of(SERVICES[name]).items() if key.startswith("ACE_")}
    fields = {key.removeprefix("ACE_").lower(): value for key, value in given.items()}
    assert set(fields) <= set(Settings.model_fields)
    Settings.model_validate({key: value for key, value in fields.items() if value != ""})


def test_every_other_mention_of_a_variable_of_ace_is_a_setting_too() -> None:
    mentioned = set(re.findall(r"\bACE_[A-Z_]+[A-Z]\b", DOCKERFILE + ENV_EXAMPLE + COMPOSE))
    assert {name.removeprefix("ACE_").lower() for name in mentioned} <= set(Settings.model_fields)


def test_what_is_passed_on_has_the_default_of_the_settings() -> None:
    for match in VARIABLE.finditer(COMPOSE):
        name, rule, word = match["name"], match["rule"], match["word"]
        field = Settings.model_fields.get((name or "").removeprefix("ACE_").lower())
        if field is not None and rule == ":-" and word and name != "ACE_EXPERT_URL":
            assert word == str(field.default), name


def variables() -> Iterator[tuple[str, str]]:
    for match in VARIABLE.finditer(COMPOSE):
        if match["name"]:
            yield match["name"], match["word"] if match["rule"] == ":-" else ""


def test_every_variable_is_documented_with_its_default() -> None:
    used = dict(variables())
    assert set(used) == set(DOCUMENTED)
    assert {name: word for name, word in DOCUMENTED.items() if word} == {
        name: word for name, word in used.items() if word and name != "ACE_EXPERT_URL"
    }


def test_an_example_holds_no_secret() -> None:
    assert all(DOCUMENTED[name] == "" for name in SECRETS | {"HF_TOKEN", "ACE_EXPERT_TOKEN"})


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_watched_or_runs_once(name: str) -> None:
    service = SERVICES[name]
    if name in ONE_SHOT:
        assert service["restart"] == "no"
        assert "healthcheck" not in service
    else:
        assert service["restart"] == "unless-stopped"
        assert service["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}


@pytest.mark.parametrize("name", [name for name, one in SERVICES.items() if "healthcheck" in one])
def test_health_checks_in_python_compile(name: str) -> None:
    kind, *words = SERVICES[name]["healthcheck"]["test"]
    if words[:2] == ["python", "-c"]:
        assert kind == "CMD"
        compile(words[2], name, "exec")


@pytest.mark.parametrize("name", SERVICES)
def test_images_are_pinned_or_built_from_a_target_that_exists(name: str) -> None:
    service = SERVICES[name]
    if "build" not in service:
        assert EXACT.search(service["image"])
    else:
        targets = re.findall(r"^FROM \S+ AS (\S+)$", DOCKERFILE, re.MULTILINE)
        assert service["build"]["target"] in targets


def test_every_stage_begins_with_an_exact_python() -> None:
    (python,) = re.findall(r"^ARG PYTHON=(\S+)$", DOCKERFILE, re.MULTILINE)
    assert EXACT.search(f"python:{python.partition('-')[0]}")
    stages = set(re.findall(r"^FROM \S+ AS (\S+)$", DOCKERFILE, re.MULTILINE))
    assert set(re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)) <= stages | {"python:${PYTHON}"}


def test_what_is_shipped_has_hashes_and_a_bill_of_materials() -> None:
    stages = dict(re.findall(r"^FROM \S+ AS (\S+)\n(.*?)(?=^FROM |\Z)", DOCKERFILE, re.MULTILINE | re.DOTALL))
    assert "--require-hashes --only-binary=:all: -r product.txt" in stages["build"]
    shipped = re.findall(r"^COPY --from=(\S+) /opt/ace /opt/ace$", DOCKERFILE, re.MULTILINE)
    assert shipped == ["build-gpu", "build-cpu"]
    for name in shipped:
        *_, last = re.findall(r"^RUN .*\n(?: .*\n)*", stages[name], re.MULTILINE)
        assert "cyclonedx-py environment /opt/ace " in last
        assert "-o /opt/ace/sbom.cdx.json" in last


def test_the_dockerfile_copies_what_it_is_given() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        word
        for line in re.findall(r"^COPY (?!--from)(.*)$", DOCKERFILE, re.MULTILINE)
        for word in line.split()[:-1]
    }
    assert copied <= allowed
    assert all((ROOT / name).exists() for name in allowed)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_starts_everything_that_its_services_need(profile: str) -> None:
    started = running(profile)
    for name in started:
        for needed, how in SERVICES[name].get("depends_on", {}).items():
            assert needed in started, f"{name} needs {needed}"
            if how["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[needed]
            if how["condition"] == "service_completed_successfully":
                assert needed in ONE_SHOT


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_has_every_part_once_and_one_expert_at_the_default_url(profile: str) -> None:
    started = running(profile)
    parts = [" ".join(ace_commands(SERVICES[name]) or [])[:11] for name in started]
    for part in ("serve", "dispatch", "worker fast", "worker slow", "db upgrade"):
        assert parts.count(part) == 1, part
    experts = [
        SERVICES[name]
        for name in started
        if isinstance(networks := SERVICES[name]["networks"], dict)
        and "expert" in (networks["inside"] or {}).get("aliases", [])
    ]
    assert len(experts) == 1
    url = environment_of(SERVICES["expert-worker"])["ACE_EXPERT_URL"]
    host, _, port = url.removeprefix("http://").partition(":")
    assert host == "expert"
    command = experts[0]["command"]
    assert f"--port={port}" in command or command[command.index("--port") + 1] == port


def test_the_gpu_profile_scores_on_the_gpu_and_the_other_does_not() -> None:
    gpu, cpu = environment_of(SERVICES["gatekeeper-gpu"]), environment_of(SERVICES["gatekeeper"])
    assert (gpu["ACE_GATEKEEPER_DEVICE"], cpu["ACE_GATEKEEPER_DEVICE"]) == ("cuda", "cpu")
    targets = [volume["target"] for volume in SERVICES["gatekeeper-gpu"]["volumes"]]
    assert gpu["ACE_GATEKEEPER_MODEL"] in targets
    for name in ("gatekeeper-gpu", "tgi"):
        devices = SERVICES[name]["deploy"]["resources"]["reservations"]["devices"]
        assert devices[0]["capabilities"] == ["gpu"]


def test_tgi_takes_the_longest_claim_with_its_chain_and_answers_in_full() -> None:
    from ace.claims.model import MAX_CLAIM_CHARACTERS

    options = dict(word[2:].partition("=")[::2] for word in SERVICES["tgi"]["command"])
    most, total = int(options["max-input-tokens"]), int(options["max-total-tokens"])
    prompt_tokens = 4_000
    # English runs at about four characters a token.
    assert (MAX_CLAIM_CHARACTERS + MAX_CHAIN_CHARACTERS) // 4 + prompt_tokens <= most
    assert total - most >= int(Settings.model_fields["expert_max_tokens"].default)
    assert int(options["max-batch-prefill-tokens"]) >= most
    assert int(options["max-concurrent-requests"]) >= int(Settings.model_fields["expert_slots"].default)


def test_only_the_api_and_the_dashboard_are_published_and_only_on_this_machine() -> None:
    published = {name: one["ports"] for name, one in SERVICES.items() if "ports" in one}
    assert set(published) == {"api", "grafana"}
    assert all(port.startswith("127.0.0.1:") for ports in published.values() for port in ports)


def test_the_api_knows_neither_the_owner_of_the_database_nor_its_password() -> None:
    told = interpolated(RAW, {name: f"secret-{name}" for name in SECRETS})["services"]
    for name, service in told.items():
        environment = json.dumps(service.get("environment", {}))
        assert ("secret-POSTGRES_API_PASSWORD" in environment) == (name in {"api", "login"})
        if name == "api":
            assert "secret-POSTGRES_PASSWORD" not in environment
            assert service["environment"]["ACE_DATABASE_URL"].startswith("postgresql://ace_login:")
        elif "ACE_DATABASE_URL" in service.get("environment", {}):
            assert service["environment"]["ACE_DATABASE_URL"].startswith("postgresql://ace:")


def test_what_holds_claims_leaves_no_core_file() -> None:
    holding = {name for name in SERVICES if ace_commands(SERVICES[name])} | {"postgres", "tgi"}
    assert {name for name, one in SERVICES.items() if one.get("ulimits") == {"core": 0}} == holding


def test_what_holds_claims_or_messages_has_no_way_out() -> None:
    assert DOCUMENT["networks"]["inside"] == {"internal": True}
    outside = {name for name, one in SERVICES.items() if "outside" in one["networks"]}
    assert outside == {"api", "expert-worker", "grafana", "webhook-worker", "tgi"}


def test_the_broker_never_evicts_and_survives_a_restart() -> None:
    (command,) = [word for word in SERVICES["redis"]["command"] if "redis-server" in word]
    assert "--maxmemory-policy noeviction" in " ".join(command.split())
    assert "--appendonly yes" in command
    assert "ab12" not in command  # the password comes from the environment, not from the arguments
    assert SERVICES["redis"]["volumes"] == ["redis:/data"]


def test_postgres_keeps_claims_out_of_its_log_as_the_embedded_one_does() -> None:
    options = dict(
        word.removeprefix("-c").partition("=")[::2] for word in SERVICES["postgres"]["command"][1:]
    )
    embedded = dict(re.findall(r"^(log_\w+) = (\S+)$", POSTGRES_SETTINGS, re.MULTILINE))
    assert embedded
    assert embedded.items() <= options.items()


def test_postgres_keeps_its_data_where_version_18_has_it() -> None:
    assert SERVICES["postgres"]["image"].startswith("postgres:18.")
    assert SERVICES["login"]["image"] == SERVICES["postgres"]["image"]
    assert SERVICES["postgres"]["volumes"] == ["postgres:/var/lib/postgresql"]


@pytest.mark.parametrize("name", ["gatekeeper", "gatekeeper-gpu", "expert-worker", "webhook-worker"])
def test_a_worker_is_stopped_later_than_its_grace_is_over(name: str) -> None:
    grace = float(environment_of(SERVICES[name])["ACE_SHUTDOWN_GRACE_SECONDS"])
    assert float(SERVICES[name]["stop_grace_period"].removesuffix("s")) >= grace + 5


def test_those_who_lease_and_those_who_renew_agree() -> None:
    dispatcher = environment_of(SERVICES["dispatcher"])
    for name, variable in (
        ("gatekeeper", "ACE_FAST_LEASE_SECONDS"),
        ("gatekeeper-gpu", "ACE_FAST_LEASE_SECONDS"),
        ("expert-worker", "ACE_SLOW_LEASE_SECONDS"),
        ("webhook-worker", "ACE_SLOW_LEASE_SECONDS"),
    ):
        assert environment_of(SERVICES[name])[variable] == dispatcher[variable]
