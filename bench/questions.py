"""Whether `ask` says first what is right: 60 questions over the sample vault, and 30 over a garden of notes.

    python bench/questions.py [--garden FOLDER] [--chinese FOLDER] [--shown] [--table]

What a person reads first is the direct answer, and without one the first passage. Of the sample vault's questions 20
are plain, 15 have a time, 15 need two facts, and 10 cannot be answered: those have to be declined. FOLDER is a copy of
a published digital garden; its questions count as right if the first passage is of the note that has the answer.
Three lists of 30 more (see `_lists` and answers.md) are asked beside them, the third over a vault of notes in Chinese;
`--table` prints what came first as rows of a table.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from _lists import CHINESE_LISTED, GARDEN_LISTED, LISTED
from _measure import ROOT, Figure, Program, at_least, show
from _questions import GARDEN, OWNER, PLAIN, TIME, TODAY, TWO_HOPS, UNANSWERABLE, Question

if TYPE_CHECKING:
    from kgmem.recall.answer import Answer
    from kgmem.store.protocol import Store

_LEAST_RIGHT = 52
_SHOWN = 160
"""Characters of a first line in a table."""
_DECLINES = re.compile("Not in your notes|Nothing in your notes|No note says it")
_SETS = {"plain": PLAIN, "with a time": TIME, "two facts": TWO_HOPS, "cannot be answered": UNANSWERABLE}


def _now() -> int:
    """The second of the day of asking: not before the notes end, nor before the files of the vault were written."""
    return max(date.fromisoformat(TODAY), datetime.now(tz=UTC).date()).toordinal() * 86_400


def first_line(answer: Answer) -> str:
    """What a person reads first."""
    return answer.text or (answer.passages[0].text if answer.passages else "")


def is_right(question: Question, said: str) -> bool:
    """Whether a line holds all that it must and nothing that it must not."""
    text = unicodedata.normalize("NFC", said)
    return all(re.search(each, text) for each in question.right) and not any(
        re.search(each, text) for each in question.wrong
    )


@contextmanager
def _memory_of(vault: Path) -> Iterator[Store]:
    """A memory of a vault, read as the program reads it."""
    from kgmem.store import open_store

    with tempfile.TemporaryDirectory() as folder:
        program = Program(Path(folder), settings=f'owner = "{OWNER}"')
        program("ingest", vault, "--quiet")
        with closing(open_store(program.url, "default")) as store:
            yield store


def _vault(store: Store, *, shown: bool) -> list[Figure]:
    from kgmem.recall.answer import ask
    from kgmem.recall.kinds import read_kind

    now = _now()
    figures, right = [], 0
    by_kind: dict[str, list[bool]] = {}
    for name, questions in _SETS.items():
        wrong = []
        for question in questions:
            said = first_line(ask(store, question.asked, now=now, owner=OWNER))
            by_kind.setdefault(read_kind(question.asked).kind, []).append(is_right(question, said))
            if shown or not is_right(question, said):
                wrong += [] if is_right(question, said) else [question]
                print(f"  {'right' if is_right(question, said) else 'WRONG'}  {question.asked}\n         {said}")
        figures.append(Figure(f"right first, {name}", f"{len(questions) - len(wrong)} of {len(questions)}"))
        right += len(questions) - len(wrong)
        if questions is UNANSWERABLE:
            figures.append(at_least("declined", len(questions) - len(wrong), len(questions), "{:.0f}"))
    figures += [Figure(f"right first, {kind}", f"{sum(met)} of {len(met)}") for kind, met in sorted(by_kind.items())]
    return [*figures, at_least("right first of 60", right, _LEAST_RIGHT, "{:.0f}")]


def _garden(store: Store, *, shown: bool) -> list[Figure]:
    from kgmem.recall.answer import ask

    now = _now()
    right = 0
    for asked, note in GARDEN:
        passages = ask(store, asked, now=now).passages
        came = Path(passages[0].source or "").stem if passages else "nothing"
        right += came == note
        if shown or came != note:
            print(f"  {'right' if came == note else 'WRONG'}  {asked}\n         {came}, where {note} has it")
    return [Figure("the note first, garden", f"{right} of {len(GARDEN)}")]


def _first_note(answer: Answer) -> str:
    """The name of the note whose passage stands first."""
    return Path(answer.passages[0].source or "").stem if answer.passages else "nothing"


def _row(asked: str, expected: str, answer: Answer, *, right: bool) -> str:
    """What came first, as a row of a table."""
    said = " ".join(answer.text.split())[:_SHOWN].replace("|", "\\|")
    return f"| {asked} | {expected} | {said} | {_first_note(answer)} | {'right' if right else 'wrong'} |"


def _listed(store: Store, *, table: bool) -> Figure:
    from kgmem.recall.answer import ask

    right = 0
    for question in LISTED:
        answer = ask(store, question.asked, now=_now(), owner=OWNER)
        met = is_right(question, first_line(answer))
        right += met
        if table:
            print(_row(question.asked, question.where, answer, right=met))
    return Figure("listed, sample vault", f"{right} of {len(LISTED)}")


def _listed_notes(store: Store, name: str, listed: Sequence[tuple[str, str]], *, table: bool) -> Figure:
    """The note that should stand first does, and what no note has is declined."""
    from kgmem.recall.answer import ask

    right = 0
    for asked, note in listed:
        answer = ask(store, asked, now=_now())
        met = _first_note(answer) == note if note else _DECLINES.search(answer.text) is not None
        right += met
        if table:
            print(_row(asked, note or "not in the notes", answer, right=met))
    return Figure(f"listed, {name}", f"{right} of {len(listed)}")


def main() -> None:
    """Ask everything and print what came first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--garden", type=Path, help="a copy of the garden")
    parser.add_argument("--chinese", type=Path, help="a copy of the vault in Chinese")
    parser.add_argument("--shown", action="store_true", help="also what was right")
    parser.add_argument("--table", action="store_true", help="the lists, as rows of a table")
    options = parser.parse_args()
    with _memory_of(ROOT / "sample-vault") as store:
        figures = [*_vault(store, shown=options.shown), _listed(store, table=options.table)]
    if options.garden is None or not options.garden.is_dir():
        print("skipped: no garden of notes; --garden names one")
    else:
        with _memory_of(options.garden) as store:
            figures += _garden(store, shown=options.shown)
            figures.append(_listed_notes(store, "garden", GARDEN_LISTED, table=options.table))
    if options.chinese is None or not options.chinese.is_dir():
        print("skipped: no vault in Chinese; --chinese names one")
    else:
        with _memory_of(options.chinese) as store:
            figures.append(_listed_notes(store, "Chinese", CHINESE_LISTED, table=options.table))
    show("questions", figures)


if __name__ == "__main__":
    main()
