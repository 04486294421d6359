"""A port is tested before anything is started on it."""

import socket

import pytest

from service.supervise.port import free_port
from service.supervise.refusal import CannotServe


def listening(*, reuse_port: bool = False) -> socket.socket:
    listener = socket.socket()
    if reuse_port:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    return listener


@pytest.mark.parametrize("reuse_port", [False, True])
@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_taken_port_is_told_even_if_its_holder_would_share(host: str, reuse_port: bool) -> None:
    with listening(reuse_port=reuse_port) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=f"^Port {port} is taken"):
            free_port(host, port)


def test_a_free_port_is_free_again_after_the_test() -> None:
    with listening() as taken:
        port = taken.getsockname()[1]
    assert free_port("127.0.0.1", port) == port
    assert free_port("127.0.0.1", port) == port


def test_port_0_is_any_free_port() -> None:
    assert free_port("127.0.0.1", 0) > 0


def test_port_0_is_none_that_the_system_would_soon_give_to_somebody_else() -> None:
    with socket.socket() as anybody:
        anybody.bind(("127.0.0.1", 0))
        given = anybody.getsockname()[1]
    assert all(free_port("127.0.0.1", 0) < min(given, 32_768) for _ in range(50))


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host"])
def test_an_address_of_another_machine_is_told(host: str) -> None:
    with pytest.raises(CannotServe, match=host):
        free_port(host, 0)
