"""The program `heddle`: where it is, and calls of it."""

from __future__ import annotations

import atexit
import codecs
import itertools
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Set, Union

from .errors import HeddleWarning, Interrupted, Missing, RunFailed, error_of

Progress = Union[None, bool, Callable[[str, Optional[float]], None]]

#: What `progress=None` means: a function, True (a line on the standard error), False, or None: a
#: line where somebody can see it, on terminals and in notebooks.
default_progress: Progress = None

_LOOKS_PER_SECOND = 5
_PATIENCE = 6.0


def find() -> str:
    """The path of the program: `HEDDLE` in the environment, the one inside this package, or the one
    in PATH."""
    asked = os.environ.get("HEDDLE")
    if asked:
        found = shutil.which(asked)
        if found is None:
            raise Missing(f"HEDDLE={asked}: there is no such program")
        return found
    inside = Path(__file__).parent / "prefix" / "bin" / "heddle"
    if inside.exists():
        return str(inside)
    found = shutil.which("heddle")
    if found is None:
        raise Missing("the program `heddle` is not in PATH: install it, or set HEDDLE to its path")
    return found


_commands: Dict[str, Set[str]] = {}


def commands() -> Set[str]:
    """The commands that the program has."""
    path = find()
    if path not in _commands:
        done = subprocess.run([path, "help", "--complete", "heddle", ""], capture_output=True, text=True)
        _commands[path] = {line.split("\t")[0].strip() for line in done.stdout.splitlines() if line.strip()}
    return _commands[path]


def version() -> str:
    """What `heddle --version` says."""
    return subprocess.run([find(), "--version"], capture_output=True, text=True, check=True).stdout.strip()


_folders: Dict[int, str] = {}
_numbers = itertools.count(1)


def require(command: str) -> None:
    """Raises Missing if the program does not have the command."""
    if command not in commands():
        raise Missing(f"{find()} ({version().splitlines()[0]}) has no command `{command}`: a newer heddle is needed")


def _folder() -> str:
    """For what is temporary, one for the whole process: to remove one takes longer than all else."""
    pid = os.getpid()
    if pid not in _folders:
        _folders[pid] = tempfile.mkdtemp(prefix="heddle-")
        atexit.register(shutil.rmtree, _folders[pid], ignore_errors=True)
    return _folders[pid]


