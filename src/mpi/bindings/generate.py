#!/usr/bin/env python3
"""Makes what is repeated for every call of MPI from the table of calls.

usage: generate.py FOLDER    writes into FOLDER:
  include/mpi.h    the C interface
  shims.c          MPI_X, which calls PMPI_X
  refusals.c       PMPI_X for programs that are not started by `heddle run`
  entries.cpp      PMPI_X in the simulator, where there are many forms of one operation
  missing.cpp      PMPI_X for those that the simulator does not have yet
  keep.options     what makes the linker keep every PMPI_X of the simulator
  include/mpif.h   Fortran's interface,
  mpi.f90, mpi_f08.f90, fortran.c
                   its modules, and the C functions behind it
"""

import pathlib
import sys

import forms
import fortran
import table

CALLS = list(table.calls())


def c_constant(kind, name, value):
    if kind in table.HANDLES:
        value = f"(({table.C_TYPES[kind]}){value})"
    elif kind == "offset":
        value = f"((MPI_Offset){value})"
    elif value.startswith("-"):
        value = f"({value})"
    return f"#define MPI_{name} {value}"


def conversions():
    lines = []
    for profiling in ("", "P"):
        for kind in table.HANDLES:
            name = table.C_TYPES[kind]
            word = name.replace("MPI_Datatype", "MPI_Type")
            lines.append(f"#define {profiling}{word}_c2f(handle) ((MPI_Fint)(handle))")
            lines.append(f"#define {profiling}{word}_f2c(handle) (({name})(handle))")
    return "\n".join(lines) + "\n"


def header():
    in_enumerations = ("T_CB_", "T_SOURCE_")
    constants = [c_constant(*c) for c in table.constants() if not c[1].startswith(in_enumerations)]
    prototypes = [call.prototype(profiling) + ";" for profiling in (False, True) for call in CALLS]
    text = (table.HERE / "mpi.h.in").read_text()
    text = text.replace("@CONVERSIONS@", conversions())
    text = text.replace("@CONSTANTS@", "\n".join(constants) + "\n")
    return text.replace("@PROTOTYPES@", "\n".join(prototypes) + "\n")


def shims():
    lines = ["#include <mpi.h>"]
    for call in CALLS:
        lines.append(f"{call.prototype()} {{ return {call.c_name(True)}({call.names()}); }}")
    return "\n".join(lines) + "\n"


def refusals():
    lines = ["void heddle_refuse(const char* function);"]
    for call in CALLS:
        lines.append(f'void {call.c_name(True)}(void) {{ heddle_refuse("{call.c_name()}"); }}')
    return "\n".join(lines) + "\n"


def missing():
    lines = ["#include <mpi.h>", "namespace heddle::mpi { [[noreturn]] void call_is_missing(const char* name); }",
             'extern "C" {']
    for call in CALLS:
        lines.append(f"[[gnu::weak]] {call.c_result()} {call.c_name(True)}({unnamed(call)}) "
                     f'{{ heddle::mpi::call_is_missing("{call.c_name()}"); }}')
    return "\n".join(lines + ["}"]) + "\n"


def keep():
    return "".join(f"-u {call.c_name(True)}\n" for call in CALLS)


def unnamed(call):
    """The arguments of a function that does not look at them."""
    return ", ".join("..." if a.kind == "..." else "[[maybe_unused]] " + a.c(call.large) for a in call.arguments)


def main():
    folder = pathlib.Path(sys.argv[1])
    files = {"include/mpi.h": header, "shims.c": shims, "refusals.c": refusals, "missing.cpp": missing,
             "entries.cpp": lambda: forms.entries(CALLS),
             "keep.options": keep, **fortran.FILES}
    for name, make in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = make()
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    main()
