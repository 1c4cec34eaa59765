"""`agent.py SECONDS BYTES` → an agent on loopback that gives every request the same reply, so late and so large.

It prints its port and serves until its standard input is closed. It waits without a thread, so that however many ask at
the same time, the processor is left to those who ask.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from inputs import CALLS, RESPONSE

BACKLOG = 128


@contextmanager
def serving(seconds: float, size: int) -> Iterator[str]:
    """The URL of an agent in a process of its own, which ends with the block."""
    command = [sys.executable, __file__, str(seconds), str(size)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{int(server.stdout.readline())}/v1/chat/completions"


async def serve(seconds: float, answer: bytes) -> None:
    """Serve on a free port until nobody holds the other end of standard input any more."""
    loop = asyncio.get_running_loop()
    over = asyncio.Event()
    loop.add_reader(sys.stdin.fileno(), over.set)
    server = await loop.create_server(lambda: Connection(seconds, answer), "127.0.0.1", 0, backlog=BACKLOG)
    print(server.sockets[0].getsockname()[1], flush=True)
    await over.wait()


class Connection(asyncio.Protocol):
    """One connection; it is kept for as many requests as are sent, and closed where that is asked for."""

    def __init__(self, seconds: float, answer: bytes) -> None:
        self.seconds, self.answer, self.got = seconds, answer, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody is there."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """More of a request; as soon as it is whole, its answer is due in so many seconds."""
        self.got += data
        head, end, body = self.got.partition(b"\r\n\r\n")
        fields = dict(line.lower().split(b":", 1) for line in head.split(b"\r\n")[1:] if b":" in line)
        if end and len(body) >= int(fields.get(b"content-length", b"0")):
            self.got = b""
            last = fields.get(b"connection", b"").strip() == b"close"
            asyncio.get_running_loop().call_later(self.seconds, self.reply, last)

    def reply(self, last: bool) -> None:
        """Answer; whoever has hung up meanwhile is not told."""
        self.transport.write(self.answer)
        if last:
            self.transport.close()


def reply(size: int) -> bytes:
    """An HTTP response whose body keeps the contracts of inputs.py; its reasoning brings it to so many bytes."""
    message = {
        "role": "assistant",
        "content": RESPONSE.format(id="A-17"),
        "tool_calls": [call(number, str(each["name"]), each["arguments"]) for number, each in enumerate(CALLS)],
        "refusal": None,
        "sources": ["refund-policy", "card-rules"],
        "reasoning": "",
    }
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 120, "completion_tokens": 48, "total_tokens": 168}
    document = {"id": "chatcmpl-1", "object": "chat.completion", "choices": [choice], "usage": usage}
    message["reasoning"] = "so " * ((size - len(json.dumps(document))) // 3)
    body = json.dumps(document).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


def call(number: int, name: str, arguments: object) -> dict[str, object]:
    """An entry of tool_calls."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"id": f"call_{number}", "type": "function", "function": function}


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]), reply(int(sys.argv[2]))))
