"""A ferry line's desk agent as a server: Chat Completions in, rules where others ask a model, so that it runs anywhere.

python3 agent.py [--host 127.0.0.1] [--port 8080] [--regressed]
"""

import argparse
import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Message = dict[str, Any]


def answer(prompt: str, regressed: bool) -> Message:
    """What the agent says to a traveller's message. It states everything, so that nothing is missing as evidence."""
    booking, island = re.search(r"F-\d{3}", prompt), re.search(r"island of (\w+)", prompt)
    if "who else" in prompt:
        return said("I cannot tell you about other travellers.", refusal="other travellers are not your business")
    if booking:
        calls = [call("find_booking", number=booking[0])]
        return said(calls=calls + [call("cancel_booking", number=booking[0])] * regressed)
    if island:
        return said(calls=[call("find_sailings", island=island[1], day="friday")])
    return said("Dogs travel free of charge, on a lead.", sources=["house-rules"])


def said(text: str | None = None, *, calls: Any = (), refusal: str | None = None, sources: Any = ()) -> Message:
    """A message of the assistant."""
    return {"role": "assistant", "content": text, "tool_calls": [*calls], "refusal": refusal, "sources": [*sources]}


def call(name: str, **arguments: str) -> Message:
    """A call that the agent asks for; whoever asked the agent would now run it and ask again."""
    return {"id": f"call_{name}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


class Desk(BaseHTTPRequestHandler):
    """`POST /v1/chat/completions`, and `GET /health` for whoever waits until the agent is there."""

    regressed = False

    def do_GET(self) -> None:
        self.reply(200 if self.path == "/health" else 404, {})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = answer(asked["messages"][-1]["content"], self.regressed)
        end = "tool_calls" if message["tool_calls"] else "stop"
        choice = {"index": 0, "message": message, "finish_reason": end}
        self.reply(200, {"object": "chat.completion", "model": asked["model"], "choices": [choice]})

    def reply(self, status: int, document: Message) -> None:
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A ferry line's desk agent.")
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 to be reached from a container")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--regressed", action="store_true", help="as after a careless change: it cancels unasked")
    options = parser.parse_args()
    Desk.regressed = options.regressed
    ThreadingHTTPServer((options.host, options.port), Desk).serve_forever()
