"""Fortran's interface, for gfortran: mpif.h, the modules mpi and mpi_f08, and the C functions behind all three.

A handle is the same number in C and in Fortran, a status has the same layout, a type of mpi_f08 is one integer, and an
absent argument is a null pointer: so one C function serves mpif.h, `use mpi` and `use mpi_f08`.
"""

import re

import table

# Calls whose arguments differ in Fortran; src/mpi/bindings/fortran_special.h has them. For each, Fortran's arguments, as in
# calls.txt, or None where Fortran has no such call.
SPECIAL = {
    "Init": "", "Init_thread": "int required, >int provided", "Info_create_env": ">info",
    "Pcontrol": None, "File_f2c": None, "File_c2f": None, "MPIX_Query_cuda_support": None,
    "Status_c2f": None, "Status_f2c": None, "Status_c2f08": None, "Status_f082c": None,
    "Type_get_contents_c": None, "Type_get_envelope_c": None,
}
# Of MPI 1: addresses and attributes are plain integers there.
SHORT_ADDRESSES = {"Address", "Type_extent", "Type_lb", "Type_ub", "Type_hindexed", "Type_hvector", "Type_struct"}
SPECIAL_KINDS = {"argv", "argvs", "strings", "attribute", "extra", "f08_status"}
SPECIAL_NAMES = {"Info_get", "Info_get_string", "Session_get_nth_pset", "Buffer_detach"}
INTEGERS = {"int", "rank", "root", "tag", "keyval", "index", "count", "displ", "weight", "errcode"}
FUNCTIONS = {"aint": "integer(kind=MPI_ADDRESS_KIND)", "double": "double precision"}


class Routine:
    """A call as Fortran sees it."""

    def __init__(self, call):
        self.call = call
        arguments = SPECIAL.get(call.name, False)
        self.special = arguments is not False or is_special(call)
        self.arguments = call.arguments if not arguments and arguments != "" else parse(arguments)
        self.returns = call.result in FUNCTIONS

    def kind(self, argument):
        """The kind of an argument in this form of the call."""
        kind = argument.kind
        if self.call.large:
            kind = {"count": "big", "displ": "aint", "acount": "big"}.get(kind, kind)
        elif kind == "acount":
            kind = "aint"
        short = self.call.name in SHORT_ADDRESSES and kind == "aint"
        return "int" if short or kind in INTEGERS else kind

    def name(self, profiling=False):
        return self.call.c_name(profiling)

    def symbol(self, profiling=False):
        return self.name(profiling).lower() + "_"


def parse(text):
    return [table.Argument(word) for word in text.split(", ") if word]


def is_special(call):
    kinds = {argument.kind for argument in call.arguments}
    functions = any(kind.startswith("MPI_") for kind in kinds)
    return functions or bool(kinds & SPECIAL_KINDS) or call.name in SPECIAL_NAMES | SHORT_ADDRESSES


def routines():
    for call in table.calls():
        if not call.name.startswith("T_") and SPECIAL.get(call.name, "") is not None:
            yield Routine(call)


# --- the C functions ---------------------------------------------------------------------------------------------------

C_KINDS = {"int": "int", "logical": "int", "aint": "MPI_Aint", "offset": "MPI_Offset", "big": "MPI_Count"}


def c_parameters(routine):
    lines, lengths = [], []
    for argument in routine.arguments:
        kind = routine.kind(argument)
        if kind == "string":
            lines.append(f"char* {argument.name}")
            lengths.append(f"size_t {argument.name}_length")
        elif kind in ("read", "write", "pointer"):
            lines.append(f"void* {argument.name}")
        elif kind == "status":
            lines.append(f"MPI_Status* {argument.name}")
        else:
            lines.append(f"{C_KINDS.get(kind, 'int')}* {argument.name}")
    return ", ".join(lines + ([] if routine.returns else ["int* ierror"]) + lengths) or "void"


