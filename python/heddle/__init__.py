"""Heddle in Python: simulated fabrics of high-performance computers.

>>> import heddle as hd
>>> m = hd.Machine("fat-tree-64")
>>> m.route(0, 63, size="1MiB").idle_time
Time('84.99 us')

All of it goes through the program `heddle`, whose results are exact and repeatable; docs/python.md
has a tour.
"""

from .commands import (
    calibrate,
    command,
    command_line,
    compare,
    convert,
    design,
    jobs,
    params,
    platforms,
    plot,
    replay,
    report,
    run,
    schedule,
    testbed,
    traffic,
    tune,
)
from .documents import Document, Drawing, Page, Table
from .errors import Aborted, Crash, Deadlock, HeddleError, HeddleWarning, InputError, Interrupted, Missing, RunFailed
from .machines import Machine, Route
from .program import find, version
from .quantities import Bytes, Rate, Time, span
from .results import Calibration, Computation, Conversion, Design, Jobs, Replay, Result, Run, Schedule, Traffic, Tuning
from .simulator import Channel, Process, Simulator
from .studies import Study, sweep

__all__ = [
    "Aborted", "Bytes", "Calibration", "Channel", "Computation", "Conversion", "Crash", "Deadlock", "Design", "Document", "Drawing", "HeddleError",
    "HeddleWarning", "InputError", "Interrupted", "Jobs", "Machine", "Missing", "Page", "Process", "Rate", "Replay", "Result", "Route", "Run",
    "RunFailed", "Schedule", "Simulator", "Study", "Table", "Time", "Traffic", "Tuning", "calibrate", "command", "command_line",
    "compare", "convert", "design", "find", "jobs", "params", "platforms", "plot", "replay", "report", "run", "schedule", "span", "sweep",
    "testbed", "traffic", "tune", "version",
]  # fmt: skip
