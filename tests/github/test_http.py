"""A request is answered, or it is said why not: by the environment's proxies and authorities, before an end."""

import base64
import signal
import ssl
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import trustme
from hypothesis import given
from hypothesis import strategies as st

from agenttest import __version__
from agenttest.github.http import BODY_LIMIT, Answer, Client, Unreachable, address, proxy_for
from tests.github import results_service as service
from tests.github.proxy import Proxy
from tests.github.results_service import ResultsService

SECRET = "c2VjcmV0LXdvcmQ"


@pytest.fixture
def server() -> Iterator[ResultsService]:
    with ResultsService() as running:
        yield running


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def get(client: Client, url: str, **headers: str) -> Answer:
    return client.request("GET", url, headers=headers)


def refused(client: Client, url: str, **headers: str) -> Unreachable:
    with pytest.raises(Unreachable) as caught:
        get(client, f"{url}?sig={SECRET}", **headers)
    return caught.value


def test_an_answer_is_what_the_server_said(server: ResultsService) -> None:
    server.faults["/x"] = [service.answers(418, "teapot", X_Kind="Tea")]

    found = get(Client({}, 10), f"{server.origin}/x")

    assert (418, "Tea", b"teapot") == (found.status, found.headers["x-kind"], found.body)


def test_path_and_query_go_out_byte_for_byte(server: ResultsService) -> None:
    target = '/a%3db/c?sig=%2f%2B+|"{}=&comp=%zz'

    get(Client({}, 10), server.origin + target)

    assert target == server.requests[0].target


def test_a_fragment_is_not_sent(server: ResultsService) -> None:
    get(Client({}, 10), f"{server.origin}#part")

    assert "/" == server.requests[0].target


def test_the_server_learns_who_asks(server: ResultsService) -> None:
    get(Client({}, 10), server.origin)

    assert f"agenttest/{__version__}" == server.requests[0].headers["user-agent"]


def test_no_packed_answer_is_asked_for(server: ResultsService) -> None:
    get(Client({}, 10), server.origin)

    assert "identity" == server.requests[0].headers["accept-encoding"]


def test_a_body_is_not_unpacked(server: ResultsService) -> None:
    server.faults["/x"] = [service.answers(200, b"\x1f\x8bno gzip", Content_Encoding="gzip")]

    assert b"\x1f\x8bno gzip" == get(Client({}, 10), f"{server.origin}/x").body


def test_a_redirect_is_an_answer(server: ResultsService) -> None:
    server.faults["/x"] = [service.answers(302, b"", Location=f"{server.origin}/elsewhere")]

    assert 302 == get(Client({}, 10), f"{server.origin}/x").status
    assert ["/x"] == [seen.target for seen in server.requests]


def test_connections_are_kept(server: ResultsService) -> None:
    client, ports = Client({}, 10), set[int]()
    server.faults["/x"] = [lambda handler: (ports.add(handler.client_address[1]), handler.reply(200, b""))[1]] * 2

    get(client, f"{server.origin}/x")
    get(client, f"{server.origin}/x")

    assert 1 == len(ports)


def test_a_body_at_the_limit_is_read(server: ResultsService) -> None:
    server.faults["/x"] = [service.answers(200, bytes(BODY_LIMIT))]

    assert BODY_LIMIT == len(get(Client({}, 30), f"{server.origin}/x").body)


def test_a_body_beyond_the_limit_is_refused(server: ResultsService) -> None:
    server.faults["/x"] = [service.answers(200, bytes(BODY_LIMIT + 1))]

    assert "127.0.0.1 answered with more than 8 MiB" == str(refused(Client({}, 30), f"{server.origin}/x"))


@pytest.mark.parametrize("fault", [service.hangs, service.trickles, service.trickles_a_body])
def test_nothing_outlives_the_deadline(server: ResultsService, fault: service.Fault) -> None:
    server.faults["/x"] = [fault]

    found = refused(Client({}, 0.3), f"{server.origin}/x")

    assert ("127.0.0.1 gave no whole answer before the time was up", True) == (str(found), found.final)


def test_with_no_time_left_nothing_is_sent(server: ResultsService) -> None:
    refused(Client({}, 0), server.origin)

    assert [] == server.requests


@pytest.mark.parametrize("fault", [service.closes, service.closes_within_the_body])
def test_an_answer_that_breaks_off_is_none(server: ResultsService, fault: service.Fault) -> None:
    server.faults["/x"] = [fault]

    found = refused(Client({}, 10), f"{server.origin}/x")

    said = "127.0.0.1 closed the connection before its answer was whole, or gave none that is HTTP"
    assert (said, False) == (str(found), found.final)


