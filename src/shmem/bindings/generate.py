#!/usr/bin/env python3
"""Makes what is repeated for every call of OpenSHMEM and every type from the tables of calls and types.

usage: generate.py FOLDER    writes into FOLDER:
  include/shmem.h  the interface: functions, generics of C11, overloads of C++
  include/shmemx.h the same, for programs that look for extensions
  shims.c          shmem_X, which calls pshmem_X
  refusals.c       pshmem_X for programs that are not started by `heddle run`
  entries.cpp      pshmem_X in the simulator,
  internal/shmem/declarations.hpp
                   and the functions behind them
  keep.options     what makes the linker keep every pshmem_X of the simulator
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
CONTEXT = "shmem_ctx_t ctx"
# To the compiler, these are what stands behind them.
SAME = {"int8_t": "signed char", "int16_t": "short", "int32_t": "int", "int64_t": "long", "uint8_t": "unsigned char",
        "uint16_t": "unsigned short", "uint32_t": "unsigned int", "uint64_t": "unsigned long",
        "size_t": "unsigned long", "ptrdiff_t": "long"}


def lines_of(name):
    path = HERE / name
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            yield f"{path}:{number}", line


def read_types():
    """C types by name, and lists of names by set."""
    types, sets = {}, {}
    for place, line in lines_of("types.txt"):
        kind, name, *words = line.split()
        if kind == "type":
            types[name] = " ".join(words)
        elif kind == "set":
            sets[name] = [t for word in words for t in ([word] if word == name else sets.get(word, [word]))]
        else:
            sys.exit(f"{place}: neither type nor set: {line}")
    return types, sets


TYPES, SETS = read_types()


class Call:
    """One line of the table for one type (or none), with or without a context."""

    def __init__(self, line, type_name, context):
        self.line, self.type, self.context = line, type_name, context
        stem = line.name.replace("@", type_name or "")
        self.public = stem if line.bare else "shmem_" + ("ctx_" if context else "") + stem
        self.profiling = "pshmem_" + ("ctx_" if context else "") + stem

    def typed(self, text):
        return text.replace("@", TYPES[self.type]) if self.type else text

    @property
    def result(self):
        return self.typed(self.line.result)

    @property
    def arguments(self):
        return ([CONTEXT] if self.context else []) + [self.typed(a) for a in self.line.arguments]

    def prototype(self, name):
        return f"{self.result} {name}({', '.join(self.arguments) or 'void'})"

    def names(self):
        return [name_of(a) for a in self.arguments if a != "..."]

    def entry(self):
        """The definition in the simulator."""
        context = "ctx" if self.context else "SHMEM_CTX_DEFAULT"
        given = [f'{{"{self.public}", {context}}}']
        if self.type:
            given.append(f"heddle::shmem::type_of<{TYPES[self.type]}>()")
        by_address = self.line.result == "@"
        if by_address:
            given.append("&result")
        for argument in self.line.arguments:
            if argument != "...":
                given.append(("&" if argument.startswith("@ ") else "") + name_of(argument))
        call = f"heddle::shmem::api::{self.line.function}({', '.join(given)});"
        body = f"{self.result} result; {call} return result;" if by_address else \
            call if self.result == "void" else f"return {call}"
        arguments = ", ".join("..." if a == "..." else "[[maybe_unused]] " + a for a in self.arguments)
        return f"{self.result} {self.profiling}({arguments}) {{ {body} }}"


class Line:
    """One line of the table."""

    def __init__(self, place, line):
        match = re.fullmatch(r"(\w+|-)(\+ctx)? ([\w* ]*?[@\w*]+) (=?)([@\w]+)(?:/(\w+))?\((.*)\)", line)
        if not match:
            sys.exit(f"{place}: this is no call: {line}")
        self.set, self.has_context, self.result, self.bare, self.name = match[1], match[2], match[3], match[4], match[5]
        self.function = match[6] or re.sub("^@_|@", "", self.name)
        self.arguments = [] if match[7] == "void" else match[7].split(", ")

    def calls(self):
        for context in (False, True) if self.has_context else (False,):
            for type_name in SETS[self.set] if self.set != "-" else [None]:
                yield Call(self, type_name, context)

    def generic(self):
        """The name without a type, or none."""
        if not self.name.startswith("@_") or self.name.endswith("_to_all") or self.name == "@_wait":
            return None
        return self.name[2:]

    def distinct(self):
        """The types that compilers can tell apart."""
        seen = set()
        for name in SETS[self.set]:
            plain = SAME.get(TYPES[name], TYPES[name])
            if plain not in seen:
                seen.add(plain)
                yield name

    def selector(self):
        """Which argument tells the type, beside a context."""
        return next(i for i, a in enumerate(self.arguments) if "@*" in a)


def name_of(argument):
    return re.fullmatch(r".*?(\w+)", argument)[1]


LINES = [Line(place, line) for place, line in lines_of("calls.txt")]
CALLS = [call for line in LINES for call in line.calls()]


def associations(line, context):
    """What a generic chooses from."""
    argument = line.arguments[line.selector()]
    forms = ["{}*", "const {}*"] if argument.startswith("const") else ["{}*"]
    if line.set == "sync":
        forms.append("volatile {}*")
    prefix = "shmem_ctx_" if context else "shmem_"
    return ", ".join(f"{form.format(TYPES[t])}: {prefix}{t}_{line.generic()}"
                     for t in line.distinct() for form in forms)


def generic(line):
    chosen = f"HEDDLE_SHMEM_ARG{line.selector()}(__VA_ARGS__, 0, 0)"
    text = associations(line, False)
    if line.has_context:
        text = (f"shmem_ctx_t: _Generic((HEDDLE_SHMEM_ARG1(__VA_ARGS__, 0, 0)), {associations(line, True)}, "
                f"default: heddle_shmem_no_such_type), {text}")
    return f"#define shmem_{line.generic()}(...) _Generic(({chosen}), {text})(__VA_ARGS__)"


def overloads(line):
    for context in (False, True) if line.has_context else (False,):
        for type_name in line.distinct():
            if "complex" in type_name:
                continue
            call = Call(line, type_name, context)
            yield (f"inline {call.prototype('shmem_' + line.generic())} "
                   f"{{ return {call.public}({', '.join(call.names())}); }}")


def header():
    prototypes = [call.prototype(name) + ";" for profiling in (False, True) for call in CALLS
                  for name in [call.profiling if profiling else call.public]]
    generics = [line for line in LINES if line.generic()]
    text = (HERE / "shmem.h.in").read_text()
    text = text.replace("@PROTOTYPES@", "\n".join(prototypes))
    text = text.replace("@GENERICS@", "\n".join(generic(line) for line in generics))
    return text.replace("@OVERLOADS@", "\n".join(text for line in generics for text in overloads(line)))


def extensions():
    return "/* There are no extensions: everything is in shmem.h. */\n#include <shmem.h>\n"


def shims():
    lines = ["#define HEDDLE_SHMEM_NO_GENERICS", "#include <shmem.h>"]
    for call in CALLS:
        back = "" if call.result == "void" else "return "
        lines.append(f"{call.prototype(call.public)} {{ {back}{call.profiling}({', '.join(call.names())}); }}")
    return "\n".join(lines) + "\n"


def refusals():
    lines = ["void heddle_refuse(const char* function);"]
    lines += [f'void {call.profiling}(void) {{ heddle_refuse("{call.public}"); }}' for call in CALLS]
    return "\n".join(lines) + "\n"


def entries():
    lines = ['#include "shmem/api/calls.hpp"', 'extern "C" {']
    return "\n".join(lines + [call.entry() for call in CALLS] + ["}"]) + "\n"


def declarations():
    lines = []
    for line in LINES:
        arguments = ["const Site& site"] + (["Type type"] if line.set != "-" else [])
        arguments += ["void* result"] if line.result == "@" else []
        arguments += [re.sub("@ ", "const void* ", a).replace("@*", "void*") for a in line.arguments if a != "..."]
        result = "void" if line.result == "@" else line.result
        text = f"{result} {line.function}({', '.join(arguments)});"
        if text not in lines:
            lines.append(text)
    return "\n".join(lines) + "\n"


def keep():
    return "".join(f"-u {call.profiling}\n" for call in CALLS)


def main():
    folder = pathlib.Path(sys.argv[1])
    files = {"include/shmem.h": header, "include/shmemx.h": extensions, "shims.c": shims, "refusals.c": refusals,
             "entries.cpp": entries, "internal/shmem/declarations.hpp": declarations, "keep.options": keep}
    for name, make in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = make()
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    main()
