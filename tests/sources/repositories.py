"""Repositories that tests make by the git program, with no configuration but their own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="the program git is not installed")


class Repo:
    """A repository with a work tree, whose commits are made by nobody in particular."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "Ann")
        self.git("config", "user.email", "ann@example.org")

    def git(self, *words: str, data: bytes = b"", **environ: str) -> str:
        own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(
            ["git", *words],
            cwd=self.folder,
            input=data,
            capture_output=True,
            check=True,
            env={**own, **quiet, **environ},
        )
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, files: dict[str, str]) -> Repo:
        for path, text in files.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return self

    def commit(self, when: str, files: dict[str, str] | None = None, *options: str) -> str:
        """Write files and commit all that differs; gives the commit's name."""
        self.write(files or {})
        self.git("add", "--all")
        day = f"{when}T12:00:00Z" if len(when) == 10 else when
        self.git("commit", "-q", "-m", "x", *options, GIT_AUTHOR_DATE=day, GIT_COMMITTER_DATE=day)
        return self.git("rev-parse", "HEAD")

    def import_commits(self, stream: str) -> None:
        """Make many commits at once, from a stream of git fast-import."""
        self.git("fast-import", "--quiet", data=stream.encode())
        self.git("reset", "-q", "--hard", "main")

    def object_file(self, name: str) -> Path:
        return self.folder / ".git" / "objects" / name[:2] / name[2:]

    def lose(self, name: str) -> None:
        """Delete an object."""
        self.object_file(name).unlink()

    def damage(self, name: str, *, by: str) -> None:
        """Put another object in the place of one."""
        file = self.object_file(name)
        file.chmod(0o644)
        file.write_bytes(self.object_file(by).read_bytes())


def everything(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Content and time of every file, and the time of every folder."""
    return {
        str(each.relative_to(folder)): (each.read_bytes() if each.is_file() else b"", each.lstat().st_mtime_ns)
        for each in sorted(folder.rglob("*"))
    }
