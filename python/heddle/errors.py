"""What can go wrong, as exceptions with the sentence that the command line prints."""

from __future__ import annotations

from typing import Any, Dict, List, Optional


class HeddleError(Exception):
    """The sentence of the program, and where the mistake is.

    `problem` is the sentence without its place; `file`, `line` and `column` are None where that is
    unknown; `status` is what the program answered; `result` is what there was up to then, of a run
    that failed; `command` is the command line.
    """

    def __init__(
        self, text: str, note: Optional[Dict[str, Any]] = None, command: Optional[List[str]] = None
    ) -> None:
        super().__init__(text)
        note = note or {}
        self.problem: str = note.get("problem", text)
        self.file: Optional[str] = note.get("file")
        self.line: Optional[int] = note.get("line")
        self.column: Optional[int] = note.get("column")
        self.status: Optional[int] = note.get("status")
        self.command: List[str] = command or []
        self.result: Any = None


class InputError(HeddleError, ValueError):
    """What was asked for is wrong: a parameter, an option, a file."""


class RunFailed(HeddleError, RuntimeError):
    """What was simulated came to a bad end."""


class Deadlock(RunFailed):
    """Nothing is left to happen, and ranks still wait; the sentence says who for whom."""


class Crash(RunFailed):
    """A rank has crashed."""


class Aborted(RunFailed):
    """A rank has ended the job, as with MPI_Abort."""


class Missing(HeddleError):
    """There is no program `heddle`, or it is one that cannot do what was asked for."""


class Interrupted(KeyboardInterrupt):
    """Somebody has pressed Ctrl-C, or the button in a notebook. `result` is what is done: of a
    sweep the study with the points so far, which the same call goes on with; else None."""

    def __init__(self, text: str, result: Any = None) -> None:
        super().__init__(text)
        self.result = result


class HeddleWarning(UserWarning):
    """Something to look at before a result is trusted."""


_BY_CAUSE = {
    "input": InputError,
    "deadlock": Deadlock,
    "crash": Crash,
    "aborted": Aborted,
    "stopped": RunFailed,
    "failed": RunFailed,
}


def error_of(note: Dict[str, Any], command: List[str]) -> HeddleError:
    """The exception for a note of the kind "error"."""
    kind = _BY_CAUSE.get(note.get("cause", ""), RunFailed)
    return kind(note["text"], note, command)
