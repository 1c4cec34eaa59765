"""Bytes, as they come → a block blob at a signed address: blocks one after the other, then their list."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Mapping
from urllib.parse import quote

from agenttest.github.http import Answer, Client, Unreachable
from agenttest.github.results import LATER, NotUploaded, unreachable
from agenttest.github.retries import attempts

BLOCK = 8 << 20
VERSION = "2021-12-02"
TRY_AGAIN = frozenset({408, 429})


class Blob:
    """A blob in the making: `add` bytes, then `finish` it. `signed` gives its address when the first block is full.

    Blocks go one after the other, as act keeps them in the order in which they come.
    """

    def __init__(self, client: Client, signed: Callable[[], str], content_type: str) -> None:
        self.client, self.signed, self.content_type = client, signed, content_type
        self.url: str | None = None
        self.waiting, self.blocks, self.size = bytearray(), list[str](), 0
        self.sha256 = hashlib.sha256()

    def add(self, piece: bytes) -> None:
        """More bytes; each full block is sent at once."""
        self.sha256.update(piece)
        self.size += len(piece)
        self.waiting += piece
        while len(self.waiting) >= BLOCK:
            self.send_block()

    def finish(self) -> None:
        """Send what is left, then the list that makes a blob of the blocks."""
        if self.waiting:
            self.send_block()
        listed = "".join(f"<Latest>{block}</Latest>" for block in self.blocks)
        body = f'<?xml version="1.0" encoding="utf-8"?><BlockList>{listed}</BlockList>'.encode()
        self.put(
            "comp=blocklist", body, {"Content-Type": "application/xml", "x-ms-blob-content-type": self.content_type}
        )

    def send_block(self) -> None:
        """Send the next block; all names of blocks are equally long, as the store demands."""
        name = base64.b64encode(b"%048d" % len(self.blocks)).decode()
        content = bytes(self.waiting[:BLOCK])
        self.put(f"comp=block&blockid={quote(name, safe='')}", content, {"Content-Type": "application/octet-stream"})
        del self.waiting[:BLOCK]
        self.blocks.append(name)

    def put(self, query: str, body: bytes, headers: Mapping[str, str]) -> None:
        """One request to the signed address, whose own query stays as it is; no token goes there."""
        if self.url is None:
            self.url = self.signed()
        url = f"{self.url}{'&' if '?' in self.url else '?'}{query}"
        sent = {"x-ms-version": VERSION, **headers}
        try:
            answer = attempts(self.client, lambda: self.client.request("PUT", url, headers=sent, body=body), busy)
        except Unreachable as error:
            raise unreachable(error, self.client) from None
        if not 200 <= answer.status < 300:
            raise NotUploaded(f"the artifact was not uploaded: the storage answered with {told(answer)}", LATER)


def busy(answer: Answer) -> bool:
    """Whether the store may answer otherwise later."""
    return answer.status in TRY_AGAIN or answer.status >= 500


def told(answer: Answer) -> str:
    """The store's status and its word for it; its longer words may hold the signature."""
    word = answer.headers.get("x-ms-error-code", "")
    return f"status {answer.status}" + (f" ({word})" if re.fullmatch("[A-Za-z]{1,60}", word) else "")