def c_value(routine, argument):
    """What the C call gets for an argument; with statements for before and after it."""
    name, kind, before, after = argument.name, routine.kind(argument), "", ""
    if kind in ("read", "write"):
        value = f"buffer_of({name})"
    elif kind == "status":
        value = name if argument.direction == "" else f"{'statuses' if argument.array else 'status_of'}({name})"
    elif argument.kind == "weight":
        value = f"weights_of({name})"
    elif argument.kind == "index":
        value, after = name, f"count_from_one({name}, {'*outcount' if argument.array else 1});"
    elif kind == "file":
        before = f"MPI_File {name}_c = MPI_File_f2c(*{name});" if argument.direction != ">" else f"MPI_File {name}_c = 0;"
        value = ("&" if argument.direction else "") + name + "_c"
        after = f"*{name} = MPI_File_c2f({name}_c);" if argument.direction else ""
    elif kind == "string" and argument.direction:
        before = f"char* {name}_c = text_space();"
        value, after = f"{name}_c", f"give_text({name}_c, {name}, {name}_length, code);"
    elif kind == "string":
        trim = "trimmed_text" if routine.call.name.startswith("Info") else "text"
        before, value, after = f"char* {name}_c = {trim}({name}, {name}_length);", f"{name}_c", f"free({name}_c);"
    elif argument.array == "[3]":
        value = f"(int(*)[3]){name}"
    elif argument.array or argument.direction or kind == "pointer":
        value = name
    else:
        value = f"*{name}"
    return value, before, after


def c_function(routine, profiling):
    parts = [c_value(routine, argument) for argument in routine.arguments]
    call = f"{routine.name(profiling)}({', '.join(part[0] for part in parts)})"
    head = f"{routine.symbol(profiling)}({c_parameters(routine)})"
    if routine.returns:
        return f"{routine.call.c_result()} {head} {{ return {call}; }}"
    body = [part[1] for part in parts] + [f"const int code = {call};"] + [part[2] for part in parts]
    return f"void {head} {{ {' '.join(word for word in body if word)} if (ierror) *ierror = code; }}"


def c_functions():
    lines = ['#include "fortran_calls.h"']
    for profiling in (False, True):
        for routine in routines():
            if not routine.special:
                lines.append(c_function(routine, profiling))
        prefix = "P" if profiling else ""
        lines += [f"#define CALL(name) {prefix}MPI_##name", f"#define FORTRAN(name) {prefix.lower()}mpi_##name##_",
                  '#include "fortran_special.h"', "#undef CALL", "#undef FORTRAN"]
    for routine in routines():
        if routine.name() != "MPI_Buffer_detach":
            lines.append(f'__typeof__({routine.symbol()}) {routine.symbol()[:-1]}_f08_ '
                         f'__attribute__((alias("{routine.symbol()}")));')
    return "\n".join(lines) + "\n"


# --- mpif.h ------------------------------------------------------------------------------------------------------------


def number(value):
    """As a default integer of Fortran's has it."""
    value = int(value, 0)
    return value - 2**32 if value >= 2**31 else value


def fortran_constants():
    """(kind, name, number) of what Fortran knows."""
    for kind, name, value in table.constants():
        if kind in ("tool", "status_c"):
            continue
        change = {"attribute": 1, "length": -1}.get(kind, 0)
        yield kind, "MPI_" + name, number(value) + change


def mpif():
    return mpif_parts()[0] + mpif_parts()[1]


def mpif_parts():
    """Constants and variables, then functions."""
    lines = []
    for kind, name, value in fortran_constants():
        if kind == "offset":
            lines.append(f"      integer*8 {name}")
        else:
            lines.append(f"      integer {name}")
        lines.append(f"      parameter ({name}={value})")
    text = (table.HERE / "mpif.h.in").read_text().replace("@CONSTANTS@", "\n".join(lines))
    first, mark, second = text.partition("! Functions,")
    return first, mark + second


# --- the modules -------------------------------------------------------------------------------------------------------

