"""What webhooks may reach: a corpus of URLs and addresses that lead to one's own network, and others."""

import ipaddress
from collections.abc import Sequence

import pytest

from ace.webhooks.addresses import is_allowed, networks_of
from ace.webhooks.sending import Reach, Receiver, resolve
from ace.webhooks.urls import UrlRefused, checked

GLOBAL = (
    "93.184.215.14",
    "8.8.8.8",
    "1.1.1.1",
    "2606:4700:4700::1111",
    "2a00:1450:4001:81b::200e",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
)
OWN = (
    *("127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255"),  # noqa: S104  # to connect to, not to bind
    *("192.168.1.1", "169.254.169.254", "169.254.170.2", "100.64.0.1", "100.100.100.200", "168.63.129.16"),
    *("192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "192.88.99.1"),
    *("224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "fe80::1", "fe80::1%eth0", "2606:4700:4700::1111%eth0", "fc00::1", "fd00:ec2::254"),
    *("fec0::1", "ff02::1", "2001:db8::1", "100::1", "3fff::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:7f00:1"),
    *("::127.0.0.1", "::10.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::10.0.0.1"),
    *("2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:808:808::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
    *("2001:0:7f00:1::", "fe80::5efe:127.0.0.1", "2606:4700::5efe:10.0.0.1", "2606:4700::200:5efe:7f00:1"),
    *("not an address", "", "999.1.1.1"),
)


@pytest.mark.parametrize("address", GLOBAL)
def test_global_addresses_are_allowed(address: str) -> None:
    assert is_allowed(address)


@pytest.mark.parametrize("address", OWN)
def test_an_address_of_ones_own_is_refused(address: str) -> None:
    assert not is_allowed(address)


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("127.0.0.1", True),
        ("::ffff:127.0.0.1", True),
        ("64:ff9b::127.0.0.1", True),
        ("10.1.2.3", True),
        ("10.2.2.3", False),
        ("fd00::7", True),
        ("::127.0.0.1", False),
        ("8.8.8.8", True),
    ],
)
def test_networks_of_the_operator_are_allowed_too(address: str, allowed: bool) -> None:
    networks = networks_of("127.0.0.0/8, 10.1.0.0/16,fd00::/8,")
    assert is_allowed(address, networks) is allowed


def test_networks_that_cannot_be_read_are_refused() -> None:
    with pytest.raises(ValueError, match="host bits"):
        networks_of("10.1.2.3/16")  # has bits behind its prefix


# Hosts of URLs that the system itself would take for an address, so that no name server is asked.
URLS = (
    *(
        "https://127.0.0.1/",
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0x7f.1/",
    ),
    *(
        "https://0177.0.0.1/",
        "https://017700000001/",
        "https://127.0.0.1:8443/x",
        "https://0/",
        "https://0.0.0.0/",
    ),
    *(
        "https://10.0.0.1/",
        "https://192.168.0.1/",
        "https://172.20.1.1/",
        "https://169.254.169.254/latest/meta-data",
    ),
    *("https://2852039166/", "https://0xa9fea9fe/", "https://0xa9.0xfe.0xa9.0xfe/", "https://100.64.1.1/"),
    *("https://[::1]/", "https://[::]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/"),
    *(
        "https://[0:0:0:0:0:ffff:7f00:1]/",
        "https://[fe80::1]/",
        "https://[fd00::1]/",
        "https://[64:ff9b::7f00:1]/",
    ),
    *("https://[2002:7f00:1::]/", "https://[2001::1]/", "https://[::127.0.0.1]/", "https://localhost/"),
    *("https://LOCALHOST:443/", "https://localhost./", "https://ip6-localhost/", "https://224.0.0.1/"),
    *("https://255.255.255.255/", "https://168.63.129.16/", "https://192.0.2.1/", "https://[ff02::1]/"),
)
MALFORMED = (
    *(
        "http://example.org/",
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://example.org/",
        "javascript:1",
    ),
    *("//example.org/", "example.org", "", "https://", "https:///path", "https://user@example.org/"),
    *("https://user:pass@example.org/", "https://example.org@127.0.0.1/", "https://example.org#@127.0.0.1/"),
    *("https://example.org\\@127.0.0.1/", "https://example.org/\r\nHost: x", "https://exa mple.org/"),
    *("https://example.org:99999/", "https://example.org:0/", "https://example.org:port/", "https://[::1"),
    *("https://①②⑦.0.0.1/", "unix:///tmp/socket", "https://@example.org/", "https://example.org/#part"),
)


def test_the_corpus_is_large_enough() -> None:
    assert len(URLS) + len(MALFORMED) >= 60


@pytest.mark.parametrize("url", MALFORMED)
def test_a_url_that_no_webhook_may_have_is_refused(url: str) -> None:
    with pytest.raises(UrlRefused):
        checked(url, http=False, networks=())


@pytest.mark.parametrize(
    "url", ["https://example.org", "https://example.org:8443/a?b=c", "https://93.184.215.14/"]
)
def test_a_url_of_the_world_is_accepted(url: str) -> None:
    assert checked(url, http=False, networks=()).scheme == "https"


def test_http_needs_the_operators_leave() -> None:
    assert checked("http://example.org/", http=True, networks=()).hostname == "example.org"


@pytest.fixture
def dialled(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """Every address that a socket is connected to; nothing is."""
    seen: list[tuple[object, ...]] = []

    def connect(address: tuple[object, ...], *_: object, **__: object) -> None:
        seen.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr("socket.create_connection", connect)
    return seen


@pytest.mark.parametrize("url", URLS)
def test_nothing_is_sent_to_an_address_of_ones_own(url: str, dialled: list[tuple[object, ...]]) -> None:
    try:
        receiver = Receiver(url, Reach())
    except UrlRefused:
        return
    with receiver:
        answer = receiver.post(b"{}", {})
    assert answer.fault in {"refused_address", "unknown_name"}
    assert dialled == []


class Names:
    """Answers of DNS that are different at each look-up."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked = 0

    def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked += 1
        return self.answers[min(self.asked, len(self.answers)) - 1]


@pytest.mark.parametrize("own", ["127.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1"])
def test_an_answer_that_changes_after_it_was_judged_changes_nothing(
    own: str, dialled: list[tuple[object, ...]]
) -> None:
    names = Names(["93.184.215.14"], [own])
    with Receiver("https://rebind.example/", Reach(), names) as receiver:
        assert receiver.post(b"{}", {}).fault == "unreachable"
        assert (names.asked, dialled) == (1, [("93.184.215.14", 443)])

        assert receiver.post(b"{}", {}).fault == "refused_address"
        assert dialled == [("93.184.215.14", 443)]


@pytest.mark.parametrize("answers", [["93.184.215.14", "10.0.0.1"], ["::1", "93.184.215.14"], []])
def test_every_answer_must_be_allowed(answers: list[str], dialled: list[tuple[object, ...]]) -> None:
    with Receiver("https://mixed.example/", Reach(), Names(answers)) as receiver:
        assert receiver.post(b"{}", {}).fault in {"refused_address", "unknown_name"}
    assert dialled == []


def test_every_address_is_tried(dialled: list[tuple[object, ...]]) -> None:
    with Receiver("https://two.example/", Reach(), Names(["93.184.215.14", "8.8.8.8"])) as receiver:
        receiver.post(b"{}", {})
    assert dialled == [("93.184.215.14", 443), ("8.8.8.8", 443)]


def test_names_are_resolved_as_the_system_does() -> None:
    assert all(ipaddress.ip_address(one).is_loopback for one in resolve("localhost", 443))
