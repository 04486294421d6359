"""Webhooks go to public addresses, and nowhere inside anybody's network, however it is written."""

import socket
from ipaddress import ip_address
from typing import Any

import pytest

from workers.webhooks.addresses import Forbidden, is_public, may_reach, resolve, split

INSIDE = [
    "127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "0.0.0.0", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.0.8",
    "192.88.99.1", "198.18.0.1", "192.0.2.1", "::1", "::", "fe80::1", "fc00::1", "fd00:ec2::254",
    "fec0::1", "ff0e::1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1",
    "64:ff9b::a00:1", "64:ff9b:1::1", "2002:a00:1::", "2001::1", "2001:db8::1", "100::1",
]  # fmt: skip
PUBLIC = ["93.184.216.34", "8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8"]


@pytest.mark.parametrize("address", INSIDE)
def test_an_address_inside_is_refused(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_not(address: str) -> None:
    assert is_public(ip_address(address))


def test_loopback_is_allowed_alone_where_it_is_allowed() -> None:
    allowed = [each for each in INSIDE if may_reach(ip_address(each), loopback=True)]
    assert allowed == ["127.0.0.1", "127.9.9.9", "::1"]


@pytest.mark.parametrize(
    "url", ["https://example.com/a?b=c", "https://[2606:4700:4700::1111]:8443/"]
)
def test_an_address_of_the_web_is_fit(url: str) -> None:
    assert split(url, loopback=False) is not None


def answered(monkeypatch: pytest.MonkeyPatch, *found: str) -> list[str]:
    """Let every name lead to some addresses; answer which names were looked up."""
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, **more: Any) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in found]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


def test_a_name_that_leads_inside_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answered(monkeypatch, "93.184.216.34", "10.0.0.1")
    with pytest.raises(Forbidden):
        resolve("rebound.example", 443, loopback=False)


def test_a_name_that_leads_outside_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = answered(monkeypatch, "93.184.216.34", "93.184.216.34")
    assert resolve("example.com", 443, loopback=False) == ["93.184.216.34"]
    assert asked == ["example.com"]
