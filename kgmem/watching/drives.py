"""Which drives tell nothing of what happens on them: those whose changes other machines make."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

_REMOTE: Final = frozenset(
    (
        "9p", "afpfs", "afs", "ceph", "cifs", "coda", "davfs", "drvfs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4",
        "prl_fs", "smb2", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs", "webdav",
    )
)  # fmt: skip
_REMOTE_PREFIXES: Final = (
    "fuse.sshfs",
    "fuse.rclone",
    "fuse.davfs",
    "fuse.gvfs",
    "fuse.vmhgfs",
    "fuse.s3",
    "fuse.gluster",
)
_DRIVE_REMOTE: Final = 4
"""As Windows numbers the kinds of drives."""


def is_remote(folder: str) -> bool:
    """Whether a folder is on a drive whose changes come from other machines, of which no event tells."""
    if os.name == "nt":
        return _is_remote_on_windows(folder)
    kind = file_system(os.path.realpath(folder))
    return kind in _REMOTE or kind.startswith(_REMOTE_PREFIXES)


def file_system(folder: str, table: Path = Path("/proc/self/mountinfo")) -> str:
    """The kind of the file system that a real folder is on; empty where the system has no such table.

    Args:
        folder: without symbolic links.
        table: in the form of Linux: see proc_pid_mountinfo(5).
    """
    try:
        lines = table.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return ""
    best, kind = "", ""
    for line in lines:
        before, _, after = line.partition(" - ")
        place = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), before.split()[4])
        inside = folder == place or folder.startswith(f"{place.rstrip('/')}/")
        if inside and len(place) >= len(best):
            best, kind = place, after.split()[0]
    return kind


def _is_remote_on_windows(folder: str) -> bool:
    import ctypes

    drive = Path(folder).resolve().drive
    if drive.startswith("\\\\"):
        return True
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 - there on Windows alone
    return bool(kernel.GetDriveTypeW(f"{drive}\\") == _DRIVE_REMOTE)
