"""A chat server on the loopback that replies as a script says, in the manner of OpenAI's: whole, or cut off."""

import json
import re
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SHAPE = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "small"}


@dataclass
class Turn:
    """What the server does with one request."""

    text: str = ""
    status: int = 200
    kind: str = "text/event-stream"
    headers: dict = field(default_factory=dict)
    ended: str | None = "stop"
    usage: tuple | None = (100, 20)
    cut: bool = False
    """The connection ends before the body does."""
    wait: float = 0.0
    pieces: int = 7
    """Code points of a piece."""
    body: bytes | None = None
    """Instead of all that."""

    def bytes(self):
        if self.body is not None:
            return self.body
        if self.status != 200:
            return json.dumps({"error": {"message": self.text}}).encode()
        pieces = [self.text[at : at + self.pieces] for at in range(0, len(self.text), self.pieces)]
        chunks = [{"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]} for piece in pieces]
        if self.ended is not None:
            chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": self.ended}]})
        if self.usage is not None:
            read, written = self.usage
            usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
            chunks.append({"choices": [], "usage": usage})
        events = "".join(f"data: {json.dumps(SHAPE | chunk)}\n\n" for chunk in chunks)
        return (events + ("" if self.cut else "data: [DONE]\n\n")).encode()


def claims(*rows):
    """A reply as a good model gives it: rows are dicts, or (subject, predicate, object, quote)."""
    keys = ("subject", "predicate", "object", "quote")
    full = [row if isinstance(row, dict) else dict(zip(keys, row, strict=True)) for row in rows]
    return json.dumps({"claims": [{"passage": 1, "start": None, "end": None, "ended": False} | row for row in full]})


class Script:
    """Turns in order, the last one for ever; a function of the request is called. It keeps what was asked."""

    def __init__(self, *turns):
        self.turns = list(turns)
        self.asked = []
        self.keys = []
        self.url = ""

    def next(self, request):
        self.asked.append(request)
        turn = self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]
        turn = turn(request) if callable(turn) else turn
        return Turn(turn) if isinstance(turn, str) else turn

    def passages(self):
        """The passages that each request asked about."""
        return [passages_in(request) for request in self.asked]


def passages_in(request):
    """What stands between the fences of the question."""
    question = request["messages"][1]["content"]
    return [text for _, text in re.findall(r"^Passage \d+[^\n]*\n(~+)\n(.*?)\n\1$", question, re.MULTILINE | re.DOTALL)]


@contextmanager
def chatting(*turns):
    script = Script(*turns)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.keys.append(self.headers["Authorization"])
            turn = script.next(request)
            time.sleep(turn.wait)
            body = turn.bytes()
            self.send_response(turn.status)
            self.send_header("Content-Type", turn.kind if turn.status == 200 else "application/json")
            self.send_header("Content-Length", str(len(body) + (100 if turn.cut else 0)))
            for name, value in turn.headers.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(BrokenPipeError, ConnectionResetError):  # who asked has given up
                self.wfile.write(body)

        def log_message(self, *_):
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    script.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield script
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
