"""Words of command lines from Python's values."""

from __future__ import annotations

import os
from typing import Any, List

from .quantities import Quantity

#: Options that are given once for each value; lists for others are joined with commas.
_REPEATED = {"set", "fault", "sample", "private-library", "program-hash", "inside", "where", "sbatch", "compute", "native", "collectives"}


def word(value: Any) -> str:
    """A value as the program reads it.

    >>> from heddle import Time
    >>> word(Time("1.5us")), word(True), word([1, 2, 4]), word(0.5)
    ('1500000ps', 'yes', '1,2,4', '0.5')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Quantity):
        return value.exact
    if isinstance(value, (list, tuple, set, range)) or type(value).__name__ == "ndarray":
        return ",".join(word(item) for item in value)
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    return str(value)


def option_words(name: str, value: Any) -> List[str]:
    """The words for an option; its underscores are dashes.

    >>> option_words("ranks_per_node", 2), option_words("fingerprint", True), option_words("seed", None)
    (['--ranks-per-node=2'], ['--fingerprint'], [])
    """
    name = name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [f"--{name}"]
    if name in _REPEATED:
        values = value if isinstance(value, (list, tuple)) else [value]
        return [f"--{name}={word(item)}" for item in values]
    return [f"--{name}={word(value)}"]
