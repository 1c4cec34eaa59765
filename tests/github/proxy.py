"""A proxy on this machine: what it is asked for goes to one server, whatever the host is called."""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Self

from tests.github.results_service import Server


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as the proxy saw it."""

    method: str
    target: str
    headers: Mapping[str, str]


class Proxy:
    """The proxy, running while it is a context; with a `login` it serves only those who give it."""

    def __init__(self, port: int, login: str | None = None) -> None:
        self.port, self.login = port, login
        self.asked: list[Asked] = []
        self.server = Server(("127.0.0.1", 0), ProxyHandler)
        self.server.proxy = self  # type: ignore[attr-defined]

    def __enter__(self) -> Self:
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.server.server_port}"


class ProxyHandler(BaseHTTPRequestHandler):
    """One connection to the proxy: a tunnel, or one request that is passed on."""

    protocol_version = "HTTP/1.1"

    def handle_any(self) -> None:
        proxy: Proxy = self.server.proxy  # type: ignore[attr-defined]
        headers = {name.lower(): value for name, value in self.headers.items()}
        proxy.asked.append(Asked(self.command, self.path, headers))
        self.close_connection = True
        if proxy.login and headers.get("proxy-authorization") != proxy.login:
            self.send_response(407)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        with socket.create_connection(("127.0.0.1", proxy.port)) as server:
            if self.command == "CONNECT":
                self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                self.pass_on(server)
            back = threading.Thread(target=pour, args=(server, self.connection), daemon=True)
            back.start()
            if self.command == "CONNECT":
                pour(self.connection, server)
            back.join()

    do_GET = do_PUT = do_POST = do_CONNECT = handle_any  # noqa: N815

    def pass_on(self, server: socket.socket) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = "/" + self.path.split("/", 3)[3]
        kept = "".join(f"{n}: {v}\r\n" for n, v in self.headers.items() if not n.lower().startswith("proxy-"))
        server.sendall(f"{self.command} {path} HTTP/1.1\r\nConnection: close\r\n{kept}\r\n".encode() + body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def pour(source: socket.socket, target: socket.socket) -> None:
    """All the bytes of one side to the other."""
    try:
        while piece := source.recv(65536):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass
