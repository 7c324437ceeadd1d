"""Results: documents of the program as objects, and tables as frames."""

from __future__ import annotations

import html
import json
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union, overload

from .errors import HeddleError
from .program import Call, Progress
from .quantities import BY_SUFFIX, Time
from .words import option_words

Row = Dict[str, Any]

#: Rows that a notebook shows of a table.
_SHOWN_ROWS = 20


def valued(name: str, value: Any) -> Any:
    """The value of a member by its name: `time_ps` is a Time."""
    if isinstance(value, int) and not isinstance(value, bool):
        for suffix, kind in BY_SUFFIX.items():
            if name.endswith(suffix):
                return kind(value)
    if isinstance(value, dict):
        return Document(value)
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return Table(value)
    return value


class Document(Mapping[str, Any]):
    """A JSON object of the program. Members are attributes: quantities by their names without a
    unit (`doc.latency` is a Time, `doc.latency_ps` as well), objects are documents, arrays of
    objects are tables. As a mapping it is the JSON as it was written.

    >>> doc = Document({"latency_ps": 1500000, "latency": "1.5 us", "nodes": 4})
    >>> doc.latency
    Time('1.5 us')
    >>> doc.latency.ns, doc.nodes, doc["latency_ps"]
    (1500.0, 4, 1500000)
    """

    def __init__(self, members: Dict[str, Any]) -> None:
        self._members = members

    def __getitem__(self, name: str) -> Any:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        members = self.__dict__.get("_members", {})
        for suffix in BY_SUFFIX:
            if name + suffix in members:
                return valued(name + suffix, members[name + suffix])
        if name in members:
            return valued(name, members[name])
        raise AttributeError(f"{type(self).__name__} has no '{name}': there are {', '.join(self._names())}")

    def _names(self) -> List[str]:
        """Quantities without their units, once."""
        names = []
        for name in self._members:
            for suffix in BY_SUFFIX:
                if name.endswith(suffix):
                    name = name[: -len(suffix)]
            if name not in names:
                names.append(name)
        return names

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *self._names()})

    def json(self) -> str:
        """The document as text."""
        return json.dumps(self._members, indent=2) + "\n"

    def __repr__(self) -> str:
        facts = ", ".join(f"{name}={self[name]!r}" for name in self if _is_plain(name, self[name]))
        return f"<{type(self).__name__} {facts}>"

    def _figures(self) -> Dict[str, str]:
        """What a notebook shows."""
        figures = {}
        for name in self._names():
            value = getattr(self, name)
            if _is_plain(name, value):
                figures[name] = str(value)
        return figures

    def _repr_html_(self) -> str:
        return figures_html(self._figures())


def _is_plain(name: str, value: Any) -> bool:
    long = isinstance(value, str) and ("\n" in value or len(value) > 120)
    return name not in ("schema", "heddle") and isinstance(value, (str, int, float)) and not long


