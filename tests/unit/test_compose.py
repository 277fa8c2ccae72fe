"""docker-compose.yml, the Dockerfile and .env.example, held against each other and against ACE.

No Docker engine runs here. The file is interpolated as Compose does it and then read by the package
`compose-spec`, an independent implementation of the Compose specification that refuses unknown keys
and malformed values; its models were generated from the specification's JSON schema.
"""

import itertools
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from ace.claims.model import MAX_CHAIN_CHARACTERS
from ace.local.postgres_tools import OLDEST_MAJOR
from ace.local.servers import POSTGRES_SETTINGS
from ace.settings import Settings
from ace.workers.messages import TASKS
from tests import commands

ROOT = Path(__file__).parents[2]
PROFILES = ("cpu", "gpu")
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
DOCUMENT = interpolated(RAW, {})
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


TLS = interpolated(yaml.safe_load(with_tls(COMPOSE)), {})


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
    assert not [
        key for key, after in itertools.pairwise(keys) if key == after and key.strip() and "- {" not in key
    ]


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


SUITED = {"ACE_EXPERT_URL", "ACE_CALIBRATION"}
"""Defaults that suit the expert of a profile, and not those of the settings."""


def test_what_is_passed_on_has_the_default_of_the_settings() -> None:
    for match in VARIABLE.finditer(COMPOSE):
        name, rule, word = match["name"], match["rule"], match["word"]
        field = Settings.model_fields.get((name or "").removeprefix("ACE_").lower())
        if field is not None and rule == ":-" and word and name not in SUITED:
            assert word == str(field.default), name


def variables() -> Iterator[tuple[str, str]]:
    for match in VARIABLE.finditer(COMPOSE):
        if match["name"]:
            yield match["name"], match["word"] if match["rule"] == ":-" else ""


def test_every_variable_is_documented_with_its_default() -> None:
    used = dict(variables())
    assert set(used) == set(DOCUMENTED)
    assert {name: word for name, word in DOCUMENTED.items() if word and name not in SUITED} == {
        name: word for name, word in used.items() if word and name not in SUITED
    }


def secrets_of(service: dict[str, Any]) -> dict[str, str]:
    """The secrets that a service reads, by the names of their files in the container."""
    listed = service.get("secrets", [])
    return {
        one if isinstance(one, str) else one["target"]: one if isinstance(one, str) else one["source"]
        for one in listed
    }


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """The folder of secrets that the script makes."""
    (tmp_path / "deploy").mkdir()
    script = tmp_path / "deploy" / "make_secrets.sh"
    shutil.copy(ROOT / "deploy" / "make_secrets.sh", script)
    subprocess.run(["/bin/sh", script], check=True)
    first = (tmp_path / "secrets" / "ace_secret").read_text()
    subprocess.run(["/bin/sh", script], check=True)
    assert (tmp_path / "secrets" / "ace_secret").read_text() == first
    return tmp_path / "secrets"


def test_the_script_makes_every_secret_that_is_named(made: Path) -> None:
    named = {name: one["file"] for name, one in DOCUMENT["secrets"].items()}
    assert named == {name: f"./secrets/{name}" for name in named}
    assert {path.name for path in made.iterdir()} == set(named)
    empty = {path.name for path in made.iterdir() if not path.read_text().strip()}
    assert empty == {"ace_other_secrets", "ace_expert_token"}
    assert len({path.read_text() for path in made.iterdir()}) == len(named) - 1
    assert made.stat().st_mode & 0o777 == 0o700
    Settings.model_validate({"secret": (made / "ace_secret").read_text().strip()}).private_secrets()
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {".env", "secrets/"} <= set(ignored)


def test_every_secret_is_read_and_no_environment_holds_one() -> None:
    read = {source for one in SERVICES.values() for source in secrets_of(one).values()}
    assert read == set(DOCUMENT["secrets"])
    secret = re.compile(r"(PASSWORD|SECRET|TOKEN|KEY)$")
    held = {key for one in SERVICES.values() for key in environment_of(one) if secret.search(key)}
    assert held == {"HF_TOKEN"}  # TGI reads it from nowhere else
    assert not re.search(r"//[^/\s]*:[^/\s]+@", COMPOSE)


