"""The forms of calls in the simulator: with small and with large counts, and of one operation those that wait for it,
begin it, or prepare it. Each gives its arguments, put together, to the one function of the operation."""

import re

# What arguments next to each other are together, by their kinds. The first that fits is taken.
TOGETHER = [
    ("memory memory count datatype op", "{{{0}, {1}, {2}, {3}, {4}}}"),
    ("memory memory count[] datatype op", "{{{0}, {1}, 0, {3}, {4}}}, PerRank({2})"),
    ("memory count datatype", "{{{0}, {1}, {2}}}"),
    ("memory count[] displ[] datatype", "{{{0}, PerRank({1}), PerRank({2}), {3}}}"),
    ("memory count[] displ[] datatype[]", "{{{0}, PerRank({1}), PerRank({2}), {3}}}"),
    ("rank aint count datatype", "{{{0}, {1}, {2}, {3}}}"),
]
# What else an operation may want to know, as it is.
ALONE = {"root", "op", "win", "request"}
SAME = {"read": "memory", "write": "memory", "aint": "displ"}


def kinds_of(call):
    return {a.kind for a in call.arguments}


def given(call, left):
    """Arguments as the operation's function takes them."""
    result = []
    while left:
        kinds = [(SAME.get(a.kind, a.kind) if a.array or a.kind != "aint" else a.kind) + a.array for a in left]
        for pattern, form in TOGETHER:
            words = pattern.split()
            if kinds[: len(words)] == words:
                result.append(form.format(*(a.name for a in left)))
                left = left[len(words):]
                break
        else:
            if kinds[0] not in ALONE:
                raise SystemExit(f"{call.c_name()}: nothing takes these arguments: {' '.join(kinds)}")
            result.append(left[0].name)
            left = left[1:]
    return result


def signature(call):
    """Hints of persistent forms are not looked at."""
    arguments = ", ".join(("[[maybe_unused]] " if a.kind == "info" else "") + a.c(call.large) for a in call.arguments)
    return f"int {call.c_name(True)}({arguments})"


class Collectives:
    """MPI_X, MPI_Ix and MPI_X_init; the functions are those of collectives/calls.hpp."""

    HEADER = "mpi/api/collective.hpp"

    @staticmethod
    def operation(name):
        """What a form is a form of, and when that is to be done."""
        if name.endswith("_init"):
            return name[: -len("_init")].lower(), "when_started(request)"
        if re.match("I[a-z]", name):
            return name[1:].lower(), "at_once(request)"
        return name.lower(), "{}"

    @classmethod
    def choose(cls, calls):
        """Those that have persistent forms with hints and without a peer, and the other forms of these."""
        operations = {cls.operation(call.name)[0] for call in calls if call.name.endswith("_init")
                      and {"comm", "info", "request"} <= kinds_of(call) and "rank" not in kinds_of(call)}
        return [call for call in calls if cls.operation(call.name)[0] in operations]

    @classmethod
    def entry(cls, call):
        function, how = cls.operation(call.name)
        left = [a for a in call.arguments if a.kind not in ("comm", "info", "request")]
        arguments = ", ".join(["c", how] + given(call, left))
        return (f'{signature(call)} {{\n  return heddle::mpi::collectives::collective("{call.c_name()}", comm, '
                f"[&](heddle::mpi::Communicator& c) {{\n"
                f"    using namespace heddle::mpi::collectives;\n"
                f"    heddle::mpi::collectives::{function}({arguments});\n  }});\n}}")


class OneSided:
    """MPI_X and MPI_Rx on windows; the functions are those of api/one_sided.hpp."""

    HEADER = "mpi/api/one_sided.hpp"

    @staticmethod
    def choose(calls):
        return [call for call in calls if {"count", "win"} <= kinds_of(call)]

    @staticmethod
    def entry(call):
        function = re.sub("^R(?=[a-z])", "", call.name).lower()
        arguments = ", ".join([f'"{call.c_name()}"'] + given(call, call.arguments))
        return f"{signature(call)} {{\n  return heddle::mpi::one_sided::{function}({arguments});\n}}"


class Datatypes:
    """MPI_Type_x and MPI_Type_create_x; the functions are those of api/type_construct.hpp."""

    HEADER = "mpi/api/type_construct.hpp"

    @staticmethod
    def function(call):
        return re.sub("^Type_(create_)?", "", call.name)

    @classmethod
    def choose(cls, calls):
        """Of the deprecated ones those that are called otherwise today, too."""
        def makes(call):
            last = call.arguments[-1] if call.arguments else None
            return call.name.startswith("Type_") and (last.direction, last.kind) == (">", "datatype")

        large = {cls.function(call) for call in calls if call.large and makes(call)}
        return [call for call in calls if makes(call) and cls.function(call) in large]

    @classmethod
    def entry(cls, call):
        function = cls.function(call).replace("struct", "structure")
        form = f'{{"{call.c_name()}", heddle::coll::Form::{"large" if call.large else "plain"}}}'
        return (f"{signature(call)} {{\n"
                f"  return heddle::mpi::type_construct::{function}({form}, {call.names()});\n}}")


FAMILIES = [Collectives, OneSided, Datatypes]


def entries(calls):
    lines = [f'#include "{family.HEADER}"' for family in FAMILIES] + ["", 'extern "C" {', ""]
    for family in FAMILIES:
        lines += [family.entry(call) for call in family.choose(calls)] + [""]
    return "\n".join(lines + ["}"]) + "\n"