KINDS = {"logical": "logical", "aint": "integer(kind=MPI_ADDRESS_KIND)", "offset": "integer(kind=MPI_OFFSET_KIND)",
         "big": "integer(kind=MPI_COUNT_KIND)", "string": "character(len=*)", "argv": "character(len=*)",
         "strings": "character(len=*)", "argvs": "character(len=*)", "f08_status": "type(MPI_Status)",
         "attribute": "integer(kind=MPI_ADDRESS_KIND)", "extra": "integer(kind=MPI_ADDRESS_KIND)"}
SHAPES = {"argv": "(*)", "strings": "(*)", "argvs": "(count, *)"}
INTENTS = {"": "in", ">": "out", "&": "inout"}
TYPES = {kind: table.C_TYPES[kind] for kind in table.HANDLES + ["file"]}


def declaration(routine, argument, f08):
    """The lines that declare a dummy argument."""
    name, kind = argument.name, routine.kind(argument)
    # With `use mpi`, programs hand arrays of types to MPI_Alltoallv and single ones, not looked at, to MPI_Alltoallw.
    any_shape = "lltoall" in routine.call.name and argument.kind in ("count", "displ", "datatype", "aint")
    if kind in ("read", "write") or (not f08 and (kind == "pointer" or any_shape)):
        return [f"type(*) :: {name}(*)", f"!GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}"]
    if kind == "pointer":
        return [f"type(c_ptr), intent(out) :: {name}"]
    if kind.startswith("MPI_"):
        large = "_c" if routine.call.large and kind in table.LARGE_FUNCTIONS else ""
        return [f"procedure({kind}{large}) :: {name}" if f08 else f"external :: {name}"]
    shape = SHAPES.get(kind, {"": "", "[]": "(*)", "[3]": "(3, *)"}[argument.array])
    if kind == "status":
        shape = shape if f08 else {"": "(MPI_STATUS_SIZE)", "(*)": "(MPI_STATUS_SIZE, *)"}[shape]
        type_name = "type(MPI_Status)" if f08 else "integer"
    elif kind in ("attribute", "extra") and routine.call.name in ("Attr_get", "Attr_put", "Keyval_create"):
        type_name = "integer"
    elif kind == "fint":
        shape, type_name = "(MPI_STATUS_SIZE)", "integer"
    elif kind in TYPES and f08:
        type_name = f"type({TYPES[kind]})"
    else:
        type_name = KINDS.get(kind, "integer")
    intent = f", intent({INTENTS[argument.direction]})" if f08 else ""
    return [f"{type_name}{intent} :: {name}{shape}"]


def interface(routine, f08):
    names = [argument.name for argument in routine.arguments]
    own = routine.name() + ("_f08" if f08 else "")
    if routine.returns:
        head = [f"function {own}({', '.join(names)}) result(answer)"]
        result = [f"{FUNCTIONS[routine.call.result]} :: answer"]
    else:
        head = [f"subroutine {own}({', '.join(names + ['ierror'])})"]
        result = ["integer, optional, intent(out) :: ierror" if f08 else "integer :: ierror"]
    lines = head + ["import"]
    for argument in routine.arguments:
        lines += declaration(routine, argument, f08)
    return lines + result + [f"end {'function' if routine.returns else 'subroutine'}"]


def module_mpi():
    lines = ["interface"]
    for routine in routines():
        if not routine.call.large:
            lines += interface(routine, False)
    lines.append("end interface")
    external = [line for line in mpif_parts()[1].splitlines() if "_FN" in line or "PMPI_WT" in line]
    return filled("mpi.f90.in", {"DECLARATIONS": mpif_parts()[0] + "\n".join(external), "INTERFACES": "\n".join(lines),
                                 "SIZEOF": "\n".join([*sizeof_interface(), "contains", *sizeof_procedures()])})


def filled(name, values):
    """A template with its marks replaced."""
    text = (table.HERE / name).read_text()
    for mark, value in values.items():
        text = text.replace(f"@{mark}@", value)
    return text


def sizeof_kinds():
    """The types that MPI_Sizeof knows, by a name each."""
    for name, word, kinds in (("integer", "i", (1, 2, 4, 8)), ("real", "r", (4, 8, 10, 16)), ("complex", "c", (4, 8, 10, 16)),
                              ("logical", "l", (1, 2, 4, 8))):
        for kind in kinds:
            yield f"heddle_sizeof_{word}{kind}", f"{name}(kind={kind})"
    yield "heddle_sizeof_character", "character(len=*)"


