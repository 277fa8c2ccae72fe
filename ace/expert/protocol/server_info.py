"""What each server reports about itself: the paths that distinguish the dialects, and the limits there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from ace import __version__
from ace.expert.client.dialects import Dialect

CREATED: Final = 1_770_000_000
"""The creation time of a simulated model, in epoch seconds; it has no meaning."""


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """What a server admits: concurrent requests, tokens of a prompt, tokens of prompt and answer together."""

    requests: int
    input_tokens: int
    total_tokens: int


def server_info(dialect: Dialect, model: str, limits: ServerLimits) -> dict[str, dict[str, Any] | None]:
    """The JSON by path; None is an empty answer. Every other path is 404."""
    match dialect:
        case Dialect.TGI:
            return {"/info": tgi_info(model, limits), "/health": None, "/v1/models": _models(model, model)}
        case Dialect.VLLM:
            models = _models(model, "vllm", max_model_len=limits.total_tokens, root=model, parent=None)
            return {"/version": {"version": "0.16.0"}, "/health": None, "/v1/models": models}
        case Dialect.SGLANG:
            return {**_sglang(model, limits), "/health": None}
        case Dialect.LLAMACPP:
            return {**_llamacpp(model, limits), "/health": {"status": "ok"}}
    return {"/v1/models": _models(model, "simulated")}


def tgi_info(model: str, limits: ServerLimits, router: str = "text-generation-router") -> dict[str, Any]:
    """TGI's /info."""
    return {
        "model_id": model,
        "model_sha": None,
        "model_pipeline_tag": "text-generation",
        "max_concurrent_requests": limits.requests,
        "max_best_of": 1,
        "max_stop_sequences": 0,
        "max_input_tokens": limits.input_tokens,
        "max_total_tokens": limits.total_tokens,
        "validation_workers": 1,
        "max_client_batch_size": 1,
        "router": router,
        "version": __version__,
        "sha": None,
        "docker_label": None,
    }


def _sglang(model: str, limits: ServerLimits) -> dict[str, dict[str, Any] | None]:
    info = {"model_path": model, "tokenizer_path": model, "is_generation": True}
    server = {
        "model_path": model,
        "served_model_name": model,
        "context_length": limits.total_tokens,
        "max_running_requests": limits.requests,
        "max_req_input_len": limits.input_tokens,
        "max_total_num_tokens": limits.requests * limits.total_tokens,
        "version": "0.5.16",
    }
    models = _models(model, "sglang", root=model, max_model_len=limits.total_tokens)
    return {
        "/get_model_info": info,
        "/get_server_info": server,
        "/model_info": info,
        "/server_info": server,
        "/v1/models": models,
    }


def _llamacpp(model: str, limits: ServerLimits) -> dict[str, dict[str, Any] | None]:
    props = {
        "default_generation_settings": {"id": 0, "n_ctx": limits.total_tokens},
        "total_slots": limits.requests,
        "model_alias": model,
        "model_path": model,
        "modalities": {"vision": False, "audio": False},
        "chat_template": "",
        "build_info": "simulated",
        "is_sleeping": False,
    }
    models = _models(model, "llamacpp", meta={"n_ctx_train": limits.total_tokens})
    return {"/props": props, "/v1/models": models, "/models": models}


def _model(model: str, owner: str) -> dict[str, Any]:
    return {"id": model, "object": "model", "created": CREATED, "owned_by": owner}


def _models(model: str, owner: str, **more: Any) -> dict[str, Any]:
    return {"object": "list", "data": [{**_model(model, owner), **more}]}
