"""A port is tested before anything is started on it."""

import socket

import pytest

from service.supervise.port import free_port, held
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
    # One that the system gives to nobody meanwhile.
    port = free_port("127.0.0.1", 0)
    assert free_port("127.0.0.1", port) == port
    assert free_port("127.0.0.1", port) == port


def test_a_port_that_is_held_is_taken_for_all_but_the_child_it_is_held_for() -> None:
    port = free_port("127.0.0.1", 0)
    with held("127.0.0.1", port):
        with pytest.raises(CannotServe, match=f"^Port {port} is taken"):
            free_port("127.0.0.1", port)
        with socket.socket() as child:
            child.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            child.bind(("127.0.0.1", port))
            child.listen()
            # Nobody is sent to whoever only holds it.
            for _ in range(20):
                socket.create_connection(("127.0.0.1", port)).close()
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
