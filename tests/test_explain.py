"""How one note was read, told beside what the memory holds of it."""

from datetime import datetime
from pathlib import Path

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes

from kgmem.errors import NotFoundError, SourceError, UserError
from kgmem.explain import State, explain, find_note
from kgmem.explain.account import Status
from kgmem.extraction.entities import LanguageRead, NamedSpan
from kgmem.extraction.ontology import load_ontology
from kgmem.model import LINKS_TO, Basis, EntityType, Instant, to_instant
from kgmem.sources.document import SourceSettings
from kgmem.sources.obsidian import Vault

ONTOLOGY = load_ontology()
MIRA = """\
---
type: person
aliases: [Mimi]
date: 2024-05-01
works_at:
  - "[[Nord]] (2015 – 2023-03)"
lives_in: Lyon
---
She met [[Bo]] and Jan.

## Friends
- [[Bo]]
"""
VAULT = {"People/Mira.md": MIRA, "Bo.md": "---\ntags: [person]\n---\nHi Mimi.\n"}


@pytest.fixture
def notes(tmp_path):
    notes = Notes(tmp_path)
    notes.write(VAULT).ingest()
    return notes


def told(notes, name, *, settings=None, recognizer=None, folder=None, now=TUESDAY):
    with notes.store() as store:
        note = find_note(store, name, folder or notes.vault)
        vault = Vault(Path(note.root), settings, kind=note.kind)
        at = to_instant(datetime.fromisoformat(now))
        return explain(store, ONTOLOGY, vault, note, now=at, recognizer=recognizer)


def claims(account, *, links=False):
    every = [claim for passage in account.passages for claim in passage.claims]
    return [
        (each.line, each.claim.statement, each.status.value)
        for each in every
        if links or each.claim.predicate != LINKS_TO
    ]


def former(account):
    return [(each.line, each.claim.statement, each.status.value, each.until) for each in account.former]


def names(passage):
    return [(each.entity.name, each.mention.surface, each.mention.rung, each.held) for each in passage.mentions]


def at_line(account, line):
    (found,) = (each for each in account.passages if each.passage.first_line == line and each.passage.kind != "title")
    return found


def test_a_note_that_is_as_it_was(notes):
    before = notes.dump()
    account = told(notes, "Mira")
    assert (account.state, account.hint, account.path, account.title) == (State.UNCHANGED, "", "People/Mira.md", "Mira")
    assert (str(account.dating.occurred.moment), account.dating.occurred.basis) == ("2024-05-01", Basis.NOTE)
    assert (account.dating.dated_by, account.dating.daily) == ("date", False)
    assert (account.type.entity.type, account.type.entity.subtype) == (EntityType.PERSON, "Individual")
    assert account.type.rests_on == "its property type says so"
    assert account.aliases == (("Mimi", "alias"),)
    assert account.episode.hash == account.hash == account.source.hash
    assert account.recorded == (to_instant(datetime.fromisoformat(MONDAY)) + 1,)
    assert not account.differences
    assert account.problems == ()
    assert notes.dump() == before


def test_its_passages_with_mentions_links_and_claims(notes):
    account = told(notes, "Mira")
    kinds = [(each.passage.kind, each.passage.first_line, each.passage.last_line) for each in account.passages]
    assert kinds == [
        ("title", 1, 1),
        *(("property", line, line) for line in (2, 3, 4)),
        ("property", 5, 6),
        ("property", 7, 7),
        ("paragraph", 9, 9),
        ("heading", 11, 11),
        ("item", 12, 12),
    ]
    assert names(at_line(account, 9)) == [("Bo", "Bo", "structure", True)]
    (link,) = at_line(account, 9).links
    assert (link.link.target, link.link.path, link.line, link.means) == ("Bo", "Bo.md", 9, "Bo")
    (link,) = at_line(account, 5).links
    assert (link.link.target, link.link.path, link.line, link.means) == ("Nord", None, 6, "Nord")
    assert at_line(account, 12).passage.heading == "Friends"
    assert claims(account) == [
        (6, "Mira works at Nord.", "asserted"),
        (7, "Mira lives in Lyon.", "asserted"),
        (12, "Mira is a friend of Bo.", "asserted"),
    ]
    (works,) = at_line(account, 5).claims
    assert (works.subject, works.target, works.claim.rung) == ("Mira", "Nord", "structure")
    assert (works.claim.valid.start.shown, works.claim.valid.end.shown) == ("2015", "2023-03")
    assert {each.held for each in account.passages} == {True}


