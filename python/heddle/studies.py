"""Studies: one command at many points, kept in a file of results."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from .documents import Drawing, Rows, Table
from .errors import HeddleError, Interrupted
from .machines import Machine
from .program import Call, Progress
from .words import option_words, word

_WRITTEN = "# Written by heddle's Python package; `heddle sweep` reads it as well.\n"
_WAYS = ("grid", "zip", "list", "random", "latin_hypercube")


class Study(Rows):
    """The results of a study; rows are points. Made by `sweep`, or of the path of a study that was
    computed before."""

    def __init__(self, path: Union[str, "os.PathLike[str]"], results: Optional[str] = None) -> None:
        self.path = Path(path)
        self.results = Path(results) if results else self.path.parent / "results.sqlite"
        self._interrupted = False

    def _call(self, *words: str, progress: Progress = False, keep: str = "", **options: Any) -> Call:
        with Call([]) as call:
            if keep:
                options[keep] = call.path("kept")
            line = ["sweep", *words, str(self.path), f"--results={self.results}"]
            for name, value in options.items():
                line += option_words(name, value)
            call.words = line
            try:
                call.run(progress)
            except Interrupted as interrupted:
                interrupted.result, self._interrupted = self, True
                raise
            problem = call.problem()
            if problem is not None:
                raise problem
            call.kept = call.text("kept")  # type: ignore[attr-defined]
            return call

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def table(self) -> Table:
        """A row for each point that is known, with every parameter and measure."""
        try:
            with closing(sqlite3.connect(f"file:{self.results}?mode=ro", uri=True)) as store:
                view = self.name.replace('"', '""')
                cursor = store.execute(f'select * from "{view}" where status is not null')
                names = [column[0] for column in cursor.description]
                return Table([dict(zip(names, values)) for values in cursor])
        except sqlite3.OperationalError as error:
            if self._interrupted:
                return Table([])  # Before the first point was known.
            raise HeddleError(f"{self.results}: no results of '{self.name}': {error}") from None

    def plot(self, x: str, y: str, by: Union[None, str, Sequence[str]] = None, **options: Any) -> Drawing:
        """Curves, means over seeds with their intervals; options are those of `heddle sweep show`."""
        curves = [by] if isinstance(by, str) else list(by or [])
        what = ",".join([f"x={x}", f"y={y}", *(f"by={name}" for name in curves)])
        return Drawing(self._call("show", keep="svg", plot=what, **options).kept)  # type: ignore[attr-defined]

    def heat_map(self, x: str, y: str, z: str, **options: Any) -> Drawing:
        """A measure over two parameters."""
        return Drawing(self._call("show", keep="svg", heat_map=f"x={x},y={y},z={z}", **options).kept)  # type: ignore[attr-defined]

    def tornado(self, y: str, **options: Any) -> Drawing:
        """Which parameter moves a measure how far."""
        return Drawing(self._call("show", keep="svg", tornado=f"y={y}", **options).kept)  # type: ignore[attr-defined]

    def best(self, by: str, **options: Any) -> str:
        """Where a measure is best, in words; options are those of `heddle sweep best`."""
        return self._call("best", by=by, **options).stdout

    def __repr__(self) -> str:
        return f"Study('{self.path}')"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def sweep(
    command: Union[str, Callable[..., Any], "os.PathLike[str]"],
    *,
    name: str = "study",
    folder: Union[str, "os.PathLike[str]"] = ".",
    about: Optional[str] = None,
    machine: Any = None,
    settings: Optional[Mapping[str, Any]] = None,
    measures: Optional[Mapping[str, str]] = None,
    jobs: Optional[int] = None,
    memory: Any = None,
    retry_failed: bool = False,
    progress: Progress = None,
    **options: Any,
) -> Study:
    """Computes what is not known of a study, on all cores, and answers its results.

    `command` is "run", "replay", "traffic", the function of that name, or the path of a study's
    file. Options and settings that are lists are combined each with each, others are the same at
    every point; `zip`, `list`, `random` and `latin_hypercube` are as in the file. The study is
    written as NAME.yaml into the folder, from where paths start, and its points into results.sqlite
    beside it: the same call again computes nothing twice.
    """
    path = Path(folder) / f"{name}.yaml"
    if not callable(command) and str(command).endswith((".yaml", ".yml")):
        path = Path(command)
    else:
        kind = command.__name__ if callable(command) else str(command)
        _write(path, _study_of(kind, path.parent, about, machine, settings or {}, measures, options))
    study = Study(path)
    study._call(progress=progress, jobs=jobs, memory=memory, retry_failed=retry_failed)
    return study


def _study_of(
    command: str,
    folder: Path,
    about: Optional[str],
    machine: Any,
    settings: Mapping[str, Any],
    measures: Optional[Mapping[str, str]],
    options: Dict[str, Any],
) -> Dict[str, Any]:
    study: Dict[str, Any] = {"about": about} if about else {}
    study["command"] = command
    ways = {way.replace("_", "-"): options.pop(way) for way in _WAYS if way in options}
    same: Dict[str, Any] = {}
    grid: Dict[str, Any] = dict(ways.pop("grid", {}))
    parameters = {name.rstrip("_").replace("_", "-"): value for name, value in options.items()}
    parameters.update(settings)
    if machine is not None:
        several = isinstance(machine, (list, tuple))
        parameters["platform"] = [_platform(item, folder) for item in machine] if several else _platform(machine, folder)
    for key, value in parameters.items():
        if value is None:
            continue
        if isinstance(value, (list, tuple, range)) or type(value).__name__ == "ndarray":
            grid[key] = [word(item) for item in value]
        elif isinstance(value, Mapping):  # A range, as in the file.
            grid[key] = dict(value)
        elif isinstance(value, str) and value.count(":") == 2 and _is_span(value):
            grid[key] = value
        else:
            same[key] = word(value)
    if same:
        study["set"] = same
    if grid:
        study["grid"] = grid
    study.update(ways)
    if measures:
        study["measures"] = dict(measures)
    return study


def _is_span(text: str) -> bool:
    try:
        return len([float(part) for part in text.split(":")]) == 3
    except ValueError:
        return False


def _platform(machine: Any, folder: Path) -> str:
    """The name of a machine in a study; what has no file of its own gets one beside it."""
    if not isinstance(machine, (Machine, Mapping)):
        return str(os.fspath(machine))
    machine = Machine(machine)
    if machine._text is None and not machine.settings:
        return str(machine.platform)
    name = "-".join([machine.name, *(f"{key}={word(value)}" for key, value in machine.settings.items())])
    path = folder / f"{name.replace(os.sep, '_')}.yaml"
    _write_text(path, machine.configuration)
    return path.name


def _write(path: Path, study: Mapping[str, Any]) -> None:
    _write_text(path, json.dumps(study, indent=2) + "\n")


def _write_text(path: Path, text: str) -> None:
    """JSON is YAML as well. Nothing is replaced that somebody else has written."""
    if path.exists() and not path.read_text(encoding="utf-8").startswith(_WRITTEN):
        raise HeddleError(f"{path} exists and was not written by this package: give the study another name")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_WRITTEN + text, encoding="utf-8")