def where_known(type_name, lines):
    """Not every processor has every kind of real numbers: the compiler's preprocessor says which."""
    kind = re.search(r"kind=(10|16)", type_name)
    return [f"#ifdef __GFC_REAL_{kind[1]}__", *lines, "#endif"] if kind else lines


def sizeof_interface():
    lines = ["interface MPI_Sizeof"]
    for name, type_name in sizeof_kinds():
        lines += where_known(type_name, [f"module procedure {name}"])
    return lines + ["end interface"]


def sizeof_procedures():
    lines = []
    for name, type_name in sizeof_kinds():
        lines += where_known(type_name, [
            f"subroutine {name}(x, size, ierror)", f"{type_name}, intent(in) :: x(..)", "integer, intent(out) :: size",
            "integer, optional, intent(out) :: ierror", "size = storage_size(x) / 8",
            "if (present(ierror)) ierror = 0", "end subroutine"])
    return lines


def f08_constants():
    for kind, name, value in fortran_constants():
        if kind in TYPES:
            yield f"type({TYPES[kind]}), parameter :: {name} = {TYPES[kind]}({value})"
        elif kind == "offset":
            yield f"integer(kind=MPI_OFFSET_KIND), parameter :: {name} = {value}"
        else:
            yield f"integer, parameter :: {name} = {value}"


def comparisons():
    """Handles can be compared with each other."""
    interfaces, bodies = {"==": [], "/=": []}, []
    for kind, name in TYPES.items():
        for sign, word in (("==", "eq"), ("/=", "ne")):
            own = f"heddle_{kind}_{word}"
            interfaces[sign].append(own)
            bodies += [f"elemental logical function {own}(a, b)", f"type({name}), intent(in) :: a, b",
                       f"{own} = a%MPI_VAL {sign} b%MPI_VAL", "end function"]
    lines = []
    for sign, names in interfaces.items():
        lines += [f"interface operator({sign})"] + [f"module procedure {name}" for name in names] + ["end interface"]
    return "\n".join(lines), "\n".join(bodies)


def module_types():
    operators, bodies = comparisons()
    types = "\n".join(f"type, bind(C) :: {name}\ninteger(c_int) :: MPI_VAL\nend type" for name in TYPES.values())
    return filled("mpi_f08_types.f90.in", {"TYPES": types, "OPERATORS": operators, "PROCEDURES": bodies})


def same_in_fortran(call):
    """Whether a large form differs from the other in C alone: addresses are as long as counts."""
    kinds = {argument.kind for argument in call.arguments}
    return call.large and "acount" in kinds and not kinds & {"count", "displ"}


def module_f08():
    # A second form cannot be told from the first by a function among its arguments.
    own_names = {"Op_create", "Register_datarep"}
    generics = {}
    for routine in routines():
        if routine.call.name in SHORT_ADDRESSES | DROPPED or same_in_fortran(routine.call):
            continue
        name = routine.name() if routine.call.name in own_names else "MPI_" + routine.call.name
        generics.setdefault(name, []).append(routine)
    lines = []
    for name, forms in generics.items():
        lines.append(f"interface {name}")
        for routine in forms:
            lines += interface(routine, True)
        lines.append("end interface")
    return filled("mpi_f08.f90.in", {
        "CONSTANTS": "\n".join(f08_constants()), "CALLBACKS": "\n".join(callbacks()), "INTERFACES": "\n".join(lines),
        "SIZEOF_INTERFACE": "\n".join(sizeof_interface()), "SIZEOF_PROCEDURES": "\n".join(sizeof_procedures())})