@pytest.mark.parametrize(
    ("path", "text", "kind", "rests_on"),
    [
        ("Notes/A.md", "---\ntype: company\n---\n", EntityType.ORGANIZATION, "its property type says so"),
        ("Notes/B.md", "---\ntags: [area/person]\n---\n", EntityType.PERSON, "its tag area/person says so"),
        ("People/C.md", "Hi.\n", EntityType.PERSON, "its folder People says so"),
        ("2024-03-07.md", "Hi.\n", EntityType.EVENT, "its name is a day"),
        ("Notes/D.md", "Hi.\n", EntityType.OBJECT, "it has a note, and nothing says more"),
        ("Notes/E.md", "---\nborn: 1984\n---\n", EntityType.PERSON, "it has the properties of one"),
    ],
)
def test_what_a_type_rests_on(notes, path, text, kind, rests_on):
    account = told(notes.write({path: text}), path)
    assert (account.type.entity.type, account.type.rests_on) == (kind, rests_on)


def test_a_type_that_another_note_says(notes):
    notes.write({"Sud.md": "Wine.\n", "Ann.md": "---\ntype: person\nworks_at: '[[Sud]]'\n---\n"}).ingest()
    account = told(notes, "Sud")
    assert account.type.entity.type is EntityType.ORGANIZATION
    assert account.type.rests_on == "a property takes nothing else, in Ann.md"


@pytest.mark.parametrize(
    ("path", "text", "rests_on"),
    [
        ("2024-03-07.md", "Hi.\n", ("2024-03-07", "name", True)),
        ("2024-03-07 Trip.md", "Hi.\n", ("2024-03-07", "name", False)),
        ("A.md", "---\ncreated: 2023-01\n---\n", ("2023-01", "created", False)),
        ("A.md", "Hi.\n", (None, "file", False)),
    ],
)
def test_what_a_date_rests_on(notes, path, text, rests_on):
    dating = told(notes.write({path: text}), path).dating
    assert (dating.occurred.shown, dating.dated_by, dating.daily) == rests_on


def test_a_note_that_was_never_read(notes):
    account = told(notes.write({"Cy.md": "---\ntype: person\nlives_in: Rome\n---\nHe met [[Mira]].\n"}), "Cy.md")
    assert (account.state, account.hint) == (State.NEW, f"kgmem ingest {notes.vault.as_posix()}")
    assert claims(account, links=True) == [(3, "Cy lives in Rome.", "new"), (5, "He met Mira.", "new")]
    assert names(at_line(account, 5)) == [("Mira", "Mira", "structure", False)]
    assert (account.episode, account.recorded, account.former) == (None, (), ())
    assert not account.differences


def test_a_file_in_no_known_folder_is_read_in_the_vault_around_it(notes, tmp_path):
    (tmp_path / "other" / ".obsidian").mkdir(parents=True)
    (tmp_path / "other" / "Deep").mkdir()
    (tmp_path / "other" / "Deep" / "Note.md").write_text("Mimi was here.\n", encoding="utf-8")
    account = told(notes, str(tmp_path / "other" / "Deep" / "Note.md"))
    assert (account.state, account.root, account.path) == (
        State.NEW,
        (tmp_path / "other").as_posix(),
        "Deep/Note.md",
    )
    assert names(account.passages[-1]) == [("Mira", "Mimi", "names", False)]


def test_a_note_that_was_changed(notes):
    notes.write({"People/Mira.md": MIRA.replace("Lyon", "Paris").replace(" and Jan", "")})
    account = told(notes, "Mira")
    assert (account.state, account.message) == (State.CHANGED, "the file was changed since it was read")
    assert account.hint == f"kgmem ingest {notes.vault.as_posix()}"
    assert account.hash != account.episode.hash
    assert claims(account)[1] == (7, "Mira lives in Paris.", "new")
    assert not at_line(account, 7).held
    assert at_line(account, 5).held
    assert former(account) == [
        (7, "Mira lives in Lyon.", "ending", None),
        (9, "She met Bo and Jan.", "ending", None),
    ]
    found = account.differences
    assert (found.passages_new, found.passages_gone, found.claims_new, found.claims_gone) == (2, 2, 2, 2)
    notes.ingest(TUESDAY)
    account = told(notes, "Mira")
    assert (account.state, bool(account.differences)) == (State.UNCHANGED, False)
    assert former(account) == [
        (7, "Mira lives in Lyon.", "replaced", "2024-05-01"),
        (9, "She met Bo and Jan.", "withdrawn", "2026-03-03T10:00:00Z"),
    ]
    assert len(account.recorded) == 2


