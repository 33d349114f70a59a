"""Asking never fails, and never waits, because of what else is done with the memory."""

import json
import os
import subprocess
import sys
from contextlib import closing

import apsw
import pytest
from cli.transcripts import speak


@pytest.fixture
def memory(alone):
    """The file of a small memory."""
    (alone / "vault").mkdir()
    (alone / "vault" / "Mira.md").write_text("---\ntype: person\nlives_in: Lyon\n---\nShe sails.\n", encoding="utf-8")
    assert speak(["ingest", "vault", "--no-nlp", "--quiet"])[0] == 0
    return alone.parent / "memory.db"


def asked(question="Mira", *more):
    code, out, err = speak(["ask", question, "--json", *more])
    assert code == 0
    return json.loads(out), err


def messages():
    return json.loads(speak(["stats", "--json"])[1])["counts"]["messages"]


def test_while_another_process_writes(memory):
    with closing(apsw.Connection(str(memory))) as other:
        other.execute("BEGIN IMMEDIATE")
        said, err = asked()
        other.execute("ROLLBACK")
    assert (said["answer"], said["trace"]["id"]) == ("Mira lives in Lyon (date unknown).", None)
    assert said["trace"]["steps"][0]["name"] == "question"
    assert "is writing to" in said["notes"][0]
    assert said["notes"][0].startswith("this answer is not kept: ")
    assert err == ""
    assert messages() == 0
    assert asked()[0]["trace"]["id"]
    assert messages() == 1


def test_a_person_reads_the_answer_and_then_that_it_is_not_kept(memory):
    with closing(apsw.Connection(str(memory))) as other:
        other.execute("BEGIN IMMEDIATE")
        code, out, err = speak(["ask", "Mira", "--verbose"])
        _, _, quiet = speak(["ask", "Mira", "--quiet"])
        other.execute("ROLLBACK")
    assert (code, quiet) == (0, "")
    assert out.startswith("Mira lives in Lyon")
    assert "kgmem why" not in out
    assert err.startswith("this answer is not kept: process ")


def test_judging_says_that_it_was_not_kept(memory, monkeypatch):
    asked()
    monkeypatch.setattr("kgmem.store.sqlite.conversations.BUSY_SECONDS", 0.01)
    with closing(apsw.Connection(str(memory))) as other:
        other.execute("BEGIN IMMEDIATE")
        code, out, err = speak(["feedback", "up"])
        other.execute("ROLLBACK")
    assert (code, out) == (1, "")
    assert "is writing to" in err


@pytest.mark.usefixtures("memory")
def test_two_processes_at_once(request):
    environ = {**os.environ, "PYTHONPATH": str(request.config.rootpath)}
    words = [sys.executable, "-m", "kgmem", "ask", "--json"]
    running = [
        subprocess.Popen([*words, f"Mira {number}"], env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for number in range(4)
    ]
    done = [(each, *each.communicate()) for each in running]
    assert [(each.returncode, err) for each, _, err in done] == [(0, b"")] * 4
    answers = [json.loads(out) for _, out, _ in done]
    assert {each["answer"] for each in answers} == {"Mira lives in Lyon (date unknown)."}
    kept = [each["trace"]["id"] for each in answers if each["trace"]["id"]]
    assert len(set(kept)) == len(kept) == messages()
    assert len(kept) + sum(len(each["notes"]) for each in answers) == 4
    code, out, _ = speak(["conversations", "2026-03-02", "--json"])
    assert code == 0
    assert [each["id"] for each in json.loads(out)["messages"]] != []
    assert {each["id"] for each in json.loads(out)["messages"]} == set(kept)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("clock", ["2019-01-01T00:00:00Z", "2031-12-31T23:59:59Z"])
def test_a_clock_that_somebody_set(clock, monkeypatch):
    monkeypatch.setenv("KGMEM_NOW", clock)
    said, _ = asked()
    (before,) = asked()[0]["asked_before"]
    assert (before["id"], before["asked_at"], before["conversation"]) == (said["trace"]["id"], clock, clock[:10])
    code, out, _ = speak(["why", "--json"])
    assert code == 0
    assert json.loads(out)["trace"]["steps"][-1]["hits"][0]["text"] == "Mira lives in Lyon."


@pytest.mark.usefixtures("memory")
def test_a_question_of_ten_thousand_letters():
    question = "does Mira sail " * 667
    said, _ = asked(question)
    assert said["trace"]["id"]
    assert [each["id"] for each in asked(question.upper())[0]["asked_before"]] == [said["trace"]["id"]]
    code, out, err = speak(["ask", question])
    assert code == 0
    assert max(map(len, err.splitlines())) < 300
    code, out, _ = speak(["conversations", "2026-03-02"])
    assert code == 0
    assert max(map(len, out.splitlines())) < 300


@pytest.mark.usefixtures("memory")
def test_letters_that_steer_a_terminal_are_kept_and_not_shown():
    asked("Mira \x1b[31m\u202e", "--conversation", "a \x1b[31m b")
    _, out, _ = speak(["conversations"])
    assert "\x1b" not in out
    _, out, _ = speak(["why"])
    assert out.startswith("Mira [31m\n")
    assert "\x1b" not in out