# Functions of the program's, as mpi_f08 declares them: their arguments, by kinds as above.
VECTOR = "pointer invec, pointer inoutvec"
COPY = "int {0}_keyval, aint extra_state, aint attribute_val_in, >aint attribute_val_out, >logical flag, >int ierror"
DELETE = "int {0}_keyval, aint attribute_val, aint extra_state, >int ierror"
CONVERSION = "pointer userbuf, datatype, {0} count, pointer filebuf, offset position, aint extra_state, >int ierror"
CALLBACKS = {
    "MPI_User_function": VECTOR + ", int len, datatype",
    "MPI_User_function_c": VECTOR + ", big len, datatype",
    "MPI_Comm_copy_attr_function": "comm oldcomm, " + COPY.format("comm"),
    "MPI_Comm_delete_attr_function": "comm, " + DELETE.format("comm"),
    "MPI_Type_copy_attr_function": "datatype oldtype, " + COPY.format("type"),
    "MPI_Type_delete_attr_function": "datatype, " + DELETE.format("type"),
    "MPI_Win_copy_attr_function": "win oldwin, " + COPY.format("win"),
    "MPI_Win_delete_attr_function": "win, " + DELETE.format("win"),
    "MPI_Comm_errhandler_function": "comm, int error_code",
    "MPI_Win_errhandler_function": "win, int error_code",
    "MPI_File_errhandler_function": "file, int error_code",
    "MPI_Session_errhandler_function": "session, int error_code",
    "MPI_Grequest_query_function": "aint extra_state, >status, >int ierror",
    "MPI_Grequest_free_function": "aint extra_state, >int ierror",
    "MPI_Grequest_cancel_function": "aint extra_state, logical complete, >int ierror",
    "MPI_Datarep_extent_function": "datatype, >aint extent, aint extra_state, >int ierror",
    "MPI_Datarep_conversion_function": CONVERSION.format("int"),
    "MPI_Datarep_conversion_function_c": CONVERSION.format("big"),
}
PREDEFINED = {"MPI_COMM_DUP_FN": "MPI_Comm_copy_attr_function", "MPI_COMM_NULL_COPY_FN": "MPI_Comm_copy_attr_function",
              "MPI_COMM_NULL_DELETE_FN": "MPI_Comm_delete_attr_function",
              "MPI_TYPE_DUP_FN": "MPI_Type_copy_attr_function", "MPI_TYPE_NULL_COPY_FN": "MPI_Type_copy_attr_function",
              "MPI_TYPE_NULL_DELETE_FN": "MPI_Type_delete_attr_function",
              "MPI_WIN_DUP_FN": "MPI_Win_copy_attr_function", "MPI_WIN_NULL_COPY_FN": "MPI_Win_copy_attr_function",
              "MPI_WIN_NULL_DELETE_FN": "MPI_Win_delete_attr_function",
              "MPI_CONVERSION_FN_NULL": "MPI_Datarep_conversion_function",
              "MPI_CONVERSION_FN_NULL_C": "MPI_Datarep_conversion_function_c"}


def callback(name, arguments):
    lines = [f"subroutine {name}({', '.join(argument.name for argument in arguments)})", "import"]
    for a in arguments:
        if a.kind == "pointer":
            lines.append(f"type(c_ptr), value :: {a.name}")
        else:
            type_name = {"status": "type(MPI_Status)"}.get(a.kind) or KINDS.get(a.kind) or "integer"
            lines.append(f"{f'type({TYPES[a.kind]})' if a.kind in TYPES else type_name} :: {a.name}")
    return lines + ["end subroutine"]


def callbacks():
    lines = ["abstract interface"]
    for name, arguments in CALLBACKS.items():
        lines += callback(name, parse(arguments))
    lines += ["end interface", "interface"]
    for name, kind in PREDEFINED.items():
        lines += callback(name, parse(CALLBACKS[kind]))
    return lines + ["end interface"]


DROPPED = {"Attr_delete", "Attr_get", "Attr_put", "Keyval_create", "Keyval_free", "Errhandler_create", "Errhandler_get",
           "Errhandler_set"}
FILES = {"fortran.c": c_functions, "include/mpif.h": mpif, "mpi_f08_types.f90": module_types, "mpi.f90": module_mpi,
         "mpi_f08.f90": module_f08}
