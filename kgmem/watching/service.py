"""What makes a system run a watch by itself: a systemd user unit, a launchd agent, a task of Windows. Pure texts.

Each text holds a line with `MARK` and a digest of all else, so that one that somebody else wrote, or changed, is told
from ours.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import Final
from xml.sax.saxutils import escape

MARK: Final = "written by kgmem watch, with its digest"
_DIGITS: Final = 16
_WORDS: Final = 40
"""Letters of a name."""


class System(Enum):
    """What runs things by itself."""

    SYSTEMD = "systemd"
    LAUNCHD = "launchd"
    WINDOWS = "windows"


class Owner(Enum):
    """Whose a file is."""

    NOBODY = "nobody"
    """There is none."""
    OURS = "ours"
    CHANGED = "changed"
    """Ours, and somebody changed it since."""
    OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Service:
    """One watch that is to run by itself."""

    name: str
    """Letters, digits and dashes."""
    command: tuple[str, ...]
    """The program and its words, as they are: quoting is ours."""
    about: str
    """For people: what it is."""
    environment: Mapping[str, str]


def name_of(group: str, paths: Sequence[str]) -> str:
    """A name for the watch of some folders: readable, and another one for other folders."""
    words = [*([] if group == "default" else [group]), *(PurePosixPath(path).name for path in paths)]
    readable = re.sub(r"[^a-z0-9]+", "-", "-".join(words).lower())[:_WORDS].strip("-")
    digest = hashlib.blake2b("\0".join((group, *paths)).encode(), digest_size=3).hexdigest()
    return "-".join(part for part in (readable, digest) if part)


def file_of(system: System, name: str, home: Path, environ: Mapping[str, str]) -> Path:
    """Where the system looks for it, or, for Windows, where it is put to be given to the scheduler."""
    if system is System.SYSTEMD:
        base = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
        return base / "systemd" / "user" / f"kgmem-watch-{name}.service"
    if system is System.LAUNCHD:
        return home / "Library" / "LaunchAgents" / f"{_label(name)}.plist"
    base = Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    return base / "kgmem" / f"watch-{name}.xml"


def text_of(system: System, service: Service, log: Path) -> str:
    """What to write there. `log` takes what is told where the system keeps no log itself."""
    if system is System.SYSTEMD:
        return _marked(_unit(service), "# {}\n", "")
    if system is System.LAUNCHD:
        return _marked(_plist(service, log), "<!-- {} -->\n", _XML)
    return _marked(_task(service, log), "<!-- {} -->\n", _XML_16)


def bytes_of(system: System, text: str) -> bytes:
    """The text as the system reads it: the scheduler of Windows wants UTF-16."""
    return text.replace("\n", "\r\n").encode("utf-16") if system is System.WINDOWS else text.encode()


def owner_of(system: System, data: bytes | None) -> Owner:
    """Whose a file with that content is."""
    if data is None:
        return Owner.NOBODY
    try:
        text = data.decode("utf-16" if system is System.WINDOWS else "utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return Owner.OTHERS
    found = re.search(rf"^.*{MARK} ([0-9a-f]{{{_DIGITS}}}).*\n", text, re.MULTILINE)
    if found is None:
        return Owner.OTHERS
    rest = text[: found.start()] + text[found.end() :]
    return Owner.OURS if _digest(rest) == found[1] else Owner.CHANGED


def advice(system: System, name: str, file: Path, log: Path) -> tuple[tuple[str, str], ...]:
    """(what for, the command) of what a person does with it."""
    if system is System.SYSTEMD:
        unit = f"kgmem-watch-{name}"
        return (
            ("start", f"systemctl --user daemon-reload && systemctl --user enable --now {unit}"),
            ("see its log", f"journalctl --user -u {unit} -f"),
            ("stop", f"systemctl --user disable --now {unit}"),
            ("let it run while you are not logged in", "loginctl enable-linger"),
        )
    if system is System.LAUNCHD:
        return (
            ("start", f"launchctl bootstrap gui/$(id -u) {_shell(str(file))}"),
            ("see its log", f"tail -f {_shell(str(log))}"),
            ("stop", f"launchctl bootout gui/$(id -u)/{_label(name)}"),
        )
    task = f'"kgmem watch {name}"'
    return (
        ("start", f'schtasks /Create /TN {task} /XML "{file}" && schtasks /Run /TN {task}'),
        ("see its log", f'more "{log}"'),
        ("stop", f"schtasks /End /TN {task} && schtasks /Delete /TN {task}"),
    )


_XML: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_XML_16: Final = '<?xml version="1.0" encoding="UTF-16"?>\n'


def _marked(body: str, comment: str, declaration: str) -> str:
    """The text with its mark: first, but for the declaration of XML."""
    mark = comment.format(f"{MARK} {_digest(declaration + body)}")
    return declaration + mark + body


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=_DIGITS // 2).hexdigest()


def _label(name: str) -> str:
    return f"kgmem.watch.{name}"


def _shell(word: str) -> str:
    import shlex

    return shlex.quote(word)


def _unit(service: Service) -> str:
    command = " ".join(_systemd_word(word, variables=True) for word in service.command)
    environment = "".join(
        f"Environment={_systemd_word(f'{key}={value}')}\n" for key, value in sorted(service.environment.items())
    )
    return f"""[Unit]
Description={_one_line(service.about).replace("%", "%%")}

[Service]
ExecStart={command}
{environment}Restart=on-failure
RestartSec=30
RestartPreventExitStatus=2
KillMode=mixed
Nice=10

[Install]
WantedBy=default.target
"""


def _systemd_word(word: str, *, variables: bool = False) -> str:
    """A word of a unit: in quotes, with what systemd would replace written twice."""
    text = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("\n", "\\n")
    return f'"{text.replace("$", "$$") if variables else text}"'


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _plist(service: Service, log: Path) -> str:
    words = "".join(f"    <string>{escape(word)}</string>\n" for word in service.command)
    environment = "".join(
        f"    <key>{escape(key)}</key>\n    <string>{escape(value)}</string>\n"
        for key, value in sorted(service.environment.items())
    )
    variables = f"  <key>EnvironmentVariables</key>\n  <dict>\n{environment}  </dict>\n" if environment else ""
    return f"""<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>{_label(service.name)}</string>
  <key>ProgramArguments</key>
  <array>
{words}  </array>
{variables}  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ProcessType</key>
  <string>Background</string>
  <key>StandardOutPath</key>
  <string>{escape(str(log))}</string>
  <key>StandardErrorPath</key>
  <string>{escape(str(log))}</string>
</dict>
</plist>
"""


def _task(service: Service, log: Path) -> str:
    """Through a shell, which alone can write a log; within it a percent sign would stand for a variable."""
    settings = "".join(
        f"$env:{key} = {_powershell_word(value)}; " for key, value in sorted(service.environment.items())
    )
    words = " ".join(_powershell_word(word) for word in service.command)
    script = f"{settings}& {words} *>> {_powershell_word(str(log))}; exit $LASTEXITCODE"
    arguments = subprocess.list2cmdline(["-NoProfile", "-NonInteractive", "-WindowStyle", "Hidden", "-Command", script])
    return f"""<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>{escape(_one_line(service.about))}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>999</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>powershell.exe</Command>
      <Arguments>{escape(arguments)}</Arguments>
    </Exec>
  </Actions>
</Task>
"""


def _powershell_word(word: str) -> str:
    return "'" + word.replace("'", "''") + "'"