def test_a_refused_connection_may_be_tried_again() -> None:
    found = refused(Client({}, 10), f"http://127.0.0.1:{closed_port()}/")

    assert ("127.0.0.1 cannot be reached: connection refused", False) == (str(found), found.final)


def test_a_host_without_an_address_is_named() -> None:
    found = refused(Client({}, 20), "http://results.invalid/")

    assert "results.invalid has no address that is known here" == str(found)


@pytest.mark.parametrize(
    "url", ["", "ftp://host/x", "http://", "http://[", "http://host:x/", "http://ho st/", "//host"]
)
def test_what_is_no_address_is_not_asked(url: str) -> None:
    found = refused(Client({}, 10), url)

    assert ("an address is no http or https URL with a host", True) == (str(found), found.final)


@pytest.mark.parametrize("value", [f"Bearer {SECRET}\nX: y", f"Bearer {SECRET}☃"])
def test_a_header_that_is_none_is_not_shown(server: ResultsService, value: str) -> None:
    found = refused(Client({}, 10), server.origin, Authorization=value)

    assert SECRET not in f"{found!r}{found.__context__!r}{found.__cause__!r}"


def test_an_answer_does_not_show_its_body() -> None:
    assert SECRET not in repr(Answer(200, {}, SECRET.encode()))


def test_an_unknown_authority_is_refused(authority: trustme.CA) -> None:
    with ResultsService(tls=authority.issue_cert("127.0.0.1")) as server:
        found = refused(Client({}, 10), server.origin)

    said = "the certificate of 127.0.0.1 is not trusted (unable to get local issuer certificate)"
    assert (f"{said}; name its authority's file with SSL_CERT_FILE", True) == (str(found), found.final)


def test_an_authority_of_ones_own_is_trusted(authority: trustme.CA, tmp_path: Any) -> None:
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    with ResultsService(tls=authority.issue_cert("127.0.0.1")) as server:
        found = get(Client({"SSL_CERT_FILE": str(tmp_path / "ca.pem")}, 10), f"{server.origin}/x")

    assert 404 == found.status


def test_another_hosts_certificate_is_refused(authority: trustme.CA, tmp_path: Any) -> None:
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    with ResultsService(tls=authority.issue_cert("other.example")) as server:
        found = refused(Client({"SSL_CERT_FILE": str(tmp_path / "ca.pem")}, 10), server.origin)

    assert "not trusted (IP address mismatch" in str(found)


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_file_of_authorities_that_is_none_is_named(content: str | None, tmp_path: Any) -> None:
    if content is not None:
        (tmp_path / "ca.pem").write_text(content)

    found = refused(Client({"SSL_CERT_FILE": str(tmp_path / "ca.pem")}, 10), "https://127.0.0.1/")

    assert "SSL_CERT_FILE names no file of certificates that can be read; name one in PEM form" == str(found)


def test_a_file_of_authorities_that_is_none_harms_no_plain_request(server: ResultsService) -> None:
    assert 404 == get(Client({"SSL_CERT_FILE": "/nowhere"}, 10), f"{server.origin}/x").status


def test_a_server_without_tls_is_named(server: ResultsService) -> None:
    found = refused(Client({}, 10), server.origin.replace("http:", "https:"))

    assert "127.0.0.1 does not speak TLS as it should" == str(found)


def test_no_request_goes_out_unverified() -> None:
    from agenttest.github.http import authorities

    context = authorities({})

    assert (ssl.CERT_REQUIRED, True) == (context.verify_mode, context.check_hostname)


def test_a_plain_request_goes_by_the_proxy_as_it_is(server: ResultsService) -> None:
    with Proxy(server.server.server_port) as proxy:
        found = get(Client({"HTTP_PROXY": f"http://{proxy.place}"}, 10), "http://results.example/x?sig=%2f")

    assert 404 == found.status
    assert ["http://results.example/x?sig=%2f"] == [asked.target for asked in proxy.asked]


def test_a_proxys_name_needs_no_scheme(server: ResultsService) -> None:
    with Proxy(server.server.server_port) as proxy:
        assert 404 == get(Client({"http_proxy": proxy.place}, 10), "http://results.example/x").status


