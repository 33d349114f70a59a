"""A chat server on the loopback that replies as a script says, in the manner of OpenAI's: whole, or cut off."""

import json
import re
import time
from contextlib import contextmanager
from dataclasses import dataclass, field

from loopback import Script, serving_script

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


class ChatScript(Script):
    """A script whose turns may be the text alone."""

    def next(self, request):
        turn = super().next(request)
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
    script = ChatScript(*turns)

    def reply(request, _path):
        turn = script.next(request)
        time.sleep(turn.wait)
        body = turn.bytes()
        kind = turn.kind if turn.status == 200 else "application/json"
        length = str(len(body) + (100 if turn.cut else 0))
        return turn.status, {"Content-Type": kind, "Content-Length": length, **turn.headers}, body

    with serving_script(script, reply):
        yield script
