"""Exact quantities with units: whole numbers that print as Heddle prints them."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, ClassVar, Dict, Tuple, Type, TypeVar, Union

Q = TypeVar("Q", bound="Quantity")


class Quantity(int):
    """A whole number of its smallest unit. Sums, differences and products with whole numbers keep
    the unit; two of a kind divided by each other give a plain number."""

    #: What users may write, and how many of the smallest unit it is.
    units: ClassVar[Dict[str, int]] = {}
    #: What is printed: the sizes from which on a unit is used, largest first.
    printed: ClassVar[Tuple[Tuple[int, str], ...]] = ()
    #: The unit of exact text, such as "1500ps".
    smallest: ClassVar[str] = ""
    #: The end of names of members that hold it in documents.
    suffix: ClassVar[str] = ""

    def __new__(cls: Type[Q], value: Union[int, str, "Quantity"]) -> Q:
        if isinstance(value, str):
            value = cls._parsed(value)
        elif not isinstance(value, int):
            raise TypeError(
                f"{cls.__name__} takes a whole number of {cls.smallest} or a text such as "
                f"'1{cls.printed[0][1]}', not {value!r}"
            )
        return int.__new__(cls, value)

    @classmethod
    def _parsed(cls, text: str) -> int:
        match = re.fullmatch(r"\s*([+-]?[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?)\s*(\S*)\s*", text)
        unit = cls._plain_unit(match.group(2)) if match else ""
        if match is None or unit not in cls.units:
            known = ", ".join(name for name in cls.units if name)
            raise ValueError(f"'{text}' is no {cls.__name__}: accepted are a number and one of {known}")
        exact = Fraction(match.group(1)) * cls.units[unit]
        if exact.denominator != 1:
            raise ValueError(f"'{text}' is no whole number of {cls.smallest}")
        return int(exact)

    @classmethod
    def _plain_unit(cls, unit: str) -> str:
        return unit

    def to(self, unit: str) -> float:
        """In another unit.

        >>> Time("2.5us").to("ns")
        2500.0
        """
        return int(self) / self.units[self._plain_unit(unit)]

    @property
    def exact(self) -> str:
        """Without rounding, as the program reads it.

        >>> Time("2.5us").exact
        '2500000ps'
        """
        return f"{int(self)}{self.smallest}"

    def __str__(self) -> str:
        for size, unit in self.printed:
            if abs(int(self)) >= size and size > 1:
                return f"{int(self) / size:.4g} {unit}"
        return self._small()

    def _small(self) -> str:
        return f"{int(self)} {self.printed[-1][1]}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}('{self}')"

    def __format__(self, spec: str) -> str:
        return format(int(self), spec) if spec else str(self)

    def __hash__(self) -> int:
        return int.__hash__(self)

    def __add__(self, other: Any) -> Any:
        return self._kept(int.__add__(self, other), other, same_only=True)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._kept(int.__sub__(self, other), other, same_only=True)

    def __rsub__(self, other: Any) -> Any:
        return self._kept(int.__rsub__(self, other), other, same_only=True)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Quantity):
            return NotImplemented
        return self._kept(int.__mul__(self, other), other)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        if isinstance(other, Quantity):
            return int.__floordiv__(self, other)
        return self._kept(int.__floordiv__(self, other), other)

    def __neg__(self: Q) -> Q:
        return type(self)(-int(self))

    def __abs__(self: Q) -> Q:
        return type(self)(abs(int(self)))

    def _kept(self, value: Any, other: Any, same_only: bool = False) -> Any:
        if value is NotImplemented:
            return value
        if same_only and isinstance(other, Quantity) and type(other) is not type(self):
            raise TypeError(f"{type(self).__name__} and {type(other).__name__} cannot be added")
        return type(self)(value)


class Time(Quantity):
    """Simulated time in whole picoseconds.

    >>> Time("1.5us") + Time(250)
    Time('1.5 us')
    >>> (Time("1.5us") + Time(250)).ps
    1500250
    >>> Time("3us") / Time("2us")
    1.5
    """

    units = {
        "ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12,
        "\u00b5s": 10**6, "\u03bcs": 10**6, "min": 60 * 10**12, "h": 3600 * 10**12,
    }  # fmt: skip
    printed = ((10**12, "s"), (10**9, "ms"), (10**6, "us"), (10**3, "ns"), (1, "ps"))
    smallest = "ps"
    suffix = "_ps"

    @property
    def ps(self) -> int:
        return int(self)

    @property
    def ns(self) -> float:
        return self.to("ns")

    @property
    def us(self) -> float:
        return self.to("us")

    @property
    def ms(self) -> float:
        return self.to("ms")

    @property
    def s(self) -> float:
        return self.to("s")


class Bytes(Quantity):
    """An amount of data in whole bytes.

    >>> Bytes("64KiB")
    Bytes('64 KiB')
    >>> int(Bytes("64KiB"))
    65536
    """

    units = {
        "": 1, "B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
        "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40,
    }  # fmt: skip
    printed = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "B"))
    smallest = "B"
    suffix = "_bytes"

    @property
    def KiB(self) -> float:
        return self.to("KiB")

    @property
    def MiB(self) -> float:
        return self.to("MiB")

    @property
    def GiB(self) -> float:
        return self.to("GiB")


class Rate(Quantity):
    """A bandwidth in whole bits per second.

    >>> Rate("100Gbps")
    Rate('100 Gb/s')
    >>> Rate("12.5GB/s") == Rate("100Gbit/s")
    True
    """

    units = {
        **{f"{p}bps": 10**n for p, n in (("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12))},
        **{f"{p}Bps": 8 * 10**n for p, n in (("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12))},
        **{f"{p}ibps": 2**n for p, n in (("K", 10), ("M", 20), ("G", 30), ("T", 40))},
        **{f"{p}iBps": 8 * 2**n for p, n in (("K", 10), ("M", 20), ("G", 30), ("T", 40))},
    }
    printed = (
        (10**15, "Pb/s"), (10**12, "Tb/s"), (10**9, "Gb/s"), (10**6, "Mb/s"), (10**3, "kb/s"),
    )  # fmt: skip
    smallest = "bps"
    suffix = "_bps"

    @classmethod
    def _plain_unit(cls, unit: str) -> str:
        if not unit.endswith("/s"):
            return unit
        unit = unit[:-2]
        return (unit[:-2] if unit.endswith("bit") else unit) + "ps"

    def _small(self) -> str:
        return f"{int(self) / 1000:.4g} kb/s"

    @property
    def bps(self) -> int:
        return int(self)

    @property
    def Gbps(self) -> float:
        return self.to("Gbps")


#: By the end of names of members in documents.
BY_SUFFIX: Dict[str, Type[Quantity]] = {kind.suffix: kind for kind in (Time, Bytes, Rate)}


def span(first: float, last: float, step: float) -> str:
    """The values from `first` to `last` in steps, as the program writes them.

    >>> span(0.1, 0.9, 0.1)
    '0.1:0.9:0.1'
    """
    return f"{first}:{last}:{step}"
