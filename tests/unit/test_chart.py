"""The Helm chart, rendered by Helm's own library for several value files, and held against ACE.

No cluster runs here. Objects of Kubernetes are validated against its published schemas; those of KEDA and of
the Prometheus operator have none in the package index, so their fields are compared with what is expected.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from pydantic import SecretStr

from ace.settings import SECRETS_FOLDER, Settings
from ace.store.tables import State
from tests import commands
from tests.chart import CHART, GIVEN, helm, of_kind, rendered

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SCHEMA = json.loads((CHART / "values.schema.json").read_text())
DEFAULTS = yaml.safe_load((CHART / "values.yaml").read_text())
CASES = pytest.mark.parametrize("case", GIVEN)
KUBERNETES = ("1.30", "1.37")
EXTENSIONS = {"ScaledObject", "TriggerAuthentication", "PodMonitor", "ServiceMonitor"}
SECRETS = {
    name for name, field in Settings.model_fields.items() if field.annotation in (SecretStr, SecretStr | None)
}


@pytest.fixture(scope="module")
def releases() -> dict[str, list[dict[str, Any]]]:
    return {case: rendered(given) for case, given in GIVEN.items()}


def pods(objects: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for one in objects:
        if one["kind"] in {"Deployment", "Job"}:
            yield one["metadata"]["name"], one["spec"]["template"]["spec"]


def environment(pod: dict[str, Any]) -> dict[str, Any]:
    (container,) = pod["containers"]
    return {each["name"]: each["value"] for each in container["env"]}


def secrets(pod: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The files that a pod finds in /run/secrets: of each, its secret and its key."""
    (container,) = pod["containers"]
    (mounted,) = [each for each in container["volumeMounts"] if each["mountPath"] == str(SECRETS_FOLDER)]
    assert mounted["readOnly"]
    (volume,) = [each for each in pod["volumes"] if each["name"] == mounted["name"]]
    assert volume["projected"]["defaultMode"] == 0o440
    return {
        item["path"]: {"name": one["secret"]["name"], "key": item["key"]}
        | ({"optional": True} if one["secret"].get("optional") else {})
        for one in volume["projected"]["sources"]
        for item in one["secret"]["items"]
    }


@CASES
def test_helm_finds_nothing_to_say(case: str) -> None:
    found = helm().lint(str(CHART), GIVEN[case], strict=True, namespace="prod")
    assert found["errors"] == []
    assert [each["error"] for each in found["messages"]] == ["icon is recommended"]


@CASES
@pytest.mark.parametrize("version", KUBERNETES)
def test_every_object_is_one_of_kubernetes(releases: Any, case: str, version: str) -> None:
    kubernetes_validate = pytest.importorskip("kubernetes_validate")
    known = [one for one in releases[case] if one["kind"] not in EXTENSIONS]
    assert len(known) >= 10
    for one in known:
        kubernetes_validate.validate(one, version, strict=True)


def test_an_object_that_is_none_is_noticed(releases: Any) -> None:
    kubernetes_validate = pytest.importorskip("kubernetes_validate")
    broken = json.loads(json.dumps(releases["minimal"][-1]))
    broken["spec"]["unheardOf"] = 1
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(broken, KUBERNETES[0], strict=True)


@pytest.mark.parametrize(
    ("case", "parts"),
    [
        ("minimal", {"api": 2, "dispatcher": 2, "gatekeeper": 2, "expert-worker": 2, "webhook-worker": 2}),
        ("small", {"api": 1, "dispatcher": 1, "gatekeeper": 1, "expert-worker": 1, "webhook-worker": 1}),
        ("gpu", {"api": 2, "dispatcher": 2, "gatekeeper-gpu": 2, "expert-worker": 4, "webhook-worker": 2}),
        (
            "autoscaled",
            {
                "api": 2,
                "dispatcher": 2,
                "gatekeeper": None,
                "gatekeeper-gpu": None,
                "expert-worker": None,
                "webhook-worker": 2,
            },
        ),
        ("guarded", {"api": 3, "dispatcher": 2, "gatekeeper": 2, "expert-worker": 2, "webhook-worker": 2}),
    ],
)
def test_what_runs_how_often(releases: Any, case: str, parts: dict[str, int | None]) -> None:
    deployments = of_kind(releases[case], "Deployment")
    found = {name.removeprefix("claims-"): one["spec"].get("replicas") for name, one in deployments.items()}
    assert found == parts | {"console": 0}
    assert set(of_kind(releases[case], "PodDisruptionBudget")) == set(deployments) - {"claims-console"}


