"""A scripted agent: a real server on loopback that records what it is sent and says what it is told, byte by byte."""

import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

HEAD_LIMIT = 1 << 20


@dataclass(frozen=True)
class Request:
    """What was asked: header names are in lower case."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body's value."""
        return json.loads(self.body)


Reply = Callable[[socket.socket, Request], None]
Handle = Callable[[socket.socket], None]


def answer(content: str | None = "The refund takes 30 days.", *, finish: str | None = "stop", **message: Any) -> Reply:
    """A chat completion, complete in every channel unless it is told otherwise."""
    said = {"role": "assistant", "content": content, "tool_calls": [], "refusal": None, "sources": [], **message}
    return document({"choices": [{"index": 0, "message": said, "finish_reason": finish}]})


def call(name: str, arguments: Any = "{}") -> dict[str, Any]:
    """One entry of tool_calls."""
    return {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}


def document(value: Any, status: int = 200, **headers: str) -> Reply:
    """A JSON document."""
    return whole(json.dumps(value).encode("utf-8", "surrogatepass"), status, **headers)


def whole(body: bytes, status: int = 200, **headers: str) -> Reply:
    """A whole HTTP/1.1 answer; header names have _ for -."""
    lines = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return raw(f"HTTP/1.1 {status} Said\r\n{head}\r\n".encode("latin-1") + body)


def raw(*pieces: bytes, pause: float = 0.0) -> Reply:
    """Bytes as they are, with a pause before each piece but the first; then the connection is closed."""

    def send(connection: socket.socket, _: Request) -> None:
        for number, piece in enumerate(pieces):
            time.sleep(pause if number else 0)
            connection.sendall(piece)

    return send


def late(reply: Reply, seconds: float) -> Reply:
    """The same reply after a while."""

    def send(connection: socket.socket, request: Request) -> None:
        time.sleep(seconds)
        reply(connection, request)

    return send


def endless(piece: bytes, pause: float = 0.0, before: bytes = b"") -> Reply:
    """The same bytes again and again, until the other side hangs up."""

    def send(connection: socket.socket, _: Request) -> None:
        connection.sendall(before)
        while True:
            time.sleep(pause)
            connection.sendall(piece)

    return send


def held(reply: Reply) -> Reply:
    """The same reply on a connection that stays open, until the other side hangs up."""

    def send(connection: socket.socket, request: Request) -> None:
        reply(connection, request)
        silent(connection)

    return send


def silent(connection: socket.socket) -> None:
    """Say nothing, until the other side hangs up."""
    while connection.recv(65536):
        pass


def reset(connection: socket.socket) -> None:
    """Hang up by an RST, which overtakes what was not yet read."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


class Server:
    """Listens on loopback while it is open. `handle` gets each connection, with nothing read, in a thread of its own."""

    def __init__(self, handle: Handle, host: str = "127.0.0.1", port: int = 0) -> None:
        self.handle, self.host = handle, host
        self.connections = 0
        self.lock = threading.Lock()
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.listener = socket.create_server((host, port), family=family, backlog=128)
        self.port: int = self.listener.getsockname()[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self.accept, name="server", daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def accept(self) -> None:
        """A thread for each connection."""
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), name="server", daemon=True).start()

    def serve(self, connection: socket.socket) -> None:
        """One connection; whoever hangs up meanwhile may do so."""
        with self.lock:
            self.connections += 1
        with suppress(OSError), connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.handle(connection)


class Full:
    """An address whose queue of connections is full while it is open: nobody is accepted, nobody refused."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        self.host = host
        self.listener = socket.create_server((host, port), backlog=0)
        self.port: int = self.listener.getsockname()[1]
        self.waiting: list[socket.socket] = []

    def __enter__(self) -> Self:
        for _ in range(4):
            waiting = socket.socket()
            waiting.setblocking(False)
            waiting.connect_ex((self.host, self.port))
            self.waiting.append(waiting)
        time.sleep(0.05)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for each in (*self.waiting, self.listener):
            each.close()


class Agent(Server):
    """Serves on loopback while it is open. Replies are given in the order of the requests; the last one goes on.

    With a server-side TLS `context` it speaks https. `script` may instead be a function from a request to its reply,
    for agents that are asked several things at a time.
    """

    def __init__(
        self,
        script: Sequence[Reply] | Callable[[Request], Reply] = (),
        context: ssl.SSLContext | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        super().__init__(self.converse, host, port)
        self.script = script or [answer()]
        self.context = context
        self.requests: list[Request] = []

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.context else 'http'}://{host}:{self.port}"

    @property
    def url(self) -> str:
        """The endpoint."""
        return f"{self.origin}/v1/chat/completions"

    def converse(self, connection: socket.socket) -> None:
        """One request and its reply."""
        stream = connection if self.context is None else self.context.wrap_socket(connection, server_side=True)
        with stream:
            request = read(stream)
            if request is not None:
                self.reply_to(request)(stream, request)
                with suppress(OSError):  # so that what was sent arrives, though nobody reads the rest of the request
                    stream.shutdown(socket.SHUT_WR)

    def reply_to(self, request: Request) -> Reply:
        """Note a request, and find its reply."""
        with self.lock:
            self.requests.append(request)
            if callable(self.script):
                return self.script(request)
            return self.script[min(len(self.requests), len(self.script)) - 1]


def read(stream: socket.socket) -> Request | None:
    """The request; None where nobody asked anything."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = stream.recv(65536)
        data += piece
        if not piece or len(data) > HEAD_LIMIT:
            return None
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    while len(body) < int(headers.get("content-length", "0")):
        piece = stream.recv(65536)
        if not piece:
            break
        body += piece
    return Request(method, target, headers, body)
