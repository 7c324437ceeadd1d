"""The commands of the program as functions.

Each takes what its command takes: options are keywords with underscores for dashes, `machine` is a
Machine or what makes one, `settings` are parameters, and `progress` and `echo` say what is shown
while it runs. A new command of the program with `--json` is one line at the end of this file.
"""

from __future__ import annotations

import os
import shlex
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Type, TypeVar, Union

from .documents import Drawing, Page, Table, drawn
from .machines import Machine
from .program import Call, Progress, require
from .results import BY_SCHEMA, Calibration, Computation, Conversion, Design, Jobs, Replay, Result, Run, Schedule, Traffic, Tuning
from .words import option_words, word

R = TypeVar("R", bound=Result)
MachineLike = Union[Machine, str, "os.PathLike[str]", Mapping[str, Any], None]

#: Files that a result keeps, by the option that writes them; True asks for one.
_KEPT = {"report": "page.html", "svg": "drawing.svg", "summary": "summary.json", "heat_map": "heat_map.svg"}


def machine_of(machine: MachineLike, settings: Optional[Mapping[str, Any]] = None) -> Optional[Machine]:
    """A machine of what makes one; None if there is nothing."""
    if machine is None:
        return None
    if isinstance(machine, Machine):
        return machine.but(settings) if settings else machine
    return Machine(machine, settings)


def call(
    words: Sequence[Any],
    kind: Type[R],
    behind: Sequence[Any] = (),
    *,
    machine: MachineLike = None,
    settings: Optional[Mapping[str, Any]] = None,
    progress: Progress = None,
    echo: bool = False,
    cwd: Optional[str] = None,
    stdin: Optional[str] = None,
    json: bool = True,
    **options: Any,
) -> R:
    """Runs a command with options, and `behind` them other words; answers its result."""
    with Call([], cwd=cwd, stdin=stdin) as under_way:
        line = [word(item) for item in words]
        chosen = machine_of(machine, settings)
        if chosen is not None:
            line += chosen.words(under_way)
        elif settings:
            line += [f"--set={name}={word(value)}" for name, value in settings.items()]
        for name, file in _KEPT.items():
            if options.get(name) is True:
                options[name] = under_way.path(file)
        for name, value in options.items():
            line += option_words(name, value)
        if json:
            line.append(f"--json={under_way.path('result.json')}")
        under_way.words = [*line, *(word(item) for item in behind)]
        under_way.run(progress, echo)
        problem = under_way.problem()
        if getattr(problem, "status", None) == 2:
            require(words[0])
        document = under_way.document or {}
        # A replay of a trace is told as a run.
        made: Type[Any] = BY_SCHEMA.get(document.get("schema", ""), kind)
        result: R = made(document, under_way)
        result.kept = {name: under_way.text(file) for name, file in _KEPT.items()}
        if problem is not None:
            problem.result = result if under_way.document else None  # type: ignore[attr-defined]
            raise problem
        return result


def run(
    program: Union[str, "os.PathLike[str]", Sequence[Any]],
    ranks: Optional[int] = None,
    machine: MachineLike = None,
    **options: Any,
) -> Run:
    """Runs a program (a path, or a list with its arguments) on a simulated machine.

    Raises Deadlock, Crash or Aborted with what there was up to then as `result`. `report=True` keeps
    the page of the run, `echo=True` prints what the program prints as it comes.
    """
    words: List[Any] = [program] if isinstance(program, (str, os.PathLike)) else list(program)
    words[0] = _as_path(words[0])
    return call(["run"], Run, words, machine=machine, ranks=ranks, quiet=True, **options)


def _as_path(program: Any) -> str:
    """A program in the working folder is found without `./` as well, as other files are."""
    text = str(os.fspath(program))
    return os.path.join(".", text) if os.sep not in text and os.path.exists(text) else text


def traffic(machine: MachineLike = None, **options: Any) -> Traffic:
    """Synthetic traffic over a machine: a row per load, or a makespan.

    >>> t = traffic("fat-tree-64", pattern="tornado", load=[0.2, 0.4], duration="5us")
    >>> t.column("load")
    [0.2, 0.4]
    """
    return call(["traffic"], Traffic, machine=machine, **options)


def replay(
    schedule: Union[None, str, "os.PathLike[str]", Schedule] = None, machine: MachineLike = None, **options: Any
) -> Union[Replay, Run]:
    """Replays a schedule: a file of GOAL or of traces, a Schedule, or `pattern=` for a generated one.
    What is charged as MPI (`ends="mpi"`, and traces) is told as a run is.

    >>> replay(pattern="dissemination", settings={"pattern.ranks": 4}).makespan
    Time('11.08 us')
    """
    if isinstance(schedule, Schedule):
        return call(["replay", "-"], Replay, machine=machine, stdin=schedule.text, **options)
    words: List[Any] = ["replay"] if schedule is None else ["replay", schedule]
    return call(words, Replay, machine=machine, **options)


