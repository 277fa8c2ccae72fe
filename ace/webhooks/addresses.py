"""Which addresses a webhook may be sent to: global ones, and those of networks that the operator allows.

Addresses that carry another one inside are judged by both (RFC 6052, RFC 4291). Tunnels that are out of use
(6to4, Teredo, ISATAP) are refused altogether.
"""

import ipaddress
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# Addresses that `ipaddress` of some Python version calls global, and that reach something of one's own.
_OWN: Final[tuple[Network, ...]] = (
    IPv4Network("168.63.129.16/32"),  # the host of a virtual machine at Azure
    IPv4Network("192.0.0.0/24"),  # protocols' own (RFC 6890); the metadata of some clouds
    IPv4Network("192.88.99.0/24"),  # relays of 6to4 (RFC 7526)
    IPv6Network("2002::/16"),  # 6to4
    IPv6Network("2001::/23"),  # Teredo and other protocols' own (RFC 2928)
    IPv6Network("3fff::/20"),  # documentation (RFC 9637)
)
_UNICAST: Final = IPv6Network("2000::/3")
"""All that has been given out of IPv6 so far (RFC 4291, section 2.4)."""

_TRANSLATED: Final = IPv6Network("64:ff9b::/96")  # to the IPv4 address in the last 32 bits (RFC 6052)
_ISATAP: Final = frozenset({0x0000_5EFE, 0x0200_5EFE})  # in front of the last 32 bits (RFC 5214)


def is_allowed(address: str, networks: Sequence[Network] = ()) -> bool:
    """Whether a numeric address may be connected to; not if it cannot be read."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if "%" in address:  # on one link only
        return False
    judged = _carried(found)
    return any(judged in network for network in networks) or _is_global(judged)


def networks_of(listed: str) -> tuple[Network, ...]:
    """Networks from a list with commas: 10.1.0.0/16, fd00::/8. Raises ValueError."""
    return tuple(ipaddress.ip_network(one.strip()) for one in listed.split(",") if one.strip())


def _carried(address: Address) -> Address:
    """The IPv4 address that a packet to this one reaches in the end, or the address itself."""
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _TRANSLATED:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def _is_global(address: Address) -> bool:
    if isinstance(address, IPv6Address) and (
        address not in _UNICAST or (int(address) >> 32) & 0xFFFF_FFFF in _ISATAP
    ):
        return False
    own = any(address in network for network in _OWN)
    return address.is_global and not (own or address.is_multicast or address.is_reserved)