def test_a_note_that_would_be_read_differently_now(notes):
    class Recognizer:
        def read(self, texts, _telling):
            for key, blocks in texts:
                spans = (
                    [NamedSpan(at, at + 3, "Jan", EntityType.PERSON, "PERSON")] if (at := each.find("Jan")) >= 0 else []
                    for each in blocks
                )
                yield key, LanguageRead(list(spans), [() for _ in blocks])

    account = told(notes, "Mira", recognizer=Recognizer())
    assert account.state is State.UNCHANGED
    assert account.hint == f"kgmem ingest --reread {notes.vault.as_posix()}"
    assert account.differences.mentions_new == 1
    assert names(at_line(account, 9)) == [("Bo", "Bo", "structure", True), ("Jan", "Jan", "spacy", False)]


@pytest.mark.parametrize("name", ["People/Mira.md", "Mira2.md"])
def test_a_note_that_was_moved(notes, name):
    notes.move("People/Mira.md", "Mira2.md")
    account = told(notes, name)
    assert (account.state, account.path) == (State.MOVED, "Mira2.md")
    assert account.message == "the file stood at People/Mira.md when it was read"
    assert account.source.path == "People/Mira.md"


def test_a_note_whose_file_is_gone_and_then_taken_out(notes):
    notes.remove("People/Mira.md")
    account = told(notes, "Mira")
    assert (account.state, account.hint) == (State.GONE, f"kgmem ingest {notes.vault.as_posix()}")
    assert claims(account)[0] == (6, "Mira works at Nord.", "asserted")
    assert names(at_line(account, 9)) == [("Bo", "Bo", "structure", True)]
    assert at_line(account, 9).links[0].link.path == "Bo.md"
    assert account.type.rests_on == "a property says so"
    assert account.aliases == (("Mimi", "alias"),)
    notes.ingest(WEDNESDAY)
    for name in ("Mira", "People/Mira.md", account.source.id):
        account = told(notes, name)
        assert (account.state, account.dating.occurred.shown) == (State.REMOVED, "2024-05-01")
        assert account.message.startswith("it was taken out of the memory on 2026-03-04T10:00:00Z")
        assert claims(account) == []
        assert former(account)[0] == (6, "Mira works at Nord.", "withdrawn", "2026-03-04T10:00:00Z")
        assert {each.status for each in account.former} == {Status.WITHDRAWN}


def test_a_folder_that_cannot_be_read_leaves_what_the_memory_holds(notes):
    notes.vault.rename(notes.vault.with_name("away"))
    account = told(notes, "Mira", folder=notes.vault.parent)
    assert (account.state, account.message) == (State.UNREADABLE, f"no such folder: {notes.vault.as_posix()}")
    assert len(claims(account)) == 3
    assert all(not passage.links for passage in account.passages)


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        ("Private/A.md", "x", "a rule leaves it out"),
        (".trash/A.md", "x", "it is hidden: .trash begins with a dot"),
        ("T/A.md", "x", "it is a template: Obsidian keeps them in T"),
        ("Templates/A.md", "{{title}}", "it is a template: it has gaps to be filled"),
        ("A.md", "---\ntitle: '<% tp.title %>'\n---\n", "it is a template: it has gaps to be filled"),
        ("B.md", "---\nkgmem_id: '1'\n---\n", "it is a page that kgmem wrote: what is in it came from notes"),
        ("Pages/A.md", "x", "it stands among the pages that kgmem wrote"),
        ("A (conflicted copy).md", "x", "a conflict copy that a sync tool left; it was not read"),
        ("A.py", "x", "it is no note: only Markdown, canvas files and exports are read"),
        ("A.txt", "x", "it holds no highlights, no conversation and no page that is read"),
    ],
)
def test_a_file_that_is_left_out_says_why(notes, path, text, why):
    (notes.vault / ".obsidian").mkdir()
    (notes.vault / ".obsidian" / "templates.json").write_text('{"folder": "T"}', encoding="utf-8")
    notes.write({path: text, ".kgmemignore": "Private/\n", "Pages/.kgmem-manifest.json": "{}"})
    account = told(notes, path)
    assert (account.state, account.message) == (State.LEFT_OUT, why)
    assert (account.source, account.passages) == (None, ())


