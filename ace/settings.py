"""Every setting of ACE, read once from the environment (`ACE_…`) or an `.env` file.

The settings table in the docs is generated from the descriptions. Nothing else reads the environment,
and nothing reads settings at import.
"""

from pathlib import Path
from typing import Any, Final, Literal, Self
from urllib.parse import quote, urlsplit, urlunsplit

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SecretsSettingsSource,
    SettingsConfigDict,
)

from ace.errors import NotConfigured
from ace.types.endpoints import Endpoint, endpoints_of
from ace.webhooks.addresses import networks_of
from ace.webhooks.schedule import SCHEDULE_SECONDS, pauses_of

SECRET_CHARACTERS: Final = 16
SECRETS_FOLDER: Final = Path("/run/secrets")
"""Where containers find their secrets as files: `ace_secret` is read as `ACE_SECRET`, if that is not set."""


class Settings(BaseSettings):
    """Settings of one ACE process; units are in the names."""

    model_config = SettingsConfigDict(
        env_prefix="ACE_", env_file=".env", extra="ignore", frozen=True, env_ignore_empty=True
    )

    # The parts
    database_url: SecretStr | None = Field(
        None,
        description="PostgreSQL URL. Unset: `ace up` and `ace demo` start one in the data folder.",
    )
    database_password: SecretStr | None = Field(
        None, description="Password for `database_url`, if that has none."
    )
    broker_url: SecretStr | None = Field(
        None, description="Redis URL. Unset: `ace up` and `ace demo` start one in the data folder."
    )
    broker_password: SecretStr | None = Field(
        None, description="Password for `broker_url`, if that has none."
    )
    expert_url: str | None = Field(
        None,
        description="Base URL of the expert (an LLM server), or unix:///path of its socket. Unset: `ace up`"
        " starts the structural examiner.",
    )
    expert_token: SecretStr | None = Field(None, description="Bearer token for the expert.")
    gatekeeper_model: Path | None = Field(
        None, description="Directory of the gatekeeper model. Unset: the model that ships with ACE."
    )
    calibration: Path | None = Field(
        None,
        description="Calibration record to route by: a file that `ace calibrate` wrote, or NAME for"
        " calibration-NAME.json in the model's directory. Unset: calibration.json there; `ace up` uses"
        " `structural` if it starts the structural examiner.",
    )
    models_dir: Path | None = Field(
        None,
        description="Folder of proposed models, each named by its digest; the same on every worker."
        " Unset: `models` in the data folder.",
    )
    data_dir: Path = Field(Path(".ace"), description="Where the one-machine stack keeps its data.")

    # HTTP
    host: str = Field("127.0.0.1", description="Address the API listens on.")
    port: int = Field(8000, ge=0, le=65535, description="Port the API listens on; 0 takes a free one.")
    secret: SecretStr = Field(
        SecretStr("development-only"),
        description="Signs paging cursors, and gives webhooks their secrets; the same on every API replica"
        " and webhook worker.",
    )
    other_secrets: SecretStr = Field(
        SecretStr(""),
        description="Secrets that are accepted beside `secret`, with commas: the next one before a rotation,"
        " the last one after it.",
    )
    max_body_bytes: int = Field(
        8_000_000,
        ge=1_000,
        description="Maximum size of one filing's body and of one line of a bulk upload.",
    )
    buffered_bytes: int = Field(
        144_000_000,
        ge=1_000,
        description="Maximum memory for unfinished bodies and uploads of all tenants, per API process;"
        " at least three times a tenant's.",
    )
    tenant_buffered_bytes: int = Field(
        48_000_000,
        ge=1_000,
        description="Maximum memory for unfinished bodies and uploads of one tenant, per API process;"
        " at least 4,000,000 and four times `max_body_bytes`.",
    )
    tenant_waits: int = Field(
        1_000,
        ge=1,
        description="Maximum requests of one tenant that wait for verdicts at a time, per API process.",
    )
    key_requests_per_second: float = Field(
        500,
        gt=0,
        description="Maximum requests per second of an API key, per API process; a key can have its own.",
    )
    check_seconds: float = Field(
        5,
        gt=0,
        description="Maximum processor time for reading or checking one claim set; what takes"
        " longer is refused by the API, and quarantined by a worker.",
    )
    tenant_backlog_claims: int = Field(
        1_000_000, ge=1, description="Maximum claims of one tenant waiting for a verdict; more are refused."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Minimum level logged."
    )

    api_url: str | None = Field(
        None,
        description="URL of the API for the command line. Unset: the stack that runs on the data folder.",
    )
    api_key: SecretStr | None = Field(None, description="API key for the command line.")

    metrics_port: int = Field(
        0,
        ge=0,
        le=65535,
        description="Port on which a dispatcher or worker shows its metrics, at `ACE_HOST`; 0: none.",
    )

    access_log: bool = Field(
        False,
        description="Whether the API logs a line for each request: method, route, status, time, key's id.",
    )
    traces_url: str | None = Field(
        None,
        description="URL to which every process sends its spans, as OTLP over HTTP:"
        " http://collector:4318/v1/traces. Needs the extra `otel`. Unset: no traces.",
    )
    traces_share: float = Field(
        1.0, ge=0, le=1, description="Share of the traces that is kept, unless a client's own trace decides."
    )

    # Dispatch
    fast_lease_seconds: float = Field(
        10,
        gt=0,
        description="How long a gatekeeper worker may be silent before its claims go to another.",
    )
    fast_hold_seconds: float = Field(
        120, gt=0, description="Maximum time a gatekeeper worker may spend on one message."
    )
    slow_lease_seconds: float = Field(
        30,
        gt=0,
        description="How long an expert or webhook worker may be silent before its work goes to another.",
    )
    slow_hold_seconds: float = Field(
        900, gt=0, description="Maximum time an expert worker may spend on one claim."
    )
    message_budget_tokens: int = Field(
        131_072, ge=1, description="Maximum (estimated) tokens in one fast message."
    )
    message_max_claims: int = Field(1_000, ge=1, description="Maximum claims in one fast message.")
    fast_waiting_messages: int = Field(
        2, ge=1, description="Maximum fast messages waiting on the broker, whatever the backlog."
    )
    fast_waiting_seconds: float = Field(
        0.3,
        gt=0,
        description="How long a fast message may wait on the broker before messages get smaller.",
    )
    poll_seconds: float = Field(
        0.1, gt=0, description="How often the dispatcher looks for due work when nothing wakes it."
    )
    max_tries: int = Field(
        3, ge=1, description="Times a claim may crash its worker before it is quarantined."
    )

    # Gatekeeper
    gatekeeper_device: Literal["auto", "cpu", "cuda"] = Field(
        "auto", description="Where the gatekeeper runs; auto takes a GPU if torch sees one."
    )
    gatekeeper_threads: int = Field(
        0,
        ge=0,
        description="Claims scored in parallel on the CPU, one per core; 0 uses every core, up to 8.",
    )

    # Watching the gatekeeper
    audit_share: float = Field(
        0.005,
        ge=0,
        le=1,
        description="Share of the gatekeeper's verdicts drawn at random for people to review; 0: none.",
    )
    audit_alpha: float | None = Field(
        None,
        gt=0,
        lt=1,
        description="Share of wrong verdicts of the gatekeeper that is tolerated. Unset: what its calibration"
        " promises or lets expect.",
    )

    # Expert
    expert_urls: SecretStr | None = Field(
        None,
        description="Several servers of the expert in the place of one, for dispatcher and workers:"
        " name=url;weight=2, … or JSON. Options: weight, slots, token, dialect.",
    )
    expert_slots: int = Field(
        8, ge=1, description="Maximum examinations in flight at one expert endpoint, over all workers."
    )
    expert_threads: int = Field(4, ge=1, description="Maximum examinations in flight in one expert worker.")
    expert_dialect: Literal["auto", "tgi", "vllm", "sglang", "llama.cpp", "openai"] = Field(
        "auto", description="Dialect of the expert's server; auto detects it."
    )
    expert_model: str | None = Field(
        None, description="Model to request from the expert's server. Unset: the first one it lists."
    )
    expert_prompt: Literal["v1", "v2"] = Field(
        "v1",
        description="Chain-of-Patent-Thought prompt: v1 as in the paper, v2 in structured steps.",
    )
    expert_ca_file: Path | None = Field(
        None,
        description="PEM file of the authority that signed the expert's certificate. Unset: the system's.",
    )
    expert_timeout_seconds: float = Field(
        120, gt=0, description="Maximum time for one call to the expert, however slowly it answers."
    )
    expert_max_tokens: int = Field(1024, ge=16, description="Maximum tokens of one answer of the expert.")
    expert_max_answer_bytes: int = Field(
        1_000_000,
        ge=65_536,
        description="Maximum bytes that the expert's server may send in answer to a call, headers included.",
    )
    expert_attempts: int = Field(3, ge=1, description="Maximum HTTP calls within one examination.")
    expert_budget_seconds: float = Field(
        180, gt=0, description="Maximum time for one examination, including retries and second opinions."
    )
    expert_opinions: int = Field(
        1,
        ge=1,
        le=7,
        description="Answers of the expert where its first is disputed, of which the majority decides:"
        " 3, 5 or 7; 1 asks for no second opinion.",
    )

    # Webhooks
    webhook_threads: int = Field(16, ge=1, description="Maximum webhooks that one worker sends to at a time.")
    webhook_timeout_seconds: float = Field(
        15, ge=0.1, le=30, description="Maximum time for a receiver's answer to one delivery."
    )
    webhook_retry_seconds: str = Field(
        ",".join(map(str, SCHEDULE_SECONDS)),
        description="Pauses between the attempts of one delivery, with commas; each is up to a fifth longer.",
    )
    webhook_http: bool = Field(
        False, description="Whether URLs of webhooks may begin with http://, for the API and the workers."
    )
    webhook_networks: str = Field(
        "",
        description="Networks that webhooks may reach beside global addresses, with commas:"
        " 10.20.0.0/16, fd00::/8. For the API and the workers.",
    )
    webhook_ca_file: Path | None = Field(
        None,
        description="PEM file of authorities that receivers' certificates may have, beside the system's.",
    )

    # Workers
    shutdown_grace_seconds: float = Field(
        20,
        ge=0,
        description="How long a stopping worker may finish its claims before it gives them back.",
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Files of secrets come last, if there is a folder of them."""
        del file_secret_settings
        given = (init_settings, env_settings, dotenv_settings)
        if not SECRETS_FOLDER.is_dir():
            return given
        return (*given, SecretsSettingsSource(settings_cls, secrets_dir=SECRETS_FOLDER))

    @model_validator(mode="before")
    @classmethod
    def _passwords_stand_in_urls(cls, given: dict[str, Any]) -> dict[str, Any]:
        # A secret that is not used may be an empty file.
        found = {name: value for name, value in given.items() if value != ""}
        for url, password in (("database_url", "database_password"), ("broker_url", "broker_password")):
            if found.get(url) and found.get(password):
                found[url] = _with_password(found[url], found[password])
        return found

    @field_validator("expert_urls")
    @classmethod
    def _endpoints_can_be_read(cls, urls: SecretStr | None) -> SecretStr | None:
        endpoints_of(urls.get_secret_value() if urls else None, None)
        return urls

    @field_validator("expert_opinions")
    @classmethod
    def _opinions_have_a_majority(cls, opinions: int) -> int:
        if opinions % 2 == 0:
            raise ValueError("it must be odd, so that a majority decides")
        return opinions

    @field_validator("webhook_networks")
    @classmethod
    def _networks_can_be_read(cls, listed: str) -> str:
        networks_of(listed)
        return listed

    @field_validator("webhook_retry_seconds")
    @classmethod
    def _pauses_can_be_read(cls, listed: str) -> str:
        pauses_of(listed)
        return listed

    @model_validator(mode="after")
    def _largest_body_finds_room(self) -> Self:
        # A bulk upload holds an unfinished line, and two batches that each may end with a longest line.
        if self.tenant_buffered_bytes < (least := 4 * self.max_body_bytes + 4_000_000):
            raise ValueError(f"tenant_buffered_bytes must be at least {least} with this max_body_bytes")
        # Beside a tenant that holds all that it may, another one must be able to do the same.
        if self.buffered_bytes < 3 * self.tenant_buffered_bytes:
            raise ValueError("buffered_bytes must be at least three times tenant_buffered_bytes")
        return self

    @property
    def secrets(self) -> tuple[bytes, ...]:
        """`secret`, which signs, and after it those that are accepted beside it."""
        others = (one.strip() for one in self.other_secrets.get_secret_value().split(","))
        return tuple(one.encode() for one in (self.secret.get_secret_value(), *filter(None, others)))

    def private_secrets(self) -> tuple[bytes, ...]:
        """`secrets`. Raises NotConfigured if others may know one: the default, an example, or a short one."""
        default = type(self).model_fields["secret"].default.get_secret_value().encode()
        for place, secret in enumerate(self.secrets):
            name = "one of ACE_OTHER_SECRETS" if place else "ACE_SECRET"
            if secret == default:
                fault = f"{name} is the default of ACE_SECRET" if place else f"{name} is not set"
            elif secret.lower().replace(b"_", b"-").startswith(b"change-me"):
                fault = f"{name} is still the example value"
            elif len(secret) < SECRET_CHARACTERS:
                fault = f"{name} is shorter than {SECRET_CHARACTERS} characters"
            else:
                continue
            remedy = "give every API process and webhook worker the same random one (openssl rand -hex 32)"
            raise NotConfigured(f"{fault}: {remedy}")
        return self.secrets

    def models_folder(self) -> Path:
        """The folder of proposed models."""
        return self.models_dir or self.data_dir / "models"

    def endpoints(self) -> tuple[Endpoint, ...]:
        """The expert endpoints; empty if none is named."""
        return endpoints_of(
            self.expert_urls.get_secret_value() if self.expert_urls else None, self.expert_url
        )

    def environment(self) -> dict[str, str]:
        """Environment variables that give another process these settings, without the defaults."""
        given = {name: getattr(self, name) for name in self.model_fields_set}
        return {
            f"ACE_{name.upper()}": value.get_secret_value() if isinstance(value, SecretStr) else str(value)
            for name, value in given.items()
            if value is not None
        }


def _with_password(url: str | SecretStr, password: str | SecretStr) -> str:
    """The URL with this password, unless it has one."""
    address, secret = (one if isinstance(one, str) else one.get_secret_value() for one in (url, password))
    parts = urlsplit(address)
    user, _, host = parts.netloc.rpartition("@")
    if ":" in user:
        return address
    return urlunsplit(parts._replace(netloc=f"{user}:{quote(secret, safe='')}@{host}"))
