"""Messages driven from Python: a clock and a network, with callbacks and with coroutines as processes.

Needs the module `heddle._core`, which is built on demand (docs/python.md).
"""

from __future__ import annotations

import os
from collections import deque
from functools import partial
from typing import Any, Awaitable, Callable, Coroutine, Deque, Dict, Generator, List, Mapping, Optional, Union

from .errors import Deadlock, Missing
from .machines import Machine, Node
from .program import Call
from .quantities import Bytes, Time
from .words import word

Then = Callable[[], Any]
_Resume = Callable[[Any], None]

#: How many of those that wait for ever are told of.
_TOLD = 10


class _Wait(Awaitable[Any]):
    """What a process waits for: `start` is given what to call, with a value, when it is there."""

    def __init__(self, what: str, start: Callable[[_Resume], None]) -> None:
        self.what = what
        self.start = start

    def __await__(self) -> Generator["_Wait", Any, Any]:
        return (yield self)


class Process(Awaitable[Any]):
    """A coroutine under way in simulated time. Others can await it: the answer is what it returns."""

    def __init__(self, simulator: "Simulator", coroutine: Coroutine[Any, Any, Any], name: str) -> None:
        self.name = name
        self.ended = False
        self.result: Any = None
        self.waits_for = "its start"
        self._simulator = simulator
        self._coroutine = coroutine
        self._waiting: List[_Resume] = []

    def __await__(self) -> Generator[_Wait, Any, Any]:
        if not self.ended:
            yield _Wait(f"the end of {self.name}", self._waiting.append)
        return self.result

    def __repr__(self) -> str:
        return f"<Process {self.name}, {'ended' if self.ended else 'waits for ' + self.waits_for}>"

    def _go_on(self, value: Any = None) -> None:
        """Up to the next thing to wait for. A mistake in that, such as a node that there is not, is
        raised in the process."""
        advance: Callable[[], Any] = partial(self._coroutine.send, value)
        while True:
            wait = self._advanced(advance)
            if wait is None:
                return
            self.waits_for = wait.what
            try:
                wait.start(self._go_on)
                return
            except Exception as mistake:
                advance = partial(self._coroutine.throw, mistake)

    def _advanced(self, advance: Callable[[], Any]) -> Optional[_Wait]:
        """What it waits for then; None if it has ended."""
        try:
            wait = advance()
            if isinstance(wait, _Wait):
                return wait
            self._coroutine.close()
            raise TypeError(f"{self.name} awaits {wait!r}: accepted is what a Simulator gives to await")
        except StopIteration as end:
            self._end(end.value)
            return None
        except BaseException:
            self._end(None)
            raise

    def _end(self, result: Any) -> None:
        self.ended, self.result = True, result
        self._simulator._ended(self)
        for resume in self._waiting:
            self._simulator._soon(resume, result)


class Channel:
    """Values from one process to another, in order; without any simulated time. `Simulator.channel`
    makes one."""

    def __init__(self, simulator: "Simulator", name: str) -> None:
        self.name = name
        self._simulator = simulator
        self._values: Deque[Any] = deque()
        self._waiting: Deque[_Resume] = deque()

    def put(self, value: Any = None) -> None:
        """Who has waited longest gets it, or whoever asks next."""
        if self._waiting:
            self._simulator._soon(self._waiting.popleft(), value)
        else:
            self._values.append(value)

    def get(self) -> Awaitable[Any]:
        """For a process: the next value."""
        return _Wait(f"a value from {self.name}", self._give)

    def __len__(self) -> int:
        return len(self._values)

    def _give(self, resume: _Resume) -> None:
        if self._values:
            self._simulator._soon(resume, self._values.popleft())
        else:
            self._waiting.append(resume)


