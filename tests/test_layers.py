"""The rooms of the design: what may know what, read from the imports themselves."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import kgmem

PACKAGE = Path(kgmem.__file__).parent
FORBIDDEN = {
    "model": [
        "errors",
        "config",
        "sources",
        "extraction",
        "resolution",
        "beliefs",
        "store",
        "memory",
        "recall",
        "export",
    ],
    "sources": ["extraction", "resolution", "beliefs", "store", "memory", "ingestion", "recall", "export", "cli"],
    "extraction": ["store", "memory", "ingestion", "recall", "export", "cli"],
    "resolution": ["sources", "store", "memory", "ingestion", "recall", "export", "cli"],
    "embedding": [
        "model",
        "config",
        "sources",
        "extraction",
        "resolution",
        "beliefs",
        "store",
        "memory",
        "ingestion",
        "recall",
        "export",
        "cli",
    ],
    "llm": [
        "model",
        "config",
        "sources",
        "extraction",
        "resolution",
        "beliefs",
        "store",
        "memory",
        "ingestion",
        "recall",
    ],
    "beliefs": ["sources", "extraction", "resolution", "store", "memory", "ingestion", "recall", "export", "cli"],
    "store": ["sources", "extraction", "resolution", "beliefs", "memory", "ingestion", "recall", "export", "cli"],
    "archive": ["sources", "extraction", "resolution", "beliefs", "memory", "ingestion", "recall", "export", "cli"],
    "memory": ["recall", "export", "cli"],
    "ingestion": ["memory", "recall", "export", "cli"],
    "explain": ["memory", "recall", "export", "cli"],
    "reextraction": ["memory", "recall", "export", "cli"],
    "recall": ["memory", "ingestion", "export", "cli"],
    "export": ["memory", "ingestion", "cli"],
    "watching": ["extraction", "resolution", "beliefs", "store", "memory", "recall", "export", "cli"],
}
OUTSIDE = {
    "beliefs": ["apsw", "neo4j", "rich", "typer", "time", "pathlib", "os"],
    "archive": ["rich", "typer", "apsw", "neo4j"],
    "memory": ["rich", "typer", "apsw", "neo4j"],
    "ingestion": ["rich", "typer", "apsw", "neo4j"],
    "explain": ["rich", "typer", "apsw", "neo4j"],
    "reextraction": ["rich", "typer", "apsw", "neo4j"],
    "recall": ["rich", "typer", "apsw", "neo4j"],
    "export": ["rich", "typer", "apsw", "neo4j"],
    "extraction": ["rich", "typer", "apsw", "neo4j"],
    "resolution": ["rich", "typer", "apsw", "neo4j"],
    "llm": ["rich", "typer", "apsw", "neo4j"],
    "embedding": ["rich", "typer", "apsw", "neo4j"],
    "sources": ["rich", "typer", "apsw", "neo4j"],
    "store": ["rich", "typer"],
    "watching": ["rich", "typer", "apsw", "neo4j"],
    "cli": ["apsw", "neo4j"],
}


def imports(file):
    """The modules that a file imports, also within functions."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def files(room):
    single = PACKAGE / f"{room}.py"
    return [single] if single.exists() else sorted((PACKAGE / room).rglob("*.py"))


@pytest.mark.parametrize("room", FORBIDDEN)
def test_a_room_knows_only_what_it_may(room):
    broken = [
        f"{file.relative_to(PACKAGE)} imports {module}"
        for file in files(room)
        for module in imports(file)
        for other in FORBIDDEN[room]
        if module == f"kgmem.{other}" or module.startswith(f"kgmem.{other}.")
    ]
    assert not broken


@pytest.mark.parametrize("room", OUTSIDE)
def test_a_room_keeps_to_its_libraries(room):
    broken = [
        f"{file.relative_to(PACKAGE)} imports {module}"
        for file in files(room)
        for module in imports(file)
        if module.split(".")[0] in OUTSIDE[room]
    ]
    assert not broken


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (
            ["--help"],
            {"apsw", "neo4j", "yaml", "numpy", "spacy", "markdown_it", "ahocorasick", "pathspec", "platformdirs"}
            | {"watchdog"},
        ),
        (
            ["search", "x"],
            {"neo4j", "yaml", "numpy", "spacy", "markdown_it", "ahocorasick", "pathspec", "frontmatter"} | {"watchdog"},
        ),
    ],
)
def test_a_command_imports_only_what_its_path_needs(arguments, unwanted, tmp_path):
    program = (
        "import sys; from kgmem.cli.app import run; run(sys.argv[1:]); "
        "print(*sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    store = ["--store", f"sqlite:///{tmp_path / 'memory.db'}"]
    done = subprocess.run(
        [sys.executable, "-c", program, *store, *arguments], capture_output=True, text=True, check=True
    )
    assert not unwanted & set(done.stderr.splitlines()[-1].split())


def test_an_ingest_that_finds_nothing_new_imports_nothing_to_read_notes_with(tmp_path):
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Mira.md").write_text("---\ntags: person\n---\nShe likes [[Wine]].\n", encoding="utf-8")
    program = (
        "import sys; from kgmem.cli.app import run; run(sys.argv[1:]); "
        "print(*sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    store = ["--store", f"sqlite:///{tmp_path / 'memory.db'}"]
    ingest = [sys.executable, "-c", program, *store, "ingest", str(vault), "--no-nlp"]
    first, second = (
        subprocess.run(ingest, capture_output=True, text=True, check=True).stderr.splitlines()[-1].split()
        for _ in range(2)
    )
    heavy = {"yaml", "frontmatter", "markdown_it", "ahocorasick"}
    assert heavy <= set(first)
    assert not {*heavy, "pathspec", "rich"} & set(second)


def test_nothing_catches_everything():
    broad = [
        f"{file.relative_to(PACKAGE)}:{node.lineno}"
        for file in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id in {"Exception", "BaseException"}))
    ]
    assert not broad


def test_modules_stay_small():
    long = {
        str(file.relative_to(PACKAGE)): lines
        for file in PACKAGE.rglob("*.py")
        if (lines := len(file.read_text("utf-8").splitlines())) > 600
    }
    assert not long