def test_a_note_that_is_left_out_now_and_was_read_before(notes):
    account = told(notes, "Bo", settings=SourceSettings(ignore=("Bo.md",)))
    assert (account.state, account.hint) == (State.LEFT_OUT, f"kgmem ingest {notes.vault.as_posix()}")
    assert account.message == "a rule leaves it out; the memory holds what it said before"
    assert names(account.passages[-1]) == [("Mira", "Mimi", "names", True)]


def test_a_note_that_cannot_be_read(notes):
    (notes.vault / "Bo.md").write_bytes(b"Hi \xff")
    account = told(notes, "Bo.md")
    assert (account.state, account.message) == (State.UNREADABLE, "the file was not read: not UTF-8: byte 0xFF")
    assert account.hint == "save the note as UTF-8"
    assert len(account.passages) == 3


def test_problems_have_their_line_and_what_helps(notes):
    account = told(notes.write({"A.md": "---\nx: 1\ndate: 2024-02-30\n---\n"}), "A.md")
    (problem,) = account.problems
    assert (problem.line, problem.kind, problem.message) == (3, "date", "no such day: 2024-02-30")
    assert problem.hint == "correct the date of 'date'"


@pytest.mark.parametrize("name", ["Mira", "mira", "People/Mira", "./People/Mira.md", "People/../People/Mira.md"])
def test_a_note_has_many_names(notes, name):
    assert told(notes, name).path == "People/Mira.md"


def test_a_path_may_be_absolute_or_below_the_current_folder(notes):
    assert told(notes, str(notes.vault / "People" / "Mira.md")).path == "People/Mira.md"
    assert told(notes, "Mira.md", folder=notes.vault / "People").path == "People/Mira.md"
    assert told(notes, told(notes, "Mira").source.id).path == "People/Mira.md"


def test_a_name_that_several_notes_have_is_an_error_that_lists_them(notes):
    notes.write({"Pets/Mira.md": "A cat.\n"}).ingest()
    with pytest.raises(UserError, match="2 notes are called 'Mira'") as caught:
        told(notes, "Mira")
    assert caught.value.hint == f"name one of {notes.vault}/People/Mira.md, {notes.vault}/Pets/Mira.md"
    assert told(notes, "Pets/Mira.md").state is State.UNCHANGED


def test_a_name_that_no_note_has_is_an_error(notes):
    with pytest.raises(NotFoundError, match="no note is called 'Zoe'"):
        told(notes, "Zoe")


class Lost(Vault):
    """A vault whose folder cannot be read."""

    def scan(self, known):  # noqa: ARG002 - as a vault has it
        raise SourceError(f"cannot read the folder {self.root}")


def test_a_folder_that_cannot_be_read_and_was_never_is_an_error(notes):
    notes.write({"New.md": "x"})
    with notes.store() as store, pytest.raises(SourceError, match="cannot read the folder"):
        explain(store, ONTOLOGY, Lost(notes.vault), find_note(store, "New.md", notes.vault), now=Instant(0))


def test_the_form_that_scripts_rely_on(notes):
    data = told(notes, "Mira").as_json()
    assert list(data) == [
        "note", "source", "episode", "recorded", "dates", "type", "aliases", "total", "passages", "former",
        "dropped", "differences", "problems",
    ]  # fmt: skip
    assert data["note"]["state"] == "unchanged"
    assert data["dates"] == {
        "date": "2024-05-01",
        "occurred": "2024-05-01",
        "occurred_basis": "note",
        "dated_by": "date",
        "daily": False,
    }
    assert data["type"]["rank"] == "said"
    (claim,) = data["passages"][4]["claims"]
    assert {key: claim[key] for key in ("statement", "line", "valid_from", "valid_to_basis", "kind", "status")} == {
        "statement": "Mira works at Nord.",
        "line": 6,
        "valid_from": "2015",
        "valid_to_basis": "stated",
        "kind": "holds",
        "status": "asserted",
    }
    short = told(notes, "Mira").as_json(limit=2)
    assert (short["total"], len(short["passages"])) == (9, 2)
