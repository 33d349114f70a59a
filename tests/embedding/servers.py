"""A server on the loopback that answers as a script says, in the manner of OpenAI's embeddings."""

import json
import time
from contextlib import contextmanager

from loopback import Script, serving_script


def answer(*vectors):
    """The body that carries these vectors, last one first: the index counts, not the place."""
    data = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    return json.dumps({"object": "list", "data": data[::-1], "model": "small", "usage": {}}).encode()


@contextmanager
def serving(*turns):
    """A server whose turns are (status, body), or functions of a request that give that."""
    script = Script(*turns)

    def reply(request, path):
        status, body = script.next(request | {"path": path})
        length = str(len(body))
        return status, {"Content-Type": "application/json", "Content-Length": length, "retry-after-ms": "1"}, body

    with serving_script(script, reply):
        yield script


def slow(seconds):
    def turn(_):
        time.sleep(seconds)
        return 200, answer([1.0, 0.0])

    return turn
