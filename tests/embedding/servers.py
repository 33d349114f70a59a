"""A server on the loopback that answers as a script says, in the manner of OpenAI's embeddings."""

import json
import threading
import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def answer(*vectors):
    """The body that carries these vectors, last one first: the index counts, not the place."""
    data = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    return json.dumps({"object": "list", "data": data[::-1], "model": "small", "usage": {}}).encode()


class Script:
    """What the server does with each request: (status, body) in turn, the last one for ever; and what it was asked."""

    def __init__(self, *turns):
        self.turns = list(turns)
        self.asked = []
        self.keys = []
        self.url = ""

    def next(self, request):
        self.asked.append(request)
        turn = self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]
        return turn(request) if callable(turn) else turn


@contextmanager
def serving(*turns):
    script = Script(*turns)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.keys.append(self.headers["Authorization"])
            status, body = script.next(request | {"path": self.path})
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("retry-after-ms", "1")
            self.end_headers()
            with suppress(BrokenPipeError):  # who asked has given up
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


def slow(seconds):
    def turn(_):
        time.sleep(seconds)
        return 200, answer([1.0, 0.0])

    return turn
