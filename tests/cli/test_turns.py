"""One command after the other: the turn to write, who has it, and who needs none."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing

import apsw
import pytest
from cli.transcripts import speak

from kgmem.store.turns import Turn

HOLDS = """
import sys
import time
from kgmem.store.turns import Turn
with Turn(sys.argv[1], sys.argv[2], "kgmem ingest"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def memory(alone):
    (alone / "vault").mkdir()
    (alone / "vault" / "Mira.md").write_text("---\ntype: person\nlives_in: Lyon\n---\nShe sails.\n", encoding="utf-8")
    assert speak(["ingest", "vault", "--no-nlp", "--quiet"])[0] == 0
    return os.environ["KGMEM_STORE"]


@pytest.fixture
def hold(request):
    """Starts a process that has the turn; it ends with its input."""
    running = []

    def start(url, group="default"):
        process = subprocess.Popen(
            [sys.executable, "-c", HOLDS, url, group],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(request.config.rootpath)},
        )
        running.append(process)
        assert process.stdout.readline() == b"held\n"
        return process

    yield start
    for process in running:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


WRITERS = [
    ["ingest", "vault", "--no-nlp"],
    ["resolve"],
    ["undo"],
    ["forget", "Mira"],
    ["merge", "Mira", "Lyon", "--yes"],
]


@pytest.mark.parametrize("command", WRITERS, ids=lambda words: words[0])
def test_a_command_that_does_not_wait_names_who_is_at_work(memory, hold, command):
    holder = hold(memory)
    code, out, err = speak([*command, "--wait", "0"])
    assert (code, out) == (1, "")
    assert err.startswith(
        f"kgmem: process {holder.pid} (kgmem ingest) has been at work on the group default in sqlite:"
    )
    assert err.endswith("  try again when it is done, or wait for that with --wait SECONDS\n")
    code, out, err = speak([*command, "--wait", "0", "--json"])
    told = json.loads(out)["error"]
    assert (code, told["kind"]) == (1, "TurnTakenError")
    assert (told["holder"]["process"], told["holder"]["command"]) == (holder.pid, "kgmem ingest")
    assert told["holder"]["since"].endswith("+00:00")


def test_it_waits_until_the_other_is_done(memory, hold):
    holder = hold(memory)
    waiting = subprocess.Popen(
        [sys.executable, "-m", "kgmem", "ingest", "vault", "--no-nlp", "--wait", "60"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
    )
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(1)
    holder.stdin.close()
    assert waiting.communicate(timeout=60)[0].endswith(b"0 added, 0 changed, 0 moved, 0 removed, 1 unchanged\n")
    assert waiting.returncode == 0


def test_a_holder_that_is_killed_holds_nothing(memory, hold):
    holder = hold(memory)
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert speak(["ingest", "vault", "--no-nlp", "--wait", "0"])[0] == 0


@pytest.mark.parametrize(
    "command",
    [
        ["ask", "Mira"],
        ["search", "Mira"],
        ["show", "Mira"],
        ["stats"],
        ["export", "pages"],
        ["ingest", "vault", "--no-nlp", "--dry-run"],
        ["undo", "--dry-run"],
        ["review", "merges", "--list"],
        ["correct", "Mira lives in Lyon", "--wrong"],
    ],
    ids=lambda words: words[0],
)
def test_who_reads_or_writes_in_one_go_needs_no_turn(memory, hold, command):
    hold(memory)
    code, _, err = speak([*command, "--wait", "0"])
    assert code == 0, err


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("seconds", [0, 12])
def test_a_transaction_of_another_process_is_waited_for_and_named(alone, seconds):
    (alone / "vault" / "Jon.md").write_text("He sails.\n", encoding="utf-8")
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = [sys.executable, "-m", "kgmem", "ingest", "vault", "--no-nlp", "--wait", str(seconds)]
    with closing(apsw.Connection(str(alone.parent / "memory.db"))) as other:
        other.execute("BEGIN IMMEDIATE")
        with subprocess.Popen(words, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as waiting:
            if not seconds:
                assert waiting.communicate(timeout=60)[1].startswith("kgmem: process ")
                assert waiting.returncode == 1
                return
            (turn,) = alone.parent.glob("memory.db.turn-*")
            while not turn.read_text():
                assert waiting.poll() is None
                time.sleep(0.1)
            time.sleep(1)
            waiting.terminate()
            assert "stopped" in waiting.communicate(timeout=10)[1]
            assert waiting.returncode == 143


def test_a_question_is_kept_while_another_command_is_at_work(memory, hold):
    hold(memory)
    assert json.loads(speak(["ask", "Mira", "--json"])[1])["trace"]["id"]


def test_groups_of_one_file_have_turns_of_their_own(memory, hold):
    hold(memory, "work")
    assert speak(["ingest", "vault", "--no-nlp", "--wait", "0"])[0] == 0
    assert speak(["ingest", "vault", "--no-nlp", "--wait", "0", "--group", "work"])[0] == 1


def test_two_names_of_one_file_have_one_turn(memory, hold, alone):
    hold(memory)
    (alone / "other").symlink_to(alone.parent)
    assert speak(["ingest", "vault", "--no-nlp", "--wait", "0", "--store", str(alone / "other" / "memory.db")])[0] == 1


def test_a_pause_lets_others_go_ahead(memory, hold):
    with Turn(memory, "default", "kgmem watch", wait_seconds=0) as turn:
        with turn.paused():
            other = hold(memory)
            other.kill()
            other.wait()
        with Turn(memory, "default~2", "kgmem watch", wait_seconds=0):
            pass  # within one process, and of a generation: it is the same turn, and held


@pytest.mark.usefixtures("memory")
def test_the_file_of_the_lock_is_its_owners_alone_and_says_nothing_later(alone):
    (file,) = alone.parent.glob("memory.db.turn-*")
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text() == ""


def test_a_server_has_its_turns_in_the_folder_for_state(tmp_path, monkeypatch, hold):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    hold("bolt://me:secret@example.org:7687", "work")
    (file,) = (tmp_path / "kgmem" / "turns").iterdir()
    assert "secret" not in file.read_text()
    with Turn("bolt://example.org:7687/", "home", "kgmem watch", wait_seconds=0):
        assert len(list(file.parent.iterdir())) == 2
    with pytest.raises(Exception, match=r"in bolt://example\.org:7687 since 20\d\d"):
        Turn("bolt://example.org:7687", "work", "kgmem watch", wait_seconds=0).__enter__()


def test_there_is_no_turn_to_take_where_nothing_can_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with Turn(f"sqlite:///{tmp_path}/file/memory.db", "default", "kgmem watch", wait_seconds=0) as turn:
        assert isinstance(turn, Turn)


@pytest.mark.parametrize("seconds", ["-1", "long"])
@pytest.mark.usefixtures("alone")
def test_how_long_to_wait_is_a_number_from_0_on(seconds):
    assert speak(["stats", "--wait", seconds])[0] == 2
