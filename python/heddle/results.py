"""Results of the commands. The annotations are the members of the documents, by the names of
docs/schemas; quantities are there without their units."""

from __future__ import annotations

import html
import json
from typing import Any, Dict, List, Optional

from .documents import Document, Drawing, Page, Rows, Table, figures_html
from .errors import HeddleError
from .machines import Machine
from .program import Call
from .quantities import Time


class Result(Document, Rows):
    """What a command wrote as JSON, with the command line, what it printed and warned of."""

    def __init__(self, members: Dict[str, Any], call: Call) -> None:
        super().__init__(members)
        self.words: List[str] = call.words
        self.stdout: str = call.stdout
        self.stderr: str = call.stderr
        self.warnings: List[str] = call.warnings
        self.kept: Dict[str, Optional[str]] = {}

    @property
    def page(self) -> Page:
        """The report, if `report=True` asked for it."""
        text = self.kept.get("report")
        if text is None:
            raise HeddleError("there is no page: ask for it with report=True")
        return Page(text, str(self.get("program") or self.get("schedule") or self.get("platform") or ""))

    @property
    def drawing(self) -> Drawing:
        """The drawing, if `svg=True` asked for it."""
        text = self.kept.get("svg")
        if text is None:
            raise HeddleError("there is no drawing: ask for it with svg=True")
        return Drawing(text)

    @property
    def summary(self) -> Document:
        """What the page says, if `summary=True` asked for it."""
        text = self.kept.get("summary")
        if text is None:
            raise HeddleError("there is no summary: ask for it with summary=True")
        return Document(json.loads(text))

    def save(self, path: str) -> None:
        """Writes the document, which `heddle again` and `heddle report` read."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.json())

    def again(self) -> "Result":
        """Repeats it from its document alone; raises HeddleError if a bit of what was simulated
        differs."""
        if "again" not in self:
            raise HeddleError(f"{type(self).__name__} cannot be repeated: only runs, replays and traffic can")
        with Call([]) as call:
            first = call.path("first.json")
            self.save(first)
            call.words = ["again", first, f"--json={call.path('result.json')}"]
            call.run(progress=False)
            problem = call.problem()
            if problem is not None:
                raise problem
            result = type(self)(call.document or {}, call)
        differing = [name for name in self if name not in _MAY_DIFFER and _bare(self[name]) != _bare(result.get(name))]
        if differing:
            raise HeddleError(f"repeated, the result differs in {', '.join(differing)}")
        return result

    def plot(self, x: str, y: Any, **options: Any) -> Drawing:
        """Curves of the rows, drawn by the program; options are those of `heddle plot`."""
        return self.table.plot(x, y, **options)

    def _repr_html_(self) -> str:
        if self.kept.get("report") is not None:
            return figures_html(self._figures()) + (self.page._repr_html_() or "")
        if self.kept.get("svg") is not None:
            return figures_html(self._figures()) + self.drawing.svg
        text = figures_html(self._figures())
        try:
            return text + self.table._repr_html_()
        except HeddleError:
            return text


#: Members that depend on the computer, or on how a result was asked for.
_MAY_DIFFER = {"simulator", "wall_seconds", "again", "heddle"}


def _bare(value: Any) -> Any:
    """Without how long it took here."""
    if isinstance(value, dict):
        return {name: _bare(item) for name, item in value.items() if name not in _MAY_DIFFER}
    return [_bare(item) for item in value] if isinstance(value, list) else value


class Run(Result):
    """A program on a simulated machine. Rows are ranks; `calls` are those of MPI or OpenSHMEM."""

    platform: str
    network: str
    nodes: int
    program: str
    arguments: List[str]
    program_hash: Optional[str]
    programs: Table
    seed: int
    configuration: str
    fingerprint: str
    outcome: str
    mpi: Document
    shmem: Document
    fidelity: Table
    check: List[str]
    problem: str
    status: int
    time: Time
    losses: Document
    packets: Document
    events: int
    messages: Document
    simulator: Document
    ranks: Table
    sampled: Document

    @property
    def table(self) -> Table:
        return Table([{"rank": number, **row} for number, row in enumerate(self["ranks"])])

    @property
    def makespan(self) -> Time:
        """When the last rank ended, as of a replay."""
        return self.time

    @property
    def calls(self) -> Table:
        """Calls of all ranks, the longest first; empty if there were none."""
        part = self.get("mpi") or self.get("shmem") or {}
        return Table(part.get("calls", []))

    def _repr_html_(self) -> str:
        text = super()._repr_html_()
        shown = f"<pre>{html.escape(self.stdout[-2000:])}</pre>" if self.stdout else ""
        return shown + text + (self.calls._repr_html_() if self.calls and self.kept.get("report") is None else "")


class Traffic(Result):
    """Latency and throughput against load: rows are loads."""

    platform: str
    topology: str
    nodes: int
    network: str
    configuration: str
    fingerprint: str
    seed: int
    traffic: Document
    runs: Table
    failure: str

    @property
    def table(self) -> Table:
        return Table([{**row, "load": _number(row["load"])} if "load" in row else row for row in self["runs"]])


def _number(text: Any) -> Any:
    """A load as a number, unless it is a rate such as 10Gbps."""
    try:
        return float(text)
    except (TypeError, ValueError):
        return text


#: What a replay tells of each rank.
_OF_RANKS = ("finish_time_ps", "compute_ps", "overhead_ps", "gap_ps", "noise_ps", "waiting_ps", "adapters_free_ps")


class Replay(Result):
    """A schedule over a network: rows are ranks."""

    schedule: str
    operations: int
    network: str
    platform: Optional[str]
    schedule_hash: Optional[str]
    seed: int
    configuration: Optional[str]
    fingerprint: str
    parameters: Document
    makespan: Time
    last_rank: int
    finish_time: List[int]
    compute: List[int]
    overhead: List[int]
    gap: List[int]
    noise: List[int]
    waiting: List[int]
    adapters_free: List[int]
    busiest_links: Table
    losses: Document
    packets: Document
    background: Document
    events: int
    network_events: int
    wall_seconds: float
    ranks: int
    step: Document

    @property
    def table(self) -> Table:
        return Table([{"rank": rank, **{name: self[name][rank] for name in _OF_RANKS}} for rank in range(self["ranks"])])


class Schedule:
    """A GOAL schedule as text."""

    def __init__(self, text: str) -> None:
        self.text = text

    @property
    def info(self) -> Document:
        """What `heddle goal info` counts."""
        with Call(["goal", "info", "-"], stdin=self.text) as under_way:
            under_way.words.append(f"--json={under_way.path('result.json')}")
            under_way.run().check()
            return Result(under_way.document or {}, under_way)

    def save(self, path: str) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def __repr__(self) -> str:
        return f"<Schedule of {len(self.text)} characters>"


class Conversion(Result):
    """A schedule made of traces, and what was in them."""

    traces: str
    ranks: int
    calls: int
    collective_calls: int
    communicators: int
    operations: int
    dependencies: int
    messages: int
    sent: int
    largest_message: int

    @property
    def schedule(self) -> Schedule:
        """The schedule, unless it went into a file."""
        if not self.stdout:
            raise HeddleError("the schedule is in the file that `output` named")
        return Schedule(self.stdout)


class Tuning(Result):
    """Algorithms of a collective: rows are numbers of ranks and sizes. `rules` is what Open MPI
    reads."""

    operation: str
    platform: str
    library: str
    rules_for: str
    configuration: str
    cases: Table
    rules: str = ""

    @property
    def table(self) -> Table:
        return Table(self["cases"])

    @property
    def timed(self) -> Table:
        """Everything that was tried."""
        rows = []
        for case in self["cases"]:
            rows += [{"ranks": case["ranks"], "size_bytes": case["size_bytes"], **row} for row in case["timed"]]
        return Table(rows)


class Calibration(Result):
    """A machine fitted to measurements: rows are sizes of tests, with what was measured and what
    is simulated."""

    tests: Table
    parameters: Table
    between_sizes: Table
    findings: List[str]
    contradictions: List[str]
    guesses: List[str]
    notes: List[str]

    @property
    def machine(self) -> Machine:
        """The fitted machine."""
        return Machine.from_text(self["machine"])

    @property
    def table(self) -> Table:
        rows = []
        for test in self["tests"]:
            about = {name: test[name] for name in ("program", "file", "unit")}
            rows += [{**about, **point} for point in test["points"]]
        return Table(rows)


class Computation(Result):
    """How fast a program's own code is, against what it counts: rows are commands."""

    ranks: int
    repeats: int
    count_rate: float
    compute_factor: float
    runs: Table

    @property
    def machine(self) -> Machine:
        """`base` with what was found."""
        if self["machine"] is None:
            raise HeddleError("there is no machine: say which one with base=")
        return Machine.from_text(self["machine"])

    @property
    def table(self) -> Table:
        return Table(self["runs"])


class Design(Result):
    """Fabrics of so many nodes and ports, compared: rows are fabrics."""

    nodes: int
    radix: int
    failures: str
    prices: Optional[str]
    saturation: str
    designs: Table
    network: Optional[str]
    schedule: Optional[str]

    @property
    def table(self) -> Table:
        return Table(self["designs"])


class Jobs(Result):
    """Jobs that shared a machine: rows are jobs."""

    machine: str
    network: str
    list: str
    end: Time
    replays: int
    fingerprint: str
    jobs: Table

    @property
    def table(self) -> Table:
        return Table(self["jobs"])


#: Which class is for which schema.
BY_SCHEMA = {
    "heddle.run/1": Run,
    "heddle.traffic/1": Traffic,
    "heddle.replay/1": Replay,
    "heddle.convert/1": Conversion,
    "heddle.tune/1": Tuning,
    "heddle.calibrate/1": Calibration,
    "heddle.computation/1": Computation,
    "heddle.design/1": Design,
    "heddle.jobs/1": Jobs,
}