class Call:
    """One call of the program, with files of its own for what it writes; a context."""

    def __init__(self, words: List[str], *, cwd: Optional[str] = None, stdin: Optional[str] = None) -> None:
        self.words = words
        self.document: Optional[Dict[str, Any]] = None
        self.status = 0
        self.stdout = ""
        self.stderr = ""
        self.warnings: List[str] = []
        self._cwd = cwd
        self.stdin = stdin
        self._error: Optional[Dict[str, Any]] = None
        self._prefix = ""
        self._paths: Set[str] = set()
        self._notes_read = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def __enter__(self) -> "Call":
        self._prefix = f"{_folder()}/{next(_numbers)}-"
        return self

    def __exit__(self, *_: Any) -> None:
        for path in self._paths:
            try:
                os.unlink(path)
            except FileNotFoundError:
                pass

    def path(self, name: str) -> str:
        """Where a file of that name is written or read, as long as the context lasts."""
        path = self._prefix + name
        self._paths.add(path)
        return path

    def path_here(self, name: str) -> str:
        """The same in the working folder, where nobody sees it."""
        path = "./." + "-".join(self._prefix.split("/")[-2:]) + name
        self._paths.add(path)
        return path

    def text(self, name: str) -> Optional[str]:
        """What a file of that name has, or None."""
        path = self._prefix + name
        if path not in self._paths:
            return None  # Nobody was told to write it.
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def run(self, progress: Progress = None, echo: bool = False) -> "Call":
        """Until the program ends. Raises what it says; whether a result was written is in
        `document`."""
        show = _shower(progress)
        with open(self.path("stdout"), "wb") as out, open(self.path("stderr"), "wb") as err:
            process = subprocess.Popen(
                [find(), *self.words],
                stdin=subprocess.PIPE if self.stdin is not None else subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd=self._cwd,
                env={**os.environ, "HEDDLE_NOTES": self.path("notes")},
                # Ctrl-C is passed on once, by us.
                start_new_session=True,
            )
            try:
                if self.stdin is not None:
                    self._give_input(process)
                self._wait(process, show, echo)
            except KeyboardInterrupt:
                _end(process)
                raise Interrupted("interrupted: heddle " + " ".join(self.words)) from None
            except BaseException:
                _end(process)
                raise
            finally:
                show(None, None)
        self._collect(process.returncode)
        return self

    def _give_input(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None and self.stdin is not None
        try:
            process.stdin.write(self.stdin.encode())
            process.stdin.close()
        except BrokenPipeError:
            pass  # It says itself what it did not like.

    def _wait(self, process: "subprocess.Popen[bytes]", show: "_Show", echo: bool) -> None:
        if not echo and not show.wanted:
            process.wait()
            return
        shown = 0
        for _ in _until_over(process):
            shown = self._echo(shown) if echo else 0
            self._progress(show)
        if echo:
            self._echo(shown)

    def _echo(self, shown: int) -> int:
        with open(self.path("stdout"), "rb") as file:
            file.seek(shown)
            new = file.read()
        if new:
            # Its end may be the beginning of a character.
            sys.stdout.write(self._decoder.decode(new))
            sys.stdout.flush()
        return shown + len(new)

    def _progress(self, show: "_Show") -> None:
        for note in self._notes():
            if note["kind"] == "progress":
                show(note["text"], note.get("done"))
            else:
                self._keep(note)

    def _notes(self) -> List[Dict[str, Any]]:
        """Those that are new."""
        try:
            with open(self.path("notes"), "rb") as file:
                file.seek(self._notes_read)
                new = file.read()
        except FileNotFoundError:
            return []
        whole = new[: new.rfind(b"\n") + 1]
        self._notes_read += len(whole)
        return [json.loads(line) for line in whole.splitlines()]

    def _keep(self, note: Dict[str, Any]) -> None:
        if note["kind"] == "warning":
            self.warnings.append(note["text"])
        elif note["kind"] == "error":
            self._error = note

    def _collect(self, status: int) -> None:
        self.status = status if status >= 0 else 128 - status
        self.stdout = self.text("stdout") or ""
        self.stderr = self.text("stderr") or ""
        for note in self._notes():
            self._keep(note)
        text = self.text("result.json")
        if text is not None:
            try:
                self.document = json.loads(text)
            except ValueError:
                if status == 0:
                    raise
                # Killed while it wrote: its status says so.
        for warning in self.warnings:
            warnings.warn(warning, HeddleWarning, stacklevel=5)

    def problem(self) -> Optional[Exception]:
        """What the program says has gone wrong, as an exception to raise."""
        if self._error is not None:
            return error_of(self._error, self.words)
        if self.status == 0 or self.document is not None:
            return None
        # A program from before it had notes, or one that was killed.
        last = self.stderr.strip().splitlines()
        said = last[-1] if last else f"heddle ended with status {self.status}"
        return RunFailed(said, {"status": self.status}, self.words)

    def check(self) -> "Call":
        """Raises what has gone wrong; Missing where the program does not have the command."""
        problem = self.problem()
        if problem is not None:
            if getattr(problem, "status", None) == 2:
                require(self.words[0])
            raise problem
        return self


def _until_over(process: "subprocess.Popen[bytes]") -> Any:
    """Once every few moments, and at once when the process ends."""
    pidfd = os.pidfd_open(process.pid) if hasattr(os, "pidfd_open") else None
    try:
        while process.poll() is None:
            if pidfd is not None:
                select.select([pidfd], [], [], 1 / _LOOKS_PER_SECOND)
            else:
                time.sleep(1 / _LOOKS_PER_SECOND)
            yield None
    finally:
        if pidfd is not None:
            os.close(pidfd)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """As Ctrl-C would; with force if that does not help."""
    for how, patience in ((signal.SIGINT, _PATIENCE), (signal.SIGKILL, None)):
        try:
            os.killpg(process.pid, how)
        except ProcessLookupError:
            break
        try:
            process.wait(patience)
            break
        except subprocess.TimeoutExpired:
            continue
    process.wait()


def main() -> None:
    """The program itself, for those who have it with the package."""
    path = find()
    os.execv(path, [path, *sys.argv[1:]])


class _Show:
    """Hands progress on; called with None at the end."""

    def __init__(self, function: Optional[Callable[[Optional[str], Optional[float]], None]]) -> None:
        self.wanted = function is not None
        self._function = function

    def __call__(self, text: Optional[str], done: Optional[float]) -> None:
        if self._function is not None:
            self._function(text, done)


def _shower(progress: Progress) -> _Show:
    if progress is None:
        progress = default_progress
    if progress is None:
        progress = _somebody_looks()
    if progress is False:
        return _Show(None)
    if progress is True:
        return _Show(_line())
    function = progress
    return _Show(lambda text, done: None if text is None else function(text, done))


def _somebody_looks() -> bool:
    return "ipykernel" in sys.modules or bool(sys.stderr is not None and sys.stderr.isatty())


def _line() -> Callable[[Optional[str], Optional[float]], None]:
    """A line on the standard error, rewritten in place and emptied at the end."""
    width = 0

    def show(text: Optional[str], _done: Optional[float]) -> None:
        nonlocal width
        if text is None and width == 0:
            return
        line = text or ""
        sys.stderr.write("\r" + line.ljust(width) + ("" if line else "\r"))
        sys.stderr.flush()
        width = max(width, len(line)) if line else 0

    return show
