"""Machines to simulate on."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from .documents import Document, Drawing, Rows, Table, figures_html
from .errors import HeddleError
from .program import Call
from .words import word

Node = Union[int, str]

#: Machines with more nodes are not drawn in notebooks unless asked to.
_DRAWN_NODES = 2000


class Machine:
    """A machine: one that comes with the program, a file, or a description, with parameters set
    over its own (`heddle params` lists them).

    >>> m = Machine("fat-tree-64", {"link.latency": "30ns"})
    >>> m.nodes, m.switches
    (64, 48)
    >>> Machine({"topology": {"kind": "torus", "dims": "4x4"}}).nodes
    16
    """

    def __init__(
        self,
        platform: Union[str, "os.PathLike[str]", Mapping[str, Any], "Machine"],
        settings: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self.settings: Dict[str, Any] = {}
        self._text: Optional[str] = None
        self.platform: str = ""
        if isinstance(platform, Machine):
            self.settings.update(platform.settings)
            self._text, self.platform = platform._text, platform.platform
        elif isinstance(platform, Mapping):
            self._text = json.dumps(platform, indent=1)  # Which is YAML as well.
        else:
            self.platform = os.fspath(platform)
        self.settings.update(settings or {})
        self._facts: Optional[Document] = None

    @classmethod
    def from_text(cls, text: str, settings: Optional[Mapping[str, Any]] = None) -> "Machine":
        """A machine of the text of a file."""
        machine = cls("", settings)
        machine._text = text
        return machine

    def but(self, settings: Mapping[str, Any]) -> "Machine":
        """The same machine with other values of some parameters."""
        return Machine(self, settings)

    def words(self, call: Call) -> List[str]:
        """What names it on a command line."""
        platform = self.platform
        if self._text is not None and call.stdin is None:
            # Files that it names are looked for in the working folder.
            call.stdin, platform = self._text, "-"
        elif self._text is not None:
            platform = call.path("machine.yaml")
            self.save(platform)
        return [f"--platform={platform}", *(f"--set={name}={word(value)}" for name, value in self.settings.items())]

    def path(self, call: Call) -> str:
        """A name or path by which it is found as long as the call lasts. A description is written
        as it is, where the files that it names are looked for."""
        if self._text is None:
            return self.platform
        for path in (call.path_here("machine.yaml"), call.path("machine.yaml")):
            try:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(self._text)
                break
            except PermissionError:
                continue  # Nobody writes here: it may name no file.
        return path

    def _topo(self, *words: str, document: bool = True, draw: bool = False) -> Tuple[Optional[Dict[str, Any]], Call]:
        with Call([]) as call:
            call.words = ["topo", *self.words(call), *words]
            if draw:
                call.words.append(f"--svg={call.path('machine.svg')}")
            if document:
                call.words.append(f"--json={call.path('result.json')}")
            call.run(progress=False).check()
            call.svg = call.text("machine.svg")  # type: ignore[attr-defined]
            return call.document, call

    @property
    def facts(self) -> Document:
        """What `heddle topo` measures of it: sizes, distances, bisection, groups of cables."""
        if self._facts is None:
            self._facts = Document(self._topo()[0] or {})
        return self._facts

    @property
    def nodes(self) -> int:
        return int(self.facts.nodes)

    @property
    def switches(self) -> int:
        return int(self.facts.switches)

    @property
    def name(self) -> str:
        return str(self.facts.platform)

    @property
    def configuration(self) -> str:
        """Every parameter in force, as the text of a machine's file."""
        return self._topo("--print-config", document=False)[1].stdout

    def save(self, path: str) -> None:
        """Writes the machine as a file that the program reads."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.configuration)

    def route(
        self,
        source: Node,
        destination: Node,
        size: Any = None,
        *,
        network: Optional[str] = None,
        seed: Optional[int] = None,
    ) -> "Route":
        """The way of a message, link by link, and with a size its time alone in the network."""
        words = ["--route", str(source), str(destination)]
        if size is not None:
            words.append(f"--size={word(size)}")
        if network is not None:
            words.append(f"--network={network}")
        if seed is not None:
            words.append(f"--seed={seed}")
        document, call = self._topo(*words, draw=True)
        return Route((document or {})["route"], getattr(call, "svg", None))

    def draw(self) -> Drawing:
        """The fabric, as `heddle topo --svg` draws it."""
        return Drawing(self._topo(draw=True)[1].svg)  # type: ignore[attr-defined]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.facts, name)

    def __repr__(self) -> str:
        named = repr(self.platform) if self._text is None else "<text>"
        return f"Machine({named}{', ' + repr(self.settings) if self.settings else ''})"

    def _repr_html_(self) -> str:
        names = ("about", "topology", "nodes", "switches", "cables", "radix")
        figures = {name: str(getattr(self.facts, name)) for name in names}
        bisection = self.facts.get("bisection")
        if bisection:
            figures["bisection"] = str(bisection["bandwidth"])
        text = figures_html(figures, self.name)
        if self.nodes <= _DRAWN_NODES:
            try:
                text += self.draw().svg
            except HeddleError:
                pass  # Such as one without positions: its figures are there.
        return text


class Route(Document, Rows):
    """The way of a message: `links` is a table, `latency`, `bandwidth` and, with a size,
    `idle_time` are quantities."""

    source: str
    destination: str

    def __init__(self, members: Dict[str, Any], svg: Optional[str]) -> None:
        super().__init__(members)
        self._svg = svg

    @property
    def table(self) -> Table:
        """The links."""
        return Table(self["links"])

    def _repr_html_(self) -> str:
        return figures_html(self._figures()) + self.table._repr_html_() + (self._svg or "")