class Simulator:
    """One simulated world over a machine.

    `send` and `at` call back; `spawn` starts a coroutine as a process, which awaits `sleep`,
    `message`, a `channel` and other processes. The same calls with the same machine and seed give
    the same times, bit by bit.
    """

    def __init__(
        self, machine: Union[Machine, str, "os.PathLike[str]", Mapping[str, Any]], seed: int = 1
    ) -> None:
        try:
            from . import _core
        except ImportError as error:
            raise Missing(f"heddle._core, which simulators need, is not there (docs/python.md): {error}") from None
        chosen = machine if isinstance(machine, Machine) else Machine(machine)
        with Call([]) as call:
            settings = [f"{name}={word(value)}" for name, value in chosen.settings.items()]
            self._machine = _core.Machine(chosen.path(call), settings)
        self._simulator = _core.Simulator(self._machine, seed)
        self._processes: Dict[Process, None] = {}

    @property
    def now(self) -> Time:
        """Simulated time since the beginning."""
        return Time(self._simulator.now_ps)

    @property
    def nodes(self) -> int:
        return self._machine.nodes

    @property
    def fingerprint(self) -> str:
        """Stands for everything that happened so far, in order."""
        return f"{self._simulator.fingerprint:016x}"

    def at(self, time: Union[Time, str, int], then: Then) -> None:
        """Calls `then` at a time that is not past."""
        self._simulator.at(_ps(time), then)

    def send(self, source: Node, destination: Node, size: Union[Bytes, str, int], then: Optional[Then] = None) -> None:
        """Sends a message now, from memory to memory; calls `then` when its last byte is there."""
        self._simulator.send(
            source if type(source) is int else self.node(source),
            destination if type(destination) is int else self.node(destination),
            size if type(size) is int else int(Bytes(size)),
            then,
        )

    def node(self, name: Node) -> int:
        """The number of a node."""
        return int(self._machine.node(str(name)))

    def run(self, until: Union[None, Time, str, int] = None) -> Time:
        """Until nothing is left to happen, or up to a time; answers when that is. Raises Deadlock if
        processes then still wait, and what a callback or a process raises: called again, it goes on
        behind it."""
        if until is not None:
            self._simulator.run(_ps(until))
            return self.now
        self._simulator.run()
        if self._processes:
            raise Deadlock(self._who_waits())
        return self.now

    def sleep(self, time: Union[Time, str, int]) -> Awaitable[None]:
        """For a process: until so much time is over."""
        duration = _ps(time)
        return _Wait(
            "its sleep to end", lambda resume: self._simulator.at(self._simulator.now_ps + duration, partial(resume, None))
        )

    def message(self, source: Node, destination: Node, size: Union[Bytes, str, int]) -> Awaitable[None]:
        """For a process: sends a message, and waits until its last byte is there."""
        return _Wait(
            f"its message from {source} to {destination}",
            lambda resume: self.send(source, destination, size, partial(resume, None)),
        )

    def channel(self, name: str = "a channel") -> Channel:
        """For values between processes."""
        return Channel(self, name)

    def spawn(self, coroutine: Coroutine[Any, Any, Any], name: str = "") -> Process:
        """Starts a coroutine as a process, now."""
        process = Process(self, coroutine, name or getattr(coroutine, "__name__", "process"))
        self._processes[process] = None
        self._soon(process._go_on, None)
        return process

    def _soon(self, resume: _Resume, value: Any) -> None:
        """Goes on at this time, but not inside of who lets it."""
        self._simulator.at(self._simulator.now_ps, partial(resume, value))

    def _ended(self, process: Process) -> None:
        self._processes.pop(process, None)

    def _who_waits(self) -> str:
        told = [f"{process.name} waits for {process.waits_for}" for process in list(self._processes)[:_TOLD]]
        more = f" and {len(self._processes) - _TOLD} more wait" if len(self._processes) > _TOLD else ""
        return f"nothing is left to happen at {self.now}, but {'; '.join(told)}{more}"


def _ps(time: Union[Time, str, int]) -> int:
    return time if type(time) is int else int(Time(time))
