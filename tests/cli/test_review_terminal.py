import json
import os
import signal
import sys

import pytest
from cli.transcripts import speak

from kgmem.recall.names import find_entity
from kgmem.store import open_store
from kgmem.store.protocol import Proposal

if sys.platform == "win32":
    pytest.skip("there is no pseudo-terminal", allow_module_level=True)
from cli.terminal import Terminal

FILES = {
    "Robert Keane.md": '---\ntype: person\nworks_at: "[[Nord]] (since 2019)"\n---\nPlays chess.\n',
    "Bob Keane.md": '---\ntype: person\nworks_at: "[[Nord]]"\nlives_in: Cork\n---\n',
    "Anna Berg.md": "---\ntype: person\nlives_in: Malmö\n---\n",
    "Ann Berg.md": "---\ntype: person\nlives_in: Oslo\n---\n",
    "Log.md": "Met [[Bob Keane]] at noon, and [[Anna Berg]] later.\n",
    "Elizabeth Marsh.md": "---\ntype: person\n---\nDraws maps.\n",
    "Trip.md": "[[Lizzie Marsh]] draws maps too.\n",
}  # fmt: skip
PAIRS = [
    ("Robert Keane", "Bob Keane", 0.94, ("Bob is short for Robert", "both work at Nord")),
    ("Anna Berg", "Ann Berg", 0.9, ("against: Malmö and Oslo",)),
    ("Elizabeth Marsh", "Lizzie Marsh", 0.88, ()),
]


def program_environ(request):
    return {**os.environ, "PYTHONPATH": str(request.config.rootpath), "NO_COLOR": "1"}


@pytest.fixture
def told(alone, tmp_path, request):
    """A vault in the memory, three pairs that wait, and the environment of a program that finds both."""
    (tmp_path / "config" / "kgmem").mkdir(parents=True)
    (tmp_path / "config" / "kgmem" / "config.toml").write_text('[nlp]\nmodel = "none"\n')
    (alone / "vault" / ".obsidian").mkdir(parents=True)
    write(alone / "vault", FILES)
    url = os.environ["KGMEM_STORE"]
    store = open_store(url, "default")
    try:
        store.compare({}, [proposal(store, *each) for each in PAIRS], (), store.stats().last_recorded)
    finally:
        store.close()
    return program_environ(request)


def write(vault, files):
    for path, text in files.items():
        (vault / path).write_text(text, encoding="utf-8")
    assert speak(["ingest", "vault", "--quiet"])[0] == 0


def proposal(store, one, other, score, reasons):
    ids = sorted(find_entity(store, name)[0].entity.id for name in (one, other))
    return Proposal(ids[0], ids[1], score, reasons)


def waiting():
    """The pairs that wait, each with its names in order."""
    data = json.loads(speak(["review", "merges", "--list", "--json"])[1])
    assert data["total"] == len(data["merges"])
    return [sorted((each["a"]["name"], each["b"]["name"])) for each in data["merges"]]


def people():
    """Names of persons with their mentions."""
    data = json.loads(speak(["entities", "--type", "person", "--json"])[1])
    return {each["name"]: each["mentions"] for each in data["entities"]}


def decided():
    data = json.loads(speak(["review", "merges", "--decided", "--json"])[1])
    return [(each["one"], sorted((each["a"]["name"], each["b"]["name"]))) for each in data["decisions"]]


KEANES, BERGS, MARSHES = ["Bob Keane", "Robert Keane"], ["Ann Berg", "Anna Berg"], ["Elizabeth Marsh", "Lizzie Marsh"]


def test_one_is_accepted_one_rejected_one_taken_back(told):
    before = people()
    with Terminal("review", "merges", environ=told) as terminal:
        shown = terminal.see("score 0.94")
        assert "1 of 3" in shown
        assert "“Met [[Bob Keane]] at noon" in shown
        assert "Log.md:1" in shown
        assert "  + both work at Nord" in terminal.see("accept")
        terminal.press("a")
        terminal.see("are one")
        assert "  − Malmö and Oslo" in terminal.see("accept")
        terminal.press("r")
        terminal.see("are two")
        assert "Lizzie Marsh" in terminal.see("accept")
        terminal.press("a")
        terminal.see("are one")
        terminal.see("That was the last.")
        terminal.press("u")
        terminal.see("taken back")
        terminal.see("3 of 3")
        terminal.press("q")
        assert terminal.end() == 0
        assert "1 accepted, 1 rejected; 1 pair is left" in terminal.screen
        assert terminal.echoes
    assert waiting() == [MARSHES]
    assert decided() == [(False, BERGS), (True, KEANES)]
    (kept,) = {"Bob Keane", "Robert Keane"} & people().keys()
    one = before["Bob Keane"] + before["Robert Keane"]
    assert people() == {**{name: n for name, n in before.items() if "Keane" not in name}, kept: one}


def test_what_is_skipped_waits_and_a_skip_can_be_taken_back(told):
    with Terminal("review", "merges", environ=told) as terminal:
        terminal.press("s")
        terminal.see("2 of 3")
        terminal.press("u")
        terminal.see("1 of 3")
        terminal.press("?")
        terminal.see("skip: it waits until the next time")
        terminal.press("x\x1b[As")
        terminal.press("q")
        assert terminal.end() == 0
        assert "1 skipped; 3 pairs are left" in terminal.screen
    assert waiting() == [KEANES, BERGS, MARSHES]
    assert decided() == []