def figures_html(figures: Mapping[str, str], title: str = "") -> str:
    """A small table of names and values."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name.replace('_', ' '))}</th>"
        f"<td style='text-align:left'>{html.escape(value)}</td></tr>"
        for name, value in figures.items()
    )
    caption = f"<caption>{html.escape(title)}</caption>" if title else ""
    return f"<table>{caption}{rows}</table>"


def flat(row: Mapping[str, Any], before: str = "") -> Row:
    """Members of inner objects by their paths, as `latency.mean_ps`; without the rounded words that
    stand beside exact figures, and without arrays.

    >>> flat({"load": "0.5", "latency": {"mean_ps": 7, "mean": "7 ps"}})
    {'load': '0.5', 'latency.mean_ps': 7}
    """
    cells: Row = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            cells.update(flat(value, f"{before}{name}."))
        elif isinstance(value, list) or any(name + suffix in row for suffix in BY_SUFFIX):
            continue
        else:
            cells[before + name] = value
    return cells


class Table(Sequence[Document]):
    """Rows of results: a sequence of documents, and frames on demand.

    >>> table = Table([{"size_bytes": 8, "size": "8 B", "time_ps": 1500}, {"size_bytes": 16, "time_ps": 2500}])
    >>> table.rows
    [{'size_bytes': 8, 'time_ps': 1500}, {'size_bytes': 16, 'time_ps': 2500}]
    >>> table[1].size, table.column("time_ns")
    (Bytes('16 B'), [1.5, 2.5])
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, number: int) -> Document: ...
    @overload
    def __getitem__(self, number: slice) -> "Table": ...
    def __getitem__(self, number: Union[int, slice]) -> Union[Document, "Table"]:
        if isinstance(number, slice):
            return Table(self._rows[number])
        return Document(dict(self._rows[number]))

    @property
    def rows(self) -> List[Row]:
        """A dict for each row, with exact figures; members of inner objects by their paths."""
        return [flat(row) for row in self._rows]

    @property
    def columns(self) -> List[str]:
        """All names in the rows."""
        names: Dict[str, None] = {}
        for row in self.rows:
            names.update(dict.fromkeys(row))
        # An object that some rows have and others have null for is its members.
        objects = {name.rpartition(".")[0] for name in names}
        return [name for name in names if name not in objects]

    def column(self, name: str) -> List[Any]:
        """One column; times can be asked for in other units, as `latency.mean_us`."""
        rows = self.rows
        if rows and not any(name in row for row in rows):
            stem, _, unit = name.rpartition("_")
            exact = stem + Time.suffix
            if unit in Time.units and any(exact in row for row in rows):
                factor = Time.units[unit]
                return [None if row.get(exact) is None else row[exact] / factor for row in rows]
            raise KeyError(f"no column '{name}': there are {', '.join(self.columns)}")
        return [row.get(name) for row in rows]

    @property
    def df(self) -> Any:
        """A frame of pandas, with times and sizes as exact integers."""
        import pandas  # type: ignore

        columns = self.columns
        frame = pandas.DataFrame(self.rows, columns=columns)
        for name in columns:
            if name.endswith(tuple(BY_SUFFIX)):
                values = self.column(name)
                if all(isinstance(value, int) or value is None for value in values):
                    frame[name] = pandas.array(values, dtype="Int64" if None in values else "int64")
        return frame

    def pl(self) -> Any:
        """A frame of polars."""
        import polars  # type: ignore

        return polars.DataFrame({name: self.column(name) for name in self.columns})

    def arrow(self) -> Any:
        """A table of pyarrow."""
        import pyarrow  # type: ignore

        return pyarrow.table({name: self.column(name) for name in self.columns})

    def csv(self) -> str:
        """The rows under a line of names, for other programs."""
        columns = self.columns
        return csv_text(columns, [{name: row.get(name) for name in columns} for row in self.rows])

    def plot(self, x: str, y: Union[str, Sequence[str]], **options: Any) -> "Drawing":
        """Curves over a column, drawn by the program; options are those of `heddle plot`."""
        return drawn(self, x, y, **options)

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        columns = self.columns
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_cell(name, row.get(name)))}</td>" for name in columns) + "</tr>"
            for row in self.rows[:_SHOWN_ROWS]
        )
        rest = len(self) - _SHOWN_ROWS
        more = f"<caption style='caption-side:bottom'>and {rest} more rows</caption>" if rest > 0 else ""
        return f"<table>{more}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Rows:
    """What has a table: its rows, as dicts and as frames."""

    @property
    def table(self) -> Table:
        """The rows of the result."""
        raise HeddleError(f"{type(self).__name__} has no rows")

    @property
    def rows(self) -> List[Row]:
        """A dict for each row."""
        return self.table.rows

    @property
    def df(self) -> Any:
        """The rows as a frame of pandas."""
        return self.table.df

    def pl(self) -> Any:
        """The rows as a frame of polars."""
        return self.table.pl()

    def arrow(self) -> Any:
        """The rows as a table of pyarrow."""
        return self.table.arrow()

    def column(self, name: str) -> List[Any]:
        """One column; times can be asked for in other units, as `latency.mean_us`."""
        return self.table.column(name)


def csv_text(columns: Sequence[str], rows: Sequence[Row]) -> str:
    """The rows under a line of names, as CSV."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def drawn(
    table: Any,
    x: str,
    y: Union[str, Sequence[str]],
    by: Union[None, str, Sequence[str]] = None,
    progress: Progress = None,
    echo: bool = False,
    **options: Any,
) -> "Drawing":
    """Curves of what has columns, drawn by the program."""
    names = [x, *([y] if isinstance(y, str) else y), *([by] if isinstance(by, str) else by or [])]
    columns = {name: table.column(name) for name in dict.fromkeys(names)}
    rows = [dict(zip(columns, values)) for values in zip(*columns.values())]
    with Call(["plot"], stdin=csv_text(list(columns), rows)) as under_way:
        for name, value in {"x": x, "y": y, "by": by, "output": "-", **options}.items():
            under_way.words += option_words(name, value)
        under_way.words.append("-")
        return Drawing(under_way.run(progress, echo).check().stdout)


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    value = valued(name, value)
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class Drawing:
    """An SVG of the program, which notebooks show."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: str) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Drawing of {len(self.svg)} characters; save(path) writes it>"


class Page:
    """A report of the program: a page of HTML that stands alone."""

    #: Larger ones are not kept in notebooks.
    most_shown = 2_000_000

    def __init__(self, text: str, title: str = "") -> None:
        self.html = text
        self.title = title

    def save(self, path: str) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> Optional[str]:
        if len(self.html) > self.most_shown:
            size = len(self.html) / 1e6
            return f"<p>A page of {size:.1f} MB, too large for a notebook: <code>page.save('page.html')</code></p>"
        return (
            f"<iframe title='{html.escape(self.title)}' srcdoc=\"{html.escape(self.html, quote=True)}\" "
            "style='width:100%;height:40em;border:1px solid #8888' sandbox='allow-scripts'></iframe>"
        )

    def __repr__(self) -> str:
        return f"<Page of {len(self.html)} characters; save(path) writes it>"