def test_a_request_by_tls_goes_through_a_tunnel(authority: trustme.CA, tmp_path: Any) -> None:
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    trusted = {"SSL_CERT_FILE": str(tmp_path / "ca.pem")}
    with (
        ResultsService(tls=authority.issue_cert("results.example")) as server,
        Proxy(server.server.server_port, basic("us er:p@ss")) as proxy,
    ):
        client = Client({"HTTPS_PROXY": f"http://us%20er:p%40ss@{proxy.place}", **trusted}, 10)
        get(client, "https://results.example/x?sig=%2f", Authorization="Bearer x")

    assert [("CONNECT", "results.example:443")] == [(asked.method, asked.target) for asked in proxy.asked]
    assert "authorization" not in proxy.asked[0].headers
    assert "proxy-authorization" not in server.requests[0].headers
    assert "/x?sig=%2f" == server.requests[0].target


def test_a_proxy_that_wants_a_login_is_named() -> None:
    with Proxy(1, basic("a:b")) as proxy:
        found = refused(Client({"HTTPS_PROXY": f"http://user:{SECRET}@{proxy.place}"}, 10), "https://results.example/")

    assert "the proxy refused to connect to results.example: status 407" == str(found)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_is_gone_is_named(scheme: str) -> None:
    proxies = {f"{scheme}_proxy": f"http://user:{SECRET}@127.0.0.1:{closed_port()}"}

    found = refused(Client(proxies, 10), f"{scheme}://results.example/")

    assert "the proxy on the way to results.example cannot be reached: connection refused" == str(found)


@pytest.mark.parametrize("proxy", [f"socks5://user:{SECRET}@host", "http://[::", "http://", "http://host:x"])
def test_a_proxy_of_another_kind_is_refused(proxy: str) -> None:
    found = refused(Client({"HTTPS_PROXY": proxy}, 10), "https://results.example/")

    assert "HTTPS_PROXY names no http or https proxy; write it as http://host:port" == str(found)


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, None),
        ({"HTTPS_PROXY": "http://up:1"}, "http://up:1"),
        ({"HTTP_PROXY": "http://up:1"}, None),
        ({"HTTPS_PROXY": "http://up:1", "https_proxy": "http://low:2"}, "http://low:2"),
        ({"HTTPS_PROXY": "http://up:1", "https_proxy": ""}, None),
        ({"HTTPS_PROXY": "http://up:1", "NO_PROXY": "*"}, None),
        ({"HTTPS_PROXY": "http://up:1", "NO_PROXY": "other, .example "}, None),
        ({"HTTPS_PROXY": "http://up:1", "no_proxy": "RESULTS.example"}, None),
        ({"HTTPS_PROXY": "http://up:1", "no_proxy": "results.example:8443"}, None),
        ({"HTTPS_PROXY": "http://up:1", "no_proxy": "sults.example,results.example:1,,"}, "http://up:1"),
        ({"HTTPS_PROXY": "http://up:1", "NO_PROXY": "*", "no_proxy": "other"}, "http://up:1"),
    ],
)
def test_proxies_are_those_of_the_environment(variables: dict[str, str], expected: str | None) -> None:
    place = address("https://results.example:8443/x")

    assert place
    assert expected == proxy_for(place, variables)


def test_a_cgi_scripts_header_names_no_proxy() -> None:
    place = address("http://results.example/x")

    assert place
    assert None is proxy_for(place, {"HTTP_PROXY": "http://evil:1", "REQUEST_METHOD": "GET"})


def test_an_interrupt_ends_the_waiting_for_an_answer(server: ResultsService) -> None:
    def interrupts(handler: service.Handler) -> None:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        service.hangs(handler)

    server.faults["/x"] = [interrupts]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    try:
        with pytest.raises(KeyboardInterrupt):
            get(Client({}, 100), f"{server.origin}/x")
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def lasting() -> Iterator[ResultsService]:
    with ResultsService() as running:
        yield running


@given(st.binary(), st.booleans())
def test_any_bytes_are_an_answer_or_none(lasting: ResultsService, said: bytes, head: bool) -> None:
    def babbles(handler: service.Handler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n" * head + said)
        handler.hang_up()

    lasting.faults["/x"] = [babbles]

    try:
        found = str(get(Client({}, 10), f"{lasting.origin}/x").status)
    except Unreachable as error:
        found = str(error)

    assert found.startswith("127.0.0.1 ") or found.isdigit()


def basic(login: str) -> str:
    return "Basic " + base64.b64encode(login.encode()).decode()


def closed_port() -> int:
    """A port on which nobody listens."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port
