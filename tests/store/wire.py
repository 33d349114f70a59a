"""A wire to a server that can be cut: what a client sees when a network, or a server, goes away."""

from __future__ import annotations

import contextlib
import socket
from threading import Thread
from urllib.parse import urlsplit


class Wire:
    """Passes on what goes to a server and comes from it, until it is cut; then new connections work again."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._server = (parts.hostname, parts.port or 7687)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self.url = f"bolt://127.0.0.1:{self._listener.getsockname()[1]}"
        Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break every connection."""
        while self._ends:
            end = self._ends.pop()
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def close(self) -> None:
        """Break everything, and let nobody in any more."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._server)
                self._ends += [client, server]
                for pair in ((client, server), (server, client)):
                    Thread(target=_pass_on, args=pair, daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