@CASES
def test_processes_run_commands_of_ace_with_settings_of_ace(releases: Any, case: str) -> None:
    for name, pod in pods(releases[case]):
        (container,) = pod["containers"]
        if name == "claims-console":
            assert container["args"] == ["sleep", "infinity"]
        else:
            assert container["args"][0] == "ace"
            commands.parse(container["args"][1:])
        given = {name.removeprefix("ACE_").lower(): value for name, value in environment(pod).items()}
        assert given.keys() <= Settings.model_fields.keys() - SECRETS
        Settings.model_validate(given)


def test_the_notes_name_the_console_and_commands_of_ace() -> None:
    with helm().Chart.load(str(CHART)) as chart:
        made = chart.render(chart.merge_values(GIVEN["minimal"]), name="claims", namespace="prod")
    (notes,) = [text for name, text in made.items() if name.endswith("NOTES.txt")]
    (words,) = re.findall(r"exec deploy/claims-console -- ace (.*)", notes)
    commands.parse(words.split())


@CASES
def test_no_secret_is_made(releases: Any, case: str) -> None:
    assert not of_kind(releases[case], "Secret")
    assert not of_kind(releases[case], "ConfigMap")


LOGINS = {"claims-api": "api", "claims-migrate": "uri", "claims-console": "uri"}


def test_each_process_logs_in_as_the_one_it_should_be(releases: Any) -> None:
    """Only the migration and the console as the owner; whoever is not named, as a worker."""
    found = {name: secrets(pod)["ace_database_url"] for name, pod in pods(releases["small"])}
    assert len(found) == 7
    for name, given in found.items():
        assert given == {"name": "ace-postgres", "key": LOGINS.get(name, "worker")}, name


@CASES
def test_secrets_are_files_that_are_named_after_settings(releases: Any, case: str) -> None:
    for name, pod in pods(releases[case]):
        assert (
            {f"ace_{setting}" for setting in SECRETS}
            >= secrets(pod).keys()
            >= {
                "ace_database_url",
                "ace_broker_url",
            }
        ), name