def test_notes_are_shown_with_their_addresses_where_there_is_no_desktop(told):
    with Terminal("review", "merges", environ=told) as terminal:
        terminal.press("o")
        assert "obsidian://open?vault=vault&file=Robert%20Keane.md" in terminal.see("file=Log.md").replace("\n", "")
        terminal.press("\x04")
        assert terminal.end() == 0


@pytest.mark.parametrize("end", ["ctrl-c", "term", "kill"])
def test_what_is_decided_stays_when_the_program_is_stopped(told, end):
    with Terminal("review", "merges", environ=told) as terminal:
        terminal.press("a")
        terminal.see("2 of 3")
        if end == "ctrl-c":
            terminal.press("\x03")
        else:
            terminal.see("> ")
            os.kill(terminal.process.pid, signal.SIGTERM if end == "term" else signal.SIGKILL)
        code = terminal.end()
        assert code == {"kill": -signal.SIGKILL, "term": 143, "ctrl-c": 130}[end]
        assert end == "kill" or "1 accepted; 2 pairs are left" in terminal.screen
        assert end == "kill" or terminal.echoes
    assert decided() == [(True, KEANES)]
    assert waiting() == [BERGS, MARSHES]


def test_a_pair_that_a_third_one_settled_is_passed_over(told):
    store = open_store(os.environ["KGMEM_STORE"], "default")
    try:
        store.compare({}, [proposal(store, "Ann Berg", "Bob Keane", 0.93, ())], ())
        store.compare({}, [proposal(store, "Anna Berg", "Bob Keane", 0.92, ())], ())
    finally:
        store.close()
    with Terminal("review", "merges", environ=told) as terminal:
        terminal.see("1 of 5")
        terminal.press("s")
        for _ in range(2):
            terminal.press("a")
            terminal.see("are one")
        terminal.see("5 of 5")
        assert "Lizzie Marsh" in terminal.see("score 0.88")
        terminal.press("q")
        assert terminal.end() == 0
        assert "4 of 5" not in terminal.screen


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_no_line_is_wider_than_the_terminal(told, columns):
    with Terminal("review", "merges", environ=told, columns=columns) as terminal:
        terminal.press("q")
        assert terminal.end() == 0
        assert max(map(len, terminal.screen.split("\n"))) <= columns


CONFLICT = {
    "Releases.md": '---\ntype: project\nreviewed_by: "[[Grace]] (since 2026-01-05)"\n---\n',
    "Team.md": "Ada reviews [[Releases]] from 5 January 2026.\n",
}  # fmt: skip


def reviewer():
    data = json.loads(speak(["facts", "Releases", "--predicate", "reviewed_by", "--json"])[1])
    return [(each["object"]["name"], each["valid_from"], each["disputed"]) for each in data["facts"]]


def test_a_conflict_is_decided_taken_back_and_decided_otherwise(told, alone):
    write(alone / "vault", CONFLICT)
    ((believed, since, disputed),) = reviewer()
    assert (since, disputed) == ("2026-01-05", True)
    rival = {"Ada": "Grace", "Grace": "Ada"}[believed]
    with Terminal("review", "conflicts", environ=told) as terminal:
        shown = terminal.see(f"a {believed}   r {rival}")
        assert "Team.md:1  “Ada reviews" in shown
        terminal.press("r")
        terminal.see("That was the last.")
        assert reviewer() == [(rival, "2026-01-05", False)]
        terminal.press("u")
        terminal.see("taken back")
        terminal.press("a")
        terminal.press("q")
        assert terminal.end() == 0
        assert "1 decided; none is left" in terminal.screen
    assert reviewer() == [(believed, "2026-01-05", False)]


def test_a_name_is_said_to_mean_somebody_and_that_is_taken_back(alone, tmp_path, request):
    (tmp_path / "config" / "kgmem").mkdir(parents=True)
    (tmp_path / "config" / "kgmem" / "config.toml").write_text('[nlp]\nmodel = "none"\n')
    for path, text in {
        "Work/Anna Berg.md": "---\ntype: person\nrole: pilot\n---\n",
        "Home/Anna Berg.md": "---\ntype: person\nrole: baker\n---\n",
        "Log.md": "Anna Berg called at noon.\n",
    }.items():
        (alone / "vault" / path).parent.mkdir(parents=True, exist_ok=True)
        (alone / "vault" / path).write_text(text, encoding="utf-8")
    assert speak(["ingest", "vault", "--quiet"])[0] == 0
    with Terminal("review", "conflicts", environ=program_environ(request)) as terminal:
        shown = terminal.see("n none of them")
        assert "who is Anna Berg here?" in shown
        assert "“Anna Berg called at noon.”  Log.md:1" in shown
        terminal.press("1")
        terminal.see("Anna Berg in Log.md is Anna Berg")
        assert meant() == [True]
        terminal.see("That was the last.")
        terminal.press("u")
        terminal.see("taken back")
        assert meant() == []
        terminal.see("n none of them")
        terminal.press("n")
        terminal.see("Anna Berg in Log.md is somebody else")
        terminal.see("That was the last.")
        terminal.press("q")
        assert terminal.end() == 0
        assert "1 decided; no name is left" in terminal.screen
    assert meant() == [False]


def meant():
    """Of each name that somebody spoke about, whether it means somebody known."""
    data = json.loads(speak(["review", "merges", "--decided", "--json"])[1])
    return [each["one"] for each in data["decisions"] if each["source"] == "Log.md"]
