"""A request → its `Answer`, or `Unreachable` in words; proxies and authorities as the environment says, one end."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, unquote, urlsplit

from agenttest import __version__
from agenttest.quote import clip, one_line

if TYPE_CHECKING:
    import ssl

    from urllib3 import BaseHTTPResponse, HTTPConnectionPool, PoolManager

BODY_LIMIT = 8 << 20
PIECE = 1 << 16
CONNECT_SECONDS = 20  # an address that swallows packets must leave time for the next one
SCHEMES = ("http", "https")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said, whatever its status; header names are in lower case, the body as it came."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


class Unreachable(Exception):
    """No whole answer came. The words name of an address only the host; where it is `final`, trying again is vain."""

    def __init__(self, message: str, *, final: bool = False) -> None:
        super().__init__(message)
        self.final = final


class Client:
    """Sends requests one after the other; `seconds` from its making on are the end of all of them together.

    `variables` is the environment to obey: HTTP_PROXY, HTTPS_PROXY and NO_PROXY in both cases, SSL_CERT_FILE and
    SSL_CERT_DIR. No redirect is followed, no cookie kept, nothing tried twice, no body unpacked.
    """

    def __init__(
        self, variables: Mapping[str, str], seconds: float, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.variables, self.sleep = variables, sleep
        self.end = time.monotonic() + seconds
        self.managers: dict[tuple[str, str | None], PoolManager] = {}
        self.target = ""

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return max(0.0, self.end - time.monotonic())

    def request(self, method: str, url: str, *, headers: Mapping[str, str], body: bytes | None = None) -> Answer:
        """The answer to one request; the URL's path and query go out byte for byte."""
        place = address(url)
        if place is None:
            raise Unreachable("an address is no http or https URL with a host", final=True)
        ended: list[Answer | Unreachable] = []
        sent = {"User-Agent": f"agenttest/{__version__}", "Accept-Encoding": "identity", **headers}
        worker = Thread(target=lambda: ended.append(self.outcome(method, url, place, sent, body)), daemon=True)
        if self.left:
            # Neither a name's look-up nor headers that come byte by byte obey a socket's timeout; a join does.
            started(worker)
            worker.join(self.left)
        if not ended or (isinstance(ended[0], Unreachable) and not self.left):
            raise Unreachable(f"{place.hostname} gave no whole answer before the time was up", final=True)
        if isinstance(ended[0], Unreachable):
            raise ended[0]
        return ended[0]

    def outcome(
        self, method: str, url: str, place: SplitResult, headers: Mapping[str, str], body: bytes | None
    ) -> Answer | Unreachable:
        """The answer, or why there is none; nothing is raised, as a cause would show the URL and the headers."""
        host = place.hostname or ""
        try:
            return self.exchange(method, url, place, headers, body)
        except Unreachable as error:
            return error
        except Exception as error:  # a header's value may stand in any of them
            return explained(error, host)

    def exchange(
        self, method: str, url: str, place: SplitResult, headers: Mapping[str, str], body: bytes | None
    ) -> Answer:
        """Send the request and read its answer."""
        from urllib3 import Timeout

        proxy = proxy_for(place, self.variables)
        way = (place.scheme, proxy)
        if way not in self.managers:
            self.managers[way] = self.manager(*way)
        relative = (place.path or "/") + (f"?{place.query}" if place.query else "")
        self.target = url.split("#")[0] if proxy and place.scheme == "http" else relative
        response = self.managers[way].urlopen(
            method,
            url,
            body=body,
            headers=headers,
            redirect=False,
            retries=False,
            preload_content=False,
            decode_content=False,
            timeout=Timeout(connect=min(CONNECT_SECONDS, self.left), read=self.left),
        )
        try:
            content = whole_body(response, place.hostname or "")
        except BaseException:
            response.close()
            raise
        response.release_conn()
        return Answer(response.status, {name.lower(): value for name, value in response.headers.items()}, content)

    def manager(self, scheme: str, proxy: str | None) -> PoolManager:
        """Connections, straight or by a proxy, that send the target as it was given: urllib3 writes escapes anew."""
        import urllib3

        options: dict[str, Any] = {"ssl_context": authorities(self.variables)} if scheme == "https" else {}
        if proxy is None:
            made = urllib3.PoolManager(**options)
        else:
            place = urlsplit(proxy)
            if place.scheme == "https":
                options["proxy_ssl_context"] = authorities(self.variables)
            if place.username:
                login = f"{unquote(place.username)}:{unquote(place.password or '')}"
                options["proxy_headers"] = urllib3.make_headers(proxy_basic_auth=login)
            made = urllib3.ProxyManager(f"{place.scheme}://{place.netloc.rpartition('@')[2]}", **options)
        made.pool_classes_by_scheme = {
            "http": exact(urllib3.HTTPConnectionPool, self),
            "https": exact(urllib3.HTTPSConnectionPool, self),
        }
        return made


def started(worker: Thread) -> None:
    """Start a thread; where the system has none left, nothing is asked."""
    try:
        worker.start()
    except RuntimeError:
        raise Unreachable("the system lets this process start no thread, so nothing can be asked", final=True) from None