def test_secrets_are_read_where_the_chart_puts_them(
    releases: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Kubernetes lays them: links to files in a folder that it can exchange at once."""
    found = secrets(dict(pods(releases["gpu"]))["claims-expert-worker"])
    (tmp_path / "..2026").mkdir()
    (tmp_path / "..data").symlink_to("..2026")
    values = {"ace_expert_urls": "one=http://a:8000", "ace_expert_token": "t", "ace_broker_url": "redis://b"}
    for file in found:
        (tmp_path / "..2026" / file).write_text(values.get(file, "postgresql://worker:p@db/ace") + "\n")
        (tmp_path / file).symlink_to(f"..data/{file}")
    monkeypatch.setattr("ace.settings.SECRETS_FOLDER", tmp_path)
    settings = Settings()
    assert settings.database_url is not None
    assert settings.database_url.get_secret_value() == "postgresql://worker:p@db/ace"
    assert settings.expert_token is not None
    assert settings.expert_token.get_secret_value() == "t"
    assert [one.url for one in settings.endpoints()] == ["http://a:8000"]


@CASES
def test_only_those_that_sign_have_the_secret(releases: Any, case: str) -> None:
    found = {name: secrets(pod) for name, pod in pods(releases[case])}
    signing = {name for name, given in found.items() if "ace_secret" in given}
    assert signing == {"claims-api", "claims-webhook-worker", "claims-console"}
    for name in signing:
        assert found[name]["ace_other_secrets"] == {
            "name": "ace-signing",
            "key": "other-secrets",
            "optional": True,
        }


@CASES
def test_gatekeepers_read_models_and_the_console_alone_writes_them(releases: Any, case: str) -> None:
    claim = GIVEN[case].get("models", {}).get("existingClaim")
    found = {}
    for name, pod in pods(releases[case]):
        (container,) = pod["containers"]
        mounted = [one["readOnly"] for one in container["volumeMounts"] if one["mountPath"] == "/models"]
        volumes = [one["persistentVolumeClaim"] for one in pod["volumes"] if one["name"] == "models"]
        assert volumes == [{"claimName": claim, "readOnly": each} for each in mounted]
        assert (environment(pod).get("ACE_MODELS_DIR") == "/models") == bool(mounted)
        if mounted:
            found[name.removeprefix("claims-")] = mounted == [True]
    readers = {
        part for part in ("gatekeeper", "gatekeeper-gpu") if f"claims-{part}" in dict(pods(releases[case]))
    }
    assert found == ({**dict.fromkeys(readers, True), "console": False} if claim else {})


@CASES
def test_the_console_alone_writes_backups(releases: Any, case: str) -> None:
    claim = GIVEN[case].get("console", {}).get("backups", {}).get("existingClaim")
    found = {}
    for name, pod in pods(releases[case]):
        (container,) = pod["containers"]
        mounted = [one for one in container["volumeMounts"] if one["name"] == "backups"]
        volumes = [one["persistentVolumeClaim"] for one in pod["volumes"] if one["name"] == "backups"]
        if mounted or volumes:
            found[name] = (mounted, volumes)
    wanted = ([{"name": "backups", "mountPath": "/backups"}], [{"claimName": claim}])
    assert found == ({"claims-console": wanted} if claim else {})


@CASES
def test_the_console_has_the_image_with_clients_of_postgresql(releases: Any, case: str) -> None:
    images = {name: pod["containers"][0]["image"] for name, pod in pods(releases[case])}
    assert images["claims-console"] == images["claims-api"]


@CASES
def test_pods_are_restricted(releases: Any, case: str) -> None:
    for name, pod in pods(releases[case]):
        assert pod["automountServiceAccountToken"] is False, name
        security = pod["securityContext"]
        assert (security["runAsNonRoot"], security["runAsUser"]) == (True, 10001)
        assert security["seccompProfile"] == {"type": "RuntimeDefault"}
        for container in pod["containers"]:
            own = container["securityContext"]
            assert (own["allowPrivilegeEscalation"], own["readOnlyRootFilesystem"]) == (False, True)
            assert own["capabilities"] == {"drop": ["ALL"]}
            assert container["resources"]["limits"]["memory"]
        kinds = {kind for volume in pod["volumes"] for kind in volume if kind != "name"}
        assert kinds <= {"emptyDir", "configMap", "persistentVolumeClaim", "projected"}


@CASES
def test_a_pod_has_longer_than_its_process_takes_to_give_back(releases: Any, case: str) -> None:
    for name, one in of_kind(releases[case], "Deployment").items():
        if name == "claims-console":
            continue
        pod = one["spec"]["template"]["spec"]
        grace = float(environment(pod)["ACE_SHUTDOWN_GRACE_SECONDS"])
        assert pod["terminationGracePeriodSeconds"] >= grace + 10
        spread = [each["topologyKey"] for each in pod["topologySpreadConstraints"]]
        assert spread == ["topology.kubernetes.io/zone", "kubernetes.io/hostname"]


@CASES
def test_the_schema_is_migrated_before_anything_new_starts(releases: Any, case: str) -> None:
    (job,) = of_kind(releases[case], "Job").values()
    assert job["metadata"]["annotations"] == {
        "helm.sh/hook": "pre-install,pre-upgrade",
        "helm.sh/hook-delete-policy": "before-hook-creation,hook-succeeded",
    }
    (container,) = job["spec"]["template"]["spec"]["containers"]
    assert container["args"] == ["ace", "db", "upgrade"]


@pytest.mark.parametrize(
    ("file", "service"), [("worker.txt", "gatekeeper"), ("dispatcher.txt", "dispatcher")]
)
def test_processes_without_a_port_are_asked_as_in_compose(releases: Any, file: str, service: str) -> None:
    asked = COMPOSE["services"][service]["healthcheck"]["test"][3]
    assert (CHART / "files" / file).read_text() == asked
    deployment = of_kind(releases["minimal"], "Deployment")[f"claims-{service}"]
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    assert container["livenessProbe"]["exec"]["command"] == ["python", "-c", asked]


def test_large_numbers_are_written_out(releases: Any) -> None:
    api = dict(pods(releases["guarded"]))["claims-api"]
    assert environment(api)["ACE_MAX_BODY_BYTES"] == "4000000"


def test_the_gpu_gatekeeper_has_a_gpu_and_its_model(releases: Any) -> None:
    pod = dict(pods(releases["gpu"]))["claims-gatekeeper-gpu"]
    (container,) = pod["containers"]
    assert container["image"] == "registry.example.org/ace-gpu:0.3.0"
    assert container["resources"]["limits"]["nvidia.com/gpu"] == 1
    given = environment(pod)
    assert (given["ACE_GATEKEEPER_DEVICE"], given["ACE_GATEKEEPER_MODEL"]) == (
        "cuda",
        "/models/gatekeeper/2026-11",
    )


def test_network_policies_name_every_peer(releases: Any) -> None:
    assert not of_kind(releases["small"], "NetworkPolicy")
    policies = of_kind(releases["guarded"], "NetworkPolicy")
    everybody = policies["claims-all"]["spec"]
    assert "ingress" not in everybody
    reached = {port["port"]: rule.get("to") for rule in everybody["egress"] for port in rule["ports"]}
    assert set(reached) == {53, 5432, 6380}
    assert reached[5432] == [{"ipBlock": {"cidr": "10.20.0.0/24"}}]
    (expert,) = policies["claims-expert-worker"]["spec"]["egress"]
    assert expert == {
        "ports": [{"port": 443, "protocol": "TCP"}],
        "to": [{"ipBlock": {"cidr": "10.30.0.0/28"}}],
    }
    assert policies["claims-webhook-worker"]["spec"]["egress"] == [
        {"ports": [{"port": 443, "protocol": "TCP"}]}
    ]
    (clients,) = policies["claims-api"]["spec"]["ingress"]
    assert len(clients["from"]) == 2


@CASES
def test_selectors_meet_the_pods_that_they_are_for(releases: Any, case: str) -> None:
    objects = releases[case]
    labels = [
        one["spec"]["template"]["metadata"]["labels"] for one in objects if "template" in one.get("spec", {})
    ]
    wanted = [one["spec"]["selector"] for one in objects if one["kind"] in {"Service", "PodDisruptionBudget"}]
    wanted += [one["spec"]["podSelector"] for one in objects if one["kind"] == "NetworkPolicy"]
    assert len(wanted) >= 5
    for selector in wanted:
        pairs = selector.get("matchLabels", selector).items()
        assert any(pairs <= each.items() for each in labels)


def test_workers_are_scaled_by_due_claims(releases: Any) -> None:
    scaled = of_kind(releases["autoscaled"], "ScaledObject")
    deployments = of_kind(releases["autoscaled"], "Deployment")
    assert set(scaled) == {"claims-gatekeeper", "claims-gatekeeper-gpu", "claims-expert-worker"}
    for name, one in scaled.items():
        spec = one["spec"]
        assert spec["scaleTargetRef"] == {"name": name}
        assert "replicas" not in deployments[name]["spec"]
        (trigger,) = spec["triggers"]
        assert trigger["type"] == "postgresql"
        assert trigger["authenticationRef"] == {"name": "claims-watch"}
        assert set(
            re.findall(r"state = '(\w+)'|state IN \('(\w+)', '(\w+)'\)", trigger["metadata"]["query"])[0]
        ) - {""} <= set(State)
    (trigger,) = scaled["claims-gatekeeper"]["spec"]["triggers"]
    assert trigger["metadata"]["targetQueryValue"] == "2300"
    bounds = scaled["claims-gatekeeper"]["spec"]
    assert (bounds["minReplicaCount"], bounds["maxReplicaCount"]) == (2, 40)
    (login,) = of_kind(releases["autoscaled"], "TriggerAuthentication").values()
    assert login["spec"]["secretTargetRef"] == [
        {"parameter": "connection", "name": "ace-scaler", "key": "connection"}
    ]


def test_prometheus_scrapes_the_api(releases: Any) -> None:
    (monitor,) = of_kind(releases["autoscaled"], "ServiceMonitor").values()
    assert monitor["metadata"]["labels"]["release"] == "prometheus"
    (service,) = of_kind(releases["autoscaled"], "Service").values()
    assert monitor["spec"]["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
    (endpoint,) = monitor["spec"]["endpoints"]
    assert (endpoint["port"], endpoint["path"]) == (service["spec"]["ports"][0]["name"], "/metrics")


def test_prometheus_scrapes_whoever_has_metrics_of_its_own(releases: Any) -> None:
    (monitor,) = of_kind(releases["autoscaled"], "PodMonitor").values()
    (endpoint,) = monitor["spec"]["podMetricsEndpoints"]
    for name, pod in pods(releases["autoscaled"]):
        (container,) = pod["containers"]
        ports = {each["name"]: each["containerPort"] for each in container.get("ports", [])}
        shown = environment(pod).get("ACE_METRICS_PORT")
        assert (endpoint["port"] in ports) == (shown == "9400") == (name not in {*LOGINS})
    everybody = of_kind(releases["autoscaled"], "NetworkPolicy")["claims-all"]["spec"]
    assert everybody["ingress"] == [{"ports": [{"port": endpoint["port"], "protocol": "TCP"}]}]


MINIMAL = GIVEN["minimal"]


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"database": {"existingSecret": ""}}, "/database/existingSecret"),
        ({"broker": {"existingSecret": ""}}, "/broker/existingSecret"),
        ({"expert": {"url": ""}}, "/expert"),
        ({"expert": {"url": "", "urlsKey": "urls"}}, "/expert/existingSecret"),
        ({"expert": {"url": "http://x", "tokenKey": "token"}}, "/expert/existingSecret"),
        ({"settings": {"secret": "x"}}, "': invalid propertyName 'secret"),
        ({"settings": {"database_url": "postgresql://"}}, "': invalid propertyName 'database_url"),
        ({"settings": {"ACE_LOG_LEVEL": "info"}}, "': invalid propertyName 'ACE_LOG_LEVEL"),
        ({"api": {"replicas": 0}}, "/api/replicas"),
        ({"settings": {"database_password": "x"}}, "': invalid propertyName 'database_password"),
        ({"settings": {"other_secrets": "x"}}, "': invalid propertyName 'other_secrets"),
        ({"database": {"existingSecret": "x", "workerKey": ""}}, "/database/workerKey"),
        ({"gatekeeperGpu": {"replicas": 1, "model": "new"}}, "/models/existingClaim"),
        ({"gatekeeperGpu": {"replicas": 1}, "models": {"existingClaim": "x"}}, "/gatekeeperGpu/model"),
        ({"gatekeeperGpu": {"model": "/new"}}, "/gatekeeperGpu/model"),
        ({"keda": {"enabled": True}}, "/keda/existingSecret"),
        ({"replicas": 3}, ""),
    ],
    ids=str,
)
def test_values_that_cannot_work_are_refused(change: dict[str, Any], at: str) -> None:
    with helm().Chart.load(str(CHART)) as chart:
        merged = chart.merge_values({**MINIMAL, **change})
        with pytest.raises(helm().HelmError, match=f"at '{at}"):
            chart.render(merged, name="claims", namespace="prod")


def test_no_secret_may_stand_among_the_settings() -> None:
    assert set(SCHEMA["$defs"]["settings"]["propertyNames"]["not"]["enum"]) >= SECRETS


def test_the_schema_knows_every_value() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)

    def names(schema: dict[str, Any]) -> Any:
        inner = schema.get("properties", {})
        return {name: names(one) for name, one in inner.items()} or None

    def missing(values: Any, known: Any, at: str = "") -> list[str]:
        if known is None or not isinstance(values, dict):
            return []
        return [
            found
            for name, value in values.items()
            for found in (
                [f"{at}{name}"] if name not in known else missing(value, known[name], f"{at}{name}.")
            )
        ]

    assert missing(DEFAULTS, names(SCHEMA)) == []
