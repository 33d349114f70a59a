"""A real Neo4j server for tests: started from Maven artifacts where Java and Maven are found, or one that is named.

`KGMEM_TEST_NEO4J_URL` names a running server (with `NEO4J_USERNAME` and `NEO4J_PASSWORD`); tests keep to groups of
their own there. `KGMEM_TEST_NEO4J_VERSION` chooses the version that is started. The jars stay in the user's cache.

    python tests/store/neo4j_server.py FOLDER [PORT]    starts one in a folder, says its URL, and stops it at the end
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import platformdirs

NEWEST, LTS = "2026.08.1", "5.26.30"
_NEEDS_JAVA = {NEWEST: 21, LTS: 17}
_USER, _PASSWORD = "neo4j", "kgmem-tests"
_START_SECONDS = 180
_STOP_SECONDS = 30

_POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>kgmem.tests</groupId><artifactId>server</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{version}</version></dependency>
  </dependencies>
  <build><plugins><plugin>
    <groupId>org.apache.maven.plugins</groupId><artifactId>maven-dependency-plugin</artifactId><version>3.8.1</version>
    <executions><execution>
      <phase>package</phase><goals><goal>copy-dependencies</goal></goals>
      <configuration><includeScope>runtime</includeScope><outputDirectory>{folder}</outputDirectory></configuration>
    </execution></executions>
  </plugin></plugins></build>
</project>
"""
_SETTINGS = """\
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
dbms.usage_report.enabled=false
server.memory.pagecache.size=128m
db.tx_log.preallocate=false
"""
_SETTINGS_OF = {  # a clean stop waits ten seconds unless it is told not to, each version in its own words
    LTS: "internal.dbms.bolt.netty_server_shutdown_quiet_period=0\n",
    NEWEST: (
        "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration=0s\n"
        "dbms.fleet_manager.enabled=false\nserver.fleet_discovery.enabled=false\n"
    ),
}
_JAVA_OPTIONS = (
    "-Xms512m -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-OmitStackTraceInFastThrow"
    " -Dlog4j2.disable.jmx=true --enable-native-access=ALL-UNNAMED"
).split()
_OPENED = ("java.nio", "java.io")


class NoServerError(Exception):
    """There is no server to test with; says why."""


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs, and whether it is ours alone."""

    url: str
    user: str
    password: str
    own: bool


@contextlib.contextmanager
def running(folder: Path, port: int | None = None) -> Iterator[Server]:
    """The server that is named, or one in a folder, at a port that is free if none is given; it is stopped at the end.

    Raises:
        NoServerError: none is named, and none can be started.
    """
    named = os.environ.get("KGMEM_TEST_NEO4J_URL")
    if named:
        yield Server(named, os.environ.get("NEO4J_USERNAME", _USER), os.environ.get("NEO4J_PASSWORD", ""), own=False)
        return
    version = os.environ.get("KGMEM_TEST_NEO4J_VERSION") or (NEWEST if _java(_NEEDS_JAVA[NEWEST]) else LTS)
    java = _java(_NEEDS_JAVA.get(version, 21))
    if java is None:
        raise NoServerError("no Java 17 or newer")
    port = port or _free_port()
    process = _start(java, version, _jars(version), folder, port)
    try:
        _wait(process, folder, port)
        yield Server(f"bolt://127.0.0.1:{port}", _USER, _PASSWORD, own=True)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _java(least: int) -> str | None:
    """A Java that is new enough."""
    homes = [os.environ[name] for name in ("NEO4J_JAVA_HOME", "JAVA_HOME") if os.environ.get(name)]
    found = [f"{home}/bin/java" for home in homes] + [shutil.which("java") or ""]
    found += sorted(map(str, Path("/usr/lib/jvm").glob("*/bin/java")), reverse=True)
    return next((java for java in found if java and _major(java) >= least), None)


def _major(java: str) -> int:
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=False).stderr
    except OSError:
        return 0
    match = re.search(r'version "(\d+)', said)
    return int(match[1]) if match else 0


def _jars(version: str) -> Path:
    """The folder of a version's jars, filled by Maven once; never half of it."""
    folder = platformdirs.user_cache_path("kgmem", appauthor=False) / f"neo4j-{version}"
    if folder.exists():
        return folder
    maven = shutil.which("mvn")
    if maven is None:
        raise NoServerError("no Maven to fetch the server with")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        part, pom = Path(work) / "jars", Path(work) / "pom.xml"
        pom.write_text(_POM.format(version=version, folder=part), encoding="utf-8")
        done = subprocess.run(
            [maven, "-B", "-ntp", "-q", "-f", str(pom), "package"], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise NoServerError(f"Maven could not fetch the server: {done.stdout.strip()[-300:]}")
        with contextlib.suppress(OSError):  # another run was quicker
            part.rename(folder)
    return folder


def _start(java: str, version: str, jars: Path, home: Path, port: int) -> subprocess.Popen[bytes]:
    settings = home / "conf" / "neo4j.conf"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(_SETTINGS.format(port=port) + _SETTINGS_OF.get(version, ""), encoding="utf-8")
    secret = home / "data" / "dbms" / "auth.ini"
    secret.parent.mkdir(parents=True, exist_ok=True)
    secret.write_text(_credentials(), encoding="utf-8")
    recent = not version.startswith("5.")
    command = [
        *(java, *_JAVA_OPTIONS),
        *(f"--add-opens=java.base/{each}=ALL-UNNAMED" for each in _OPENED),
        *("-cp", f"{jars}/*"),
        "org.neo4j.server.Neo4jCommunity" if recent else "org.neo4j.server.CommunityEntryPoint",
        *(f"--home-dir={home}", f"--config-dir={settings.parent}"),
        *(["--console-mode"] if recent else []),
    ]
    with (home / "console.log").open("wb") as log:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=home)


def _credentials() -> str:
    """The line by which a server knows its first user: a salted hash, 1,024 times over."""
    salt, rounds = secrets.token_bytes(32), 1024
    digest = salt + _PASSWORD.encode()
    for _ in range(rounds):
        digest = hashlib.sha256(digest).digest()
    return f"{_USER}:SHA-256,{digest.hex()},{salt.hex()},{rounds}:\n"


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _wait(process: subprocess.Popen[bytes], home: Path, port: int) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while not _answers(port):
        if process.poll() is not None or time.monotonic() > deadline:
            said = (home / "console.log").read_text("utf-8", "replace")
            raise NoServerError(f"the server did not start: {said[-1000:]}")
        time.sleep(0.1)


def _answers(port: int) -> bool:
    """Whether the server chooses a version of its protocol: four bytes that are not all zero."""
    magic, offers = bytes.fromhex("6060b017"), bytes.fromhex("00000006 00080805 00020404 00000000")
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            connection.sendall(magic + offers)
            return any(connection.recv(4))
    except OSError:
        return False


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # or the server would outlive it
    with running(Path(sys.argv[1]).absolute(), *map(int, sys.argv[2:3])) as server:
        print(f"NEO4J_PASSWORD={server.password} KGMEM_STORE={server.url}", flush=True)  # noqa: T201
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause()