@pytest.mark.parametrize("name", [name for name, one in SERVICES.items() if ace_commands(one)])
def test_a_secret_of_ace_has_the_name_of_its_setting(name: str) -> None:
    names = {one.removeprefix("ACE_").lower() for one in map(str.upper, secrets_of(SERVICES[name]))}
    assert names <= set(Settings.model_fields)
    for part in ("DATABASE", "BROKER"):
        if f"ACE_{part}_URL" in environment_of(SERVICES[name]) and name != "migrate":
            assert f"{part.lower()}_password" in names


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


def test_whoever_makes_backups_has_the_client_programs_of_the_server_s_version() -> None:
    stages = dict(re.findall(r"^FROM \S+ AS (\S+)\n(.*?)(?=^FROM |\Z)", DOCKERFILE, re.MULTILINE | re.DOTALL))
    assert SERVICES["migrate"]["build"]["target"] == "ace"  # the owner's login, with which backups are made
    (major,) = re.findall(r"^ARG POSTGRES=(\d+)$", stages["ace"], re.MULTILINE)
    assert SERVICES["postgres"]["image"].startswith(f"postgres:{major}.")
    assert int(major) >= OLDEST_MAJOR
    assert '"postgresql-client-$POSTGRES"' in stages["ace"]
    keys = re.findall(r"^COPY --from=postgresql-key \S+/(\S+) (\S+)$", stages["ace"], re.MULTILINE)
    (signer,) = re.findall(r"signed-by=([^]]+)", stages["ace"])
    assert [folder + name for name, folder in keys] == [signer]
    assert re.findall(r"^USER (\S+)$", stages["ace"], re.MULTILINE)[-1] == "ace"


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


def test_everybody_has_a_login_of_their_own_and_only_the_migration_is_the_owner() -> None:
    logins = {"api": ("ace_login", "api_password"), "migrate": ("ace", "postgres_password")}
    for name, service in SERVICES.items():
        url = environment_of(service).get("ACE_DATABASE_URL")
        login, password = logins.get(name, ("ace_worker", "worker_password"))
        if url is not None:
            assert url.startswith(f"postgresql://{login}@"), name
            assert secrets_of(service)["ace_database_password"] == password
    owners = {name for name, one in SERVICES.items() if "postgres_password" in secrets_of(one).values()}
    assert owners == {"postgres", "migrate", "login"}


@pytest.mark.parametrize("name", SERVICES)
def test_every_container_has_bounds(name: str) -> None:
    service = SERVICES[name]
    assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
    assert service["pids_limit"] > 0
    assert service["logging"] == {"driver": "json-file", "options": {"max-size": "50m", "max-file": "5"}}


def test_spans_go_to_the_collector_of_the_profile() -> None:
    collector = SERVICES["collector"]
    assert (collector["profiles"], collector["networks"]) == (["observe"], ["inside"])
    (url,) = re.findall(r"http://collector:4318/\S+traces", ENV_EXAMPLE)
    assert url == "http://collector:4318/v1/traces"
    for name, service in SERVICES.items():
        if "ACE_DATABASE_URL" in environment_of(service):
            assert "ACE_TRACES_URL" in environment_of(service), name
    sources = yaml.safe_load((ROOT / "deploy/observe/grafana/datasources/ace.yml").read_text())["datasources"]
    assert {urlsplit(one["url"]).hostname for one in sources} == {"prometheus", "collector"}
    (prometheus,) = [one for one in sources if one["type"] == "prometheus"]
    (target,) = prometheus["jsonData"]["exemplarTraceIdDestinations"]
    assert target["name"] == "trace_id"
    assert target["datasourceUid"] in {one["uid"] for one in sources}


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
    assert (
        "$(cat /run/secrets/redis_password)" in command
    )  # on standard input, which no list of processes shows
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
