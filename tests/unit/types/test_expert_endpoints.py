"""Several servers by one setting: both forms, what they may say, and that a fault repeats no secret."""

import pytest

from ace.settings import Settings
from ace.types.endpoints import MAX_ENDPOINTS, ONLY, Endpoint, endpoints_of

A, B = "http://a:8080", "https://b.example/v1?x=1"


@pytest.mark.parametrize(
    ("urls", "url", "expected"),
    [
        (None, None, ()),
        (None, A, (Endpoint(ONLY, A),)),
        ("  ", A, (Endpoint(ONLY, A),)),
        (f"a={A}", B, (Endpoint("a", A),)),
        (f"a={A};weight=2, b={B}", None, (Endpoint("a", A, 2.0), Endpoint("b", B))),
        (f"a = {A} ; slots=4;token=t;dialect=vllm,", None, (Endpoint("a", A, 1.0, 4, "t", "vllm"),)),
        (f"a={A};weight=0.001;slots=100000", None, (Endpoint("a", A, 0.001, 100_000),)),
        (f"a={A};weight=1000;slots=1", None, (Endpoint("a", A, 1_000.0, 1),)),
        (f'{{"a": "{A}"}}', None, (Endpoint("a", A),)),
        (
            f'{{"a": {{"url": "{A}", "weight": 0.5}}, "b": "{B}"}}',
            None,
            (Endpoint("a", A, 0.5), Endpoint("b", B)),
        ),
    ],
)
def test_what_is_named_is_what_is_there(urls: str | None, url: str | None, expected: object) -> None:
    assert endpoints_of(urls, url) == expected


@pytest.mark.parametrize(
    ("urls", "complaint"),
    [
        ("http://hush:8080", "= is missing"),
        ("a=http://hush;weight", "= is missing"),
        ("a=ftp://hush", "must begin with"),
        ("A=http://hush", "lower-case letters"),
        ("a=http://hush,a=http://hush", "duplicate"),
        ('{"a": "http://hush", "a": "http://hush"}', "duplicate"),
        ("a=http://hush;weight=0.0009", "weight must be a number from 0.001 to 1000"),
        ("a=http://hush;weight=1000.5", "weight"),
        ("a=http://hush;weight=nan", "weight"),
        ("a=http://hush;slots=0", "slots must be a number from 1 to 100000"),
        ("a=http://hush;slots=100001", "slots"),
        ("a=http://hush;hush=1", "1 unknown option"),
        ('{"a": ["http://hush"]}', "URL or an object"),
        ('{"a": 7}', "URL or an object"),
        ('{"a": {"weight": 1, "token": "hush"}}', "must begin with"),
        ('{"a": "http://hush"', "not valid JSON"),
        (",".join(f"a{n}=http://hush" for n in range(MAX_ENDPOINTS + 1)), "the maximum is"),
    ],
)
def test_what_cannot_be_meant_is_refused_without_being_repeated(urls: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as refused:
        endpoints_of(urls, None)

    assert "hush" not in str(refused.value)


def test_a_setting_that_cannot_be_read_stops_the_process_and_tokens_do_not_show(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ACE_EXPERT_URLS", f"a={A};token=hush")
    settings = Settings()
    assert settings.endpoints()[0].token == "hush"
    assert "hush" not in repr(settings) + repr(settings.endpoints())
    assert settings.environment()["ACE_EXPERT_URLS"] == f"a={A};token=hush"

    monkeypatch.setenv("ACE_EXPERT_URLS", "hush")
    with pytest.raises(ValueError, match="expert_urls"):
        Settings()
