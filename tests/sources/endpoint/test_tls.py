"""With TLS an endpoint is believed by its certificate alone, and by whose authority is said with each run."""

import datetime
import socket
import ssl
import subprocess
import time
from pathlib import Path

import pytest
import trustme

from agenttest.errors import InvalidInput
from agenttest.sources.endpoint import transport
from agenttest.sources.endpoint.failed import Failed
from agenttest.sources.endpoint.transport import Answer
from tests.agent import Agent, Handle, Reply, Server, endless, held, raw, reset, silent, whole
from tests.sources.endpoint.targets import Aim, aim, chain, exchanged, others, said, within

SECONDS = 0.4
PATIENCE = 0.5

LATE = "no whole answer came within the time"
CLOSED = "the connection was closed before the answer was whole"
ALERT = b"\x15\x03\x03\0\x02\x02\x28"
AUTHORITY = "name the file of its authority's certificates with --ca-file"


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def ca_file(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("tls") / "ca.pem"
    path.write_bytes(authority.cert_pem.bytes())
    return str(path)


@pytest.fixture(scope="module")
def client(ca_file: str) -> ssl.SSLContext:
    return transport.tls(ca_file)


@pytest.fixture(scope="module")
def served(authority: trustme.CA) -> ssl.SSLContext:
    return serving(authority, "localhost", "127.0.0.1")


def serving(authority: trustme.CA, *names: str, **options: datetime.datetime) -> ssl.SSLContext:
    """The server's side of a certificate for these names."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names, **options).configure_cert(context)
    return context


def secure(server: Server, host: str = "localhost") -> Aim:
    """The target that is this server, by a name."""
    return aim(server, "https", host)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "localhost."])
def test_a_trusted_endpoint_answers(served: ssl.SSLContext, client: ssl.SSLContext, host: str) -> None:
    with Agent([whole(b"{}")], served) as agent:
        found = exchanged(secure(agent, host), tls=client)

    assert Answer(200, b"{}") == found


def test_the_name_is_told_before_the_certificate_is_shown(authority: trustme.CA, client: ssl.SSLContext) -> None:
    asked: list[str | None] = []
    context = serving(authority, "agent.example")
    context.sni_callback = lambda _stream, name, _context: asked.append(name)
    with Agent(context=context) as agent:
        found = exchanged(secure(agent, "agent.example"), tls=client)

    assert (200, ["agent.example"]) == (said(found), asked)
    assert f"agent.example:{agent.port}" == agent.requests[0].headers["host"]


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_either_version_of_tls_will_do(authority: trustme.CA, client: ssl.SSLContext, version: ssl.TLSVersion) -> None:
    context = serving(authority, "localhost")
    context.minimum_version = context.maximum_version = version
    with Agent(context=context) as agent:
        found = exchanged(secure(agent), tls=client)

    assert 200 == said(found)


def test_large_bodies_go_both_ways(served: ssl.SSLContext, client: ssl.SSLContext) -> None:
    with Agent([whole(bytes(2 << 20))], served) as agent:
        found = exchanged(secure(agent), tls=client, body=b"x" * (2 << 20))

    assert (Answer(200, bytes(2 << 20)), 2 << 20) == (found, len(agent.requests[0].body))


def test_a_body_of_no_length_ends_with_tls(served: ssl.SSLContext, client: ssl.SSLContext) -> None:
    with Agent([raw(b"HTTP/1.1 200 OK\r\n\r\n{}")], served) as agent:
        found = exchanged(secure(agent), tls=client)

    assert Answer(200, b"{}") == found


def untrusted(names: list[str], by: trustme.CA, client: ssl.SSLContext, **options: datetime.datetime) -> Failed:
    """Why a certificate is not believed; nothing was asked."""
    with Agent(context=serving(by, *names, **options)) as agent:
        found = exchanged(secure(agent), tls=client)

    assert [] == agent.requests
    assert isinstance(found, Failed)
    assert [found] == list(chain(found))
    return found


def test_an_unknown_authority_is_not_trusted(client: ssl.SSLContext) -> None:
    found = untrusted(["localhost"], trustme.CA(), client)

    expected = "the TLS certificate is not trusted (unable to get local issuer certificate)"
    assert (expected, AUTHORITY) == (found.message, found.remedy)


def test_a_certificate_that_signed_itself_is_not_trusted(client: ssl.SSLContext, tmp_path: Path) -> None:
    own = trustme.CA()
    own.private_key_pem.write_to_path(tmp_path / "both.pem")
    own.cert_pem.write_to_path(tmp_path / "both.pem", append=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "both.pem")
    with Agent(context=context) as agent:
        found = exchanged(secure(agent), tls=client)

    expected = "the TLS certificate is not trusted (self-signed certificate)"
    assert (expected, AUTHORITY, []) == (said(found), found.remedy, agent.requests)


def test_a_certificate_for_another_name_is_not_trusted(authority: trustme.CA, client: ssl.SSLContext) -> None:
    found = untrusted(["other.example"], authority, client)

    expected = "the TLS certificate is not trusted (it is for another host)"
    assert (expected, "ask by a name that the certificate holds") == (found.message, found.remedy)


def test_a_certificate_for_another_address_is_not_trusted(authority: trustme.CA, client: ssl.SSLContext) -> None:
    with Agent(context=serving(authority, "localhost")) as agent:
        found = exchanged(secure(agent, "127.0.0.1"), tls=client)

    assert ("the TLS certificate is not trusted (it is for another address)", []) == (said(found), agent.requests)


def test_a_certificate_that_has_expired_is_not_trusted(authority: trustme.CA, client: ssl.SSLContext) -> None:
    past = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    found = untrusted(["localhost"], authority, client, not_before=past, not_after=past + datetime.timedelta(days=1))

    expected = "the TLS certificate is not trusted (certificate has expired)"
    assert (expected, "renew it") == (found.message, found.remedy)


def test_the_file_stands_in_place_of_the_environments(
    authority: trustme.CA, served: ssl.SSLContext, ca_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.pem"
    other.write_bytes(trustme.CA().cert_pem.bytes())
    monkeypatch.setenv("SSL_CERT_FILE", ca_file)
    with Agent(context=served) as agent:
        words = [said(exchanged(secure(agent), tls=transport.tls(given))) for given in (None, str(other))]

    assert [200, "the TLS certificate is not trusted (unable to get local issuer certificate)"] == words


def test_a_folder_of_the_environment_is_honoured(
    authority: trustme.CA, served: ssl.SSLContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / f"{subject_hash(authority, tmp_path)}.0").write_bytes(authority.cert_pem.bytes())
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    with Agent(context=served) as agent:
        found = exchanged(secure(agent), tls=transport.tls(None))

    assert 200 == said(found)


def subject_hash(authority: trustme.CA, folder: Path) -> str:
    """The name by which OpenSSL looks an authority up in a folder."""
    path = folder / "ca.pem"
    path.write_bytes(authority.cert_pem.bytes())
    try:
        done = subprocess.run(
            ["openssl", "x509", "-subject_hash", "-noout", "-in", str(path)], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this system has no openssl command")
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "cannot be read"),
        (b"", "holds no certificates"),
        (b"no PEM\n", "holds no certificates"),
        (b"\xff\xfe\0", "holds no certificates"),
        (b"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", "holds no certificates"),
    ],
)
def test_a_file_without_certificates_is_invalid(content: bytes | None, why: str, tmp_path: Path) -> None:
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(InvalidInput) as caught:
        transport.tls(str(path))

    expected = f"--ca-file: names {str(path)!r}, which {why}; name a file of certificates in PEM form"
    assert [expected] == [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("given", ["", ".", "a\0b"])
def test_what_is_no_file_is_invalid(given: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        transport.tls(given)

    expected = f"--ca-file: names {given!r}, which cannot be read; name a file of certificates in PEM form"
    assert expected == str(caught.value)


def test_nothing_older_than_tls_1_2_is_spoken(client: ssl.SSLContext) -> None:
    assert ssl.TLSVersion.TLSv1_2 == client.minimum_version


def test_every_certificate_is_verified(client: ssl.SSLContext) -> None:
    assert [(ssl.CERT_REQUIRED, True)] * 2 == [
        (each.verify_mode, each.check_hostname) for each in (client, transport.tls(None))
    ]


def trickled_alert(connection: socket.socket) -> None:
    """Begin a record, and go on so slowly that it never ends."""
    connection.sendall(b"\x16\x03\x03\x40\0")
    while True:
        connection.sendall(b"\0")
        time.sleep(0.05)


def says(words: bytes, then: Handle = silent) -> Handle:
    """Say this once something was said."""

    def handle(connection: socket.socket) -> None:
        connection.recv(1)
        connection.sendall(words)
        then(connection)

    return handle


def nothing(connection: socket.socket) -> None:
    """Close."""


def flood(connection: socket.socket) -> None:
    """Handshake records that say nothing, without end."""
    while True:
        connection.sendall(b"\x16\x03\x03\0\x04\x02\0\x40\0" * 999)


HOSTILE: list[tuple[str, Handle, str]] = [
    ("says nothing", silent, LATE),
    ("stalls in its first record", says(b"\x16\x03\x03\0\x7a\x02"), LATE),
    ("trickles its first record", trickled_alert, LATE),
    ("closes at once", nothing, CLOSED),
    ("closes after the hello", says(b"", nothing), CLOSED),
    ("closes in its first record", says(b"\x16\x03\x03\0\x7a\x02", lambda peer: peer.shutdown(socket.SHUT_WR)), CLOSED),
    ("resets after the hello", says(b"", reset), CLOSED),
    ("refuses by an alert", says(ALERT), "TLS failed ("),
    ("speaks HTTP without TLS", says(b"HTTP/1.1 400 Bad Request\r\n\r\n"), "TLS failed ("),
    ("speaks SSH", says(b"SSH-2.0-OpenSSH_9.6\r\n"), "TLS failed ("),
    ("floods the handshake", flood, "TLS failed"),
]


@pytest.mark.parametrize(("handle", "expected"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
def test_a_handshake_that_fails_is_told(handle: Handle, expected: str, client: ssl.SSLContext) -> None:
    before = others()
    with Server(handle) as hostile:
        found = within(secure(hostile), SECONDS, PATIENCE, tls=client)

    assert str(said(found)).startswith(expected)
    assert [found] == list(chain(found))
    assert set() == others() - before


def flood_of_tickets(authority: trustme.CA) -> ssl.SSLContext:
    """A server that gives session tickets without end, once the handshake is over."""
    context = serving(authority, "localhost")
    context.num_tickets = 1 << 20
    return context


def test_records_that_say_nothing_keep_nobody(authority: trustme.CA, client: ssl.SSLContext) -> None:
    with Agent(context=flood_of_tickets(authority)) as hostile:
        found = within(secure(hostile), SECONDS, PATIENCE, tls=client)

    assert said(found) in (LATE, "the whole of the answer takes more than 16384 KiB")


INSIDE: list[tuple[str, Reply, str]] = [
    ("says nothing", held(raw()), LATE),
    ("trickles the header", endless(b"X", 0.05, b"HTTP/1.1 200 OK\r\n"), LATE),
    ("closes in the body", raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}"), CLOSED),
    ("resets in the body", lambda peer, _: (peer.sendall(b"HTTP/1.1 200 OK\r\n"), reset(peer))[1], CLOSED),
    ("falls out of TLS", lambda peer, _: socket.socket.sendall(peer, b"HTTP/1.1 200 OK\r\n\r\n{}"), "TLS failed ("),
    (
        "sends an endless body",
        endless(b" " * 9999, before=b"HTTP/1.1 200 OK\r\n\r\n"),
        "the answer is larger than 2 MiB",
    ),
]


@pytest.mark.parametrize(("reply", "expected"), [row[1:] for row in INSIDE], ids=[row[0] for row in INSIDE])
def test_inside_of_tls_the_same_bounds_hold(
    reply: Reply, expected: str, served: ssl.SSLContext, client: ssl.SSLContext
) -> None:
    with Agent([reply], served) as hostile:
        found = within(secure(hostile), SECONDS, PATIENCE, tls=client)

    assert str(said(found)).startswith(expected)


def test_an_endpoint_that_wants_a_certificate_gets_none(
    authority: trustme.CA, client: ssl.SSLContext, ca_file: str
) -> None:
    context = serving(authority, "localhost")
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(ca_file)
    with Agent(context=context) as agent:
        found = exchanged(secure(agent), tls=client)

    assert str(said(found)).startswith("TLS failed (") or said(found) == CLOSED


def test_tls_where_none_is_asked_for_is_no_answer(served: ssl.SSLContext) -> None:
    with Agent(context=served) as agent:
        found = exchanged(aim(agent))

    assert isinstance(found, Failed)


def test_tls_that_answers_plain_words_is_told() -> None:
    with Server(says(ALERT)) as server:
        found = exchanged(aim(server))

    assert ("the answer is no valid HTTP", "write https://, as TLS is spoken at this port") == (
        said(found),
        found.remedy,
    )
