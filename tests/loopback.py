"""A server on the loopback that answers as a script says, for as long as a test asks it."""

import json
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit


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
        return turn(request) if callable(turn) else turn


@contextmanager
def serving_script(script, reply):
    """The script at its address; `reply` makes (status, headers, body) of a request and its path.

    A request is the JSON of a POST, or the query of a GET.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))), self.path)

        def do_GET(self):
            asked = urlsplit(self.path)
            self._answer(dict(parse_qsl(asked.query)), asked.path)

        def _answer(self, request, path):
            script.keys.append(self.headers["Authorization"])
            status, headers, body = reply(request, path)
            self.send_response_only(status)
            for name, value in headers.items():
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
