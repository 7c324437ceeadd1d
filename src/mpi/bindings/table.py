"""The table of MPI's calls (calls.txt) and of its constants (constants.txt), read."""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent

# What a kind is in C.
C_TYPES = {
    "int": "int", "rank": "int", "root": "int", "tag": "int", "keyval": "int", "index": "int", "logical": "int",
    "weight": "int", "errcode": "int",
    "count": "int", "displ": "int", "acount": "MPI_Aint",
    "aint": "MPI_Aint", "offset": "MPI_Offset", "big": "MPI_Count", "fint": "MPI_Fint", "double": "double",
    "comm": "MPI_Comm", "datatype": "MPI_Datatype", "op": "MPI_Op", "group": "MPI_Group", "info": "MPI_Info",
    "request": "MPI_Request", "errhandler": "MPI_Errhandler", "win": "MPI_Win", "message": "MPI_Message",
    "session": "MPI_Session", "file": "MPI_File", "status": "MPI_Status", "f08_status": "MPI_F08_status",
    "tool_enum": "MPI_T_enum", "cvar": "MPI_T_cvar_handle", "pvar": "MPI_T_pvar_handle",
    "pvar_session": "MPI_T_pvar_session", "event_registration": "MPI_T_event_registration",
    "event": "MPI_T_event_instance", "cb_safety": "MPI_T_cb_safety", "source_order": "MPI_T_source_order",
}
LARGE_C_TYPES = {"count": "MPI_Count", "displ": "MPI_Aint", "acount": "MPI_Count"}
LARGE_FUNCTIONS = {"MPI_User_function", "MPI_Datarep_conversion_function"}
HANDLES = ["comm", "datatype", "op", "group", "info", "request", "errhandler", "win", "message", "session"]
# Kinds whose C types are written with the name of the argument inside.
C_FORMS = {
    "read": "const void* {}", "write": "void* {}", "any": "void* {}", "extra": "void* {}", "attribute": "void* {}",
    ">attribute": "void* {}", ">pointer": "void* {}", "string": "const char* {}", ">string": "char* {}",
    "argv": "char* {}[]", "main_argv": "char*** {}", "strings": "char* {}[]", "argvs": "char** {}[]",
    "int[3]": "int {}[][3]", "status": "const MPI_Status* {}", "f08_status": "const MPI_F08_status* {}", "...": "...",
}


class Argument:
    """One argument: its direction ("", ">" or "&"), its kind, whether it is an array, and its name."""

    def __init__(self, text):
        words = text.split()
        match = re.fullmatch(r"([>&]?)([\w.]+)(\[\d*\])?", words[0])
        self.direction, self.kind, self.array = match[1], match[2], match[3] or ""
        self.name = words[-1] if len(words) > 1 else self.kind

    def c(self, large=False):
        """As C declares it."""
        for word in (self.direction + self.kind + self.array, self.direction + self.kind):
            if not (word == self.direction + self.kind and self.array) and word in C_FORMS:
                return C_FORMS[word].format(self.name)
        if self.kind.startswith("MPI_"):
            suffix = "_c" if large and self.kind in LARGE_FUNCTIONS else ""
            return f"{self.kind}{suffix}* {self.name}"
        name = (large and LARGE_C_TYPES.get(self.kind)) or C_TYPES[self.kind]
        if self.array:
            # Not as T name[]: compilers warn of constants such as MPI_STATUSES_IGNORE then.
            return f"{'' if self.direction else 'const '}{name}* {self.name}"
        return f"{name}{'*' if self.direction else ''} {self.name}"


class Call:
    """One call; `large` if it is the form with large counts of another."""

    def __init__(self, name, result, arguments, large):
        self.name, self.result, self.arguments, self.large = name, result, arguments, large

    def c_name(self, profiling=False):
        prefix = "" if self.name.startswith("MPIX_") else "MPI_"
        return ("P" if profiling else "") + prefix + self.name + ("_c" if self.large else "")

    def c_result(self):
        return C_TYPES[self.result]

    def c_arguments(self):
        return ", ".join(argument.c(self.large) for argument in self.arguments) or "void"

    def prototype(self, profiling=False):
        return f"{self.c_result()} {self.c_name(profiling)}({self.c_arguments()})"

    def names(self):
        return ", ".join(argument.name for argument in self.arguments if argument.kind != "...")


def fail(path, number, line):
    sys.exit(f"{path}:{number}: this is no call: {line}")


def calls():
    """All calls, in the order of the table, each large form behind the other, by sections."""
    path = HERE / "calls.txt"
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        match = re.fullmatch(r"(?:(\w+) )?(\w+)(/c)?\((.*)\)", line)
        if not match:
            fail(path, number, line)
        arguments = [Argument(text) for text in match[4].split(", ") if text]
        for large in (False, True) if match[3] else (False,):
            yield Call(match[2], match[1] or "int", arguments, large)


def constants():
    """(kind, name, value as text), in the order of the table."""
    for line in (HERE / "constants.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            yield tuple(line.split())