def schedule(pattern: str, *, seed: Optional[int] = None, **parameters: Any) -> Schedule:
    """The schedule of a pattern, generated: `schedule("ring-allreduce", ranks=16, size="1MiB")`."""
    settings = {f"pattern.{name}": value for name, value in parameters.items()}
    done = call(["goal", "gen", pattern], Result, settings=settings, seed=seed, json=False)
    return Schedule(done.stdout)


def convert(traces: Union[str, "os.PathLike[str]"], output: Optional[str] = None, **options: Any) -> Conversion:
    """A schedule of MPI traces, into a file or, without one, as `schedule` of the result."""
    if output is not None:
        return call(["convert", traces], Conversion, output=output, **options)
    return call(["convert", traces], Conversion, output="-", **options)


def tune(
    operation: str,
    ranks: Union[int, Sequence[int]],
    machine: MachineLike = None,
    *,
    rules: Optional[str] = None,
    **options: Any,
) -> Tuning:
    """The best algorithms of a collective; the rules are in the result, and in a file if named."""
    with Call([]) as folder:
        where = rules if rules is not None else folder.path("rules")
        files: Dict[str, Any] = {"rules": where, "rules_json": rules + ".json" if rules is not None else folder.path("rules.json")}
        result = call(["tune", operation], Tuning, machine=machine, ranks=ranks, **files, **options)
        with open(where, encoding="utf-8") as file:
            result.rules = file.read()
        return result


def calibrate(*files: Any, base: MachineLike = None, **options: Any) -> Union[Calibration, Computation]:
    """A machine of what benchmarks measured on a real one, as files of their output.

    `base` is a machine whose topology and links stay. With `compute=`, commands of a program built
    by `heddlecc --count`, it is about how fast the program's own code is: a Computation.
    """
    with Call([]) as folder:
        if base is not None:
            path = folder.path("base.yaml")
            machine = machine_of(base)
            assert machine is not None
            machine.save(path)
            options["machine_"] = path
        return call(["calibrate", *files], Calibration, **options)


def report(*results: Union[Result, str, "os.PathLike[str]"]) -> Page:
    """The page of a result, or of several side by side; a path stands for one that was saved."""
    return Page(_reported(results, page=True), "comparison" if len(results) > 1 else "report")


def compare(*results: Union[Result, str, "os.PathLike[str]"], report: bool = True) -> Union[Page, str]:
    """Several results side by side: a page, or with report=False what differs, in words."""
    text = _reported(results, page=report)
    return Page(text, "comparison") if report else text


def _reported(results: Sequence[Union[Result, str, "os.PathLike[str]"]], page: bool) -> str:
    with Call([]) as under_way:
        paths = []
        for number, result in enumerate(results):
            if not isinstance(result, Result):
                paths.append(os.fspath(result))
                continue
            paths.append(under_way.path(f"result-{number}.json"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(result.kept.get("summary") or result.json())
        under_way.words = ["report", *paths]
        if page:
            under_way.words.append(f"--report={under_way.path('page.html')}")
        under_way.run(progress=False).check()
        return (under_way.text("page.html") or "") if page else under_way.stdout


def platforms() -> Table:
    """The machines that come with the program.

    >>> "fat-tree-64" in platforms().column("name")
    True
    """
    return Table(call(["platforms"], Result)["platforms"])


def params(*names: str) -> Table:
    """Parameters: their type, default, range and meaning.

    >>> params("link.latency").rows[0]["default"]
    '100ns'
    """
    rows: List[Dict[str, Any]] = []
    for section in call(["params", *names], Result)["sections"]:
        rows += [{**row, "name": f"{section['section']}.{row['name']}"} for row in section["parameters"]]
    return Table(rows)


def plot(
    table: Any, x: str, y: Union[str, Sequence[str]], *, by: Union[None, str, Sequence[str]] = None, **options: Any
) -> Drawing:
    """Curves of a table (one of Heddle's, rows, or a frame of pandas), drawn by the program."""
    rows_of_frame = table.to_dict("records") if hasattr(table, "to_dict") else table
    source = table if hasattr(table, "column") else Table(rows_of_frame)
    return drawn(source, x, y, by, **options)


def command(*words: Any, **options: Any) -> Result:
    """Any command of the program that has `--json`, also one that this package does not know.

    >>> command("topo", "torus-512").nodes
    512
    """
    return call(list(words), Result, **options)


def _plain(name: str, kind: Type[R], json: bool = True) -> Callable[..., R]:
    """A function for a command that needs none of its own; without JSON, what it prints is `stdout`."""

    def function(*words: Any, **options: Any) -> R:
        require(name)
        return call([name, *words], kind, json=json, **options)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`heddle {name}`: words and options as on the command line."
    return function


design = _plain("design", Design)
jobs = _plain("jobs", Jobs)
testbed = _plain("testbed", Result, json=False)


def command_line(words: Sequence[str]) -> str:
    """What to type for it."""
    return "heddle " + " ".join(shlex.quote(item) for item in words)