def exact(pool: type[HTTPConnectionPool], client: Client) -> type[HTTPConnectionPool]:
    """A pool whose connections ask for the client's target and have all the time that is left to send a body."""

    class Connection(pool.ConnectionCls):  # type: ignore[name-defined, misc]
        def request(self, method: str, _url: str, **rest: Any) -> None:
            if self.sock is None:
                self.connect()
            self.timeout = client.left or 0.001
            super().request(method, client.target, **rest)

    return type("Pool", (pool,), {"ConnectionCls": Connection})


def address(url: str) -> SplitResult | None:
    """A URL's parts, where it can be asked at all."""
    try:
        place = urlsplit(url)
        asked = place.scheme in SCHEMES and place.hostname and place.port != 0 and not re.search(r"[^!-~]", url)
    except ValueError:
        return None
    return place if asked else None


def whole_body(response: BaseHTTPResponse, host: str) -> bytes:
    """The body as it came, within the limit."""
    content = bytearray()
    while piece := response.read(PIECE, decode_content=False):  # only the read after the last says that some is missing
        content += piece
        if len(content) > BODY_LIMIT:
            raise Unreachable(f"{host} answered with more than {BODY_LIMIT >> 20} MiB", final=True)
    return bytes(content)


def authorities(variables: Mapping[str, str]) -> ssl.SSLContext:
    """TLS that always verifies, against the authorities that the environment names or else the system's."""
    import ssl

    file, folder = variables.get("SSL_CERT_FILE") or None, variables.get("SSL_CERT_DIR") or None
    try:
        return ssl.create_default_context(cafile=file, capath=folder)
    except OSError:
        said = "SSL_CERT_FILE names no file of certificates that can be read; name one in PEM form"
        raise Unreachable(said, final=True) from None


def proxy_for(place: SplitResult, variables: Mapping[str, str]) -> str | None:
    """The proxy that the environment names for this URL, by the rules of urllib's getproxies_environment."""
    proxies = {name.lower()[:-6]: value for name, value in variables.items() if name.lower().endswith("_proxy")}
    if "REQUEST_METHOD" in variables:  # a CGI script's HTTP_PROXY is a header that anyone may send
        proxies.pop("http", None)
    proxies |= {name[:-6]: value for name, value in variables.items() if name.endswith("_proxy")}
    proxy = proxies.get(place.scheme, "").strip()
    if not proxy or bypassed(place, proxies.get("no", "")):
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    if address(proxy):
        return proxy
    name = f"{place.scheme.upper()}_PROXY"
    raise Unreachable(f"{name} names no http or https proxy; write it as http://host:port", final=True)


def bypassed(place: SplitResult, names: str) -> bool:
    """Whether NO_PROXY names this host, a domain above it, or every host."""
    host, with_port = place.hostname or "", place.netloc.rpartition("@")[2].lower()
    known = [name.strip().lower().lstrip(".") for name in names.split(",")]
    return names.strip() == "*" or any(
        f".{seen}".endswith(f".{name}") for name in known if name for seen in (host, with_port)
    )


def explained(error: Exception, host: str) -> Unreachable:
    """An error of urllib3 or below it in our words; its own may hold the URL or a header."""
    import ssl

    from urllib3 import exceptions

    seen = error.original_error if isinstance(error, exceptions.ProxyError) else error
    by = "the proxy on the way to " if seen is not error else ""
    root = seen.__cause__ or seen
    if isinstance(error, exceptions.SSLError) or isinstance(root, ssl.SSLError):
        return untrusted(error, f"{by}{host}")
    if tunnel := re.search(r"Tunnel connection failed: (\d{3})", str(seen)):
        return Unreachable(f"the proxy refused to connect to {host}: status {tunnel[1]}", final=tunnel[1] == "407")
    if isinstance(seen, exceptions.NameResolutionError):
        return Unreachable(f"{by}{host} has no address that is known here")
    if isinstance(seen, exceptions.TimeoutError) and not isinstance(seen, exceptions.NewConnectionError):
        return Unreachable(f"{by}{host} took too long to answer")
    if isinstance(root, OSError) and root.strerror:
        return Unreachable(f"{by}{host} cannot be reached: {clip(one_line(root.strerror.lower()))}")
    if isinstance(seen, (exceptions.HTTPError, OSError)):
        return Unreachable(f"{by}{host} closed the connection before its answer was whole, or gave none that is HTTP")
    return Unreachable(f"{host} could not be asked: the request is no valid HTTP ({type(error).__name__})", final=True)


def untrusted(error: BaseException | None, who: str) -> Unreachable:
    """What is wrong with a certificate or with TLS itself."""
    import ssl

    while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
        error = error.args[0] if error.args and isinstance(error.args[0], BaseException) else error.__cause__
    if error is None:
        return Unreachable(f"{who} does not speak TLS as it should", final=True)
    said = f"the certificate of {who} is not trusted ({one_line(error.verify_message)})"
    return Unreachable(f"{said}; name its authority's file with SSL_CERT_FILE", final=True)
