#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a program's calls of the typed functions, from the tables of api/.

generate_tests.py OUTPUT PROGRAM

Each function of the families below is called by its name, and each C11 generic once per type. A
call is a macro of the headers that HEAD includes, with the function and its type of element. In the
programs whose names end in _ctx it is called with a context as first argument.
"""
import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "api"))
import tables  # noqa: E402

# program of the OpenSHMEM functions: {family: macro and its further arguments}
PROGRAMS = {
    "rma": {
        "put": ["PUT"], "put_sized": ["PUT"], "put_mem": ["PUT"],
        "put_nbi": ["PUT"], "put_nbi_sized": ["PUT"], "put_nbi_mem": ["PUT"],
        "p": ["UPDATE", "SET"],
        "get": ["GET"], "get_sized": ["GET"], "get_mem": ["GET"],
        "get_nbi": ["GET_NBI"], "get_nbi_sized": ["GET_NBI"], "get_nbi_mem": ["GET_NBI"],
        "g": ["FETCH"],
    },
    "strided": {
        "iput": ["IPUT"], "iput_sized": ["IPUT"], "ibput": ["IBPUT"], "ibput_sized": ["IBPUT"],
        "iget": ["IGET"], "iget_sized": ["IGET"], "ibget": ["IBGET"], "ibget_sized": ["IBGET"],
    },
    "atomic": {
        "atomic_fetch": ["FETCH"], "atomic_fetch_nbi": ["FETCH_NBI"],
        "atomic_set": ["UPDATE", "SET"],
        "atomic_swap": ["FETCH_UPDATE", "SET"], "atomic_swap_nbi": ["FETCH_UPDATE_NBI", "SET"],
        "atomic_compare_swap": ["COMPARE_SWAP"], "atomic_compare_swap_nbi": ["COMPARE_SWAP_NBI"],
        "atomic_inc": ["INC"], "atomic_fetch_inc": ["FETCH_INC"],
        "atomic_fetch_inc_nbi": ["FETCH_INC_NBI"],
        "fetch_old": ["FETCH"], "set_old": ["UPDATE", "SET"], "swap_old": ["FETCH_UPDATE", "SET"],
        "cswap_old": ["COMPARE_SWAP"], "add_old": ["UPDATE", "ADD"],
        "fadd_old": ["FETCH_UPDATE", "ADD"], "inc_old": ["INC"], "finc_old": ["FETCH_INC"],
    },
    "wait": {
        "wait_until": ["WAIT_UNTIL"], "wait_until_short": ["WAIT_UNTIL"],
        "wait_until_long": ["WAIT_UNTIL"], "test": ["TEST"], "test_short": ["TEST"],
        "wait_long": ["WAIT"], "wait_old": ["WAIT"],
    },
    "signal": {
        "put_signal": ["PUT_SIGNAL"], "put_signal_sized": ["PUT_SIGNAL"],
        "put_signal_mem": ["PUT_SIGNAL"], "put_signal_nbi": ["PUT_SIGNAL"],
        "put_signal_nbi_sized": ["PUT_SIGNAL"], "put_signal_nbi_mem": ["PUT_SIGNAL"],
        "signal_set": ["UPDATE", "SET"], "signal_add": ["UPDATE", "ADD"],
        "signal_fetch": ["SIGNAL_FETCH"], "signal_wait_until": ["SIGNAL_WAIT"],
    },
    "wait_many": {
        f"{verb}_{which}{vector}": [f"{verb.upper().removesuffix('_UNTIL')}_{which}{vector}".upper()]
        for verb in ("wait_until", "test") for which in ("all", "any", "some")
        for vector in ("", "_vector")
    },
    "collective": {
        "team_sync": ["TEAM_SYNC"], "sync_set": ["SET_SYNC"], "barrier_set": ["SET_BARRIER"],
    },
    "reduce": {},
    "scan": {"sum_inscan": ["INSCAN"], "sum_exscan": ["EXSCAN"]},
}
for copy in ("broadcast", "collect", "fcollect", "alltoall", "alltoalls"):
    PROGRAMS["collective"].update({copy: [copy.upper()], f"{copy}_mem": [copy.upper()],
                                   f"{copy}_set": [f"SET_{copy.upper()}"]})
for operation in ("and", "or", "xor", "min", "max", "sum", "prod"):
    PROGRAMS["reduce"].update({
        f"{operation}_reduce": ["REDUCE", operation.upper()],
        f"{operation}_reduce_signed": ["REDUCE", operation.upper()],
        f"{operation}_to_all": ["SET_REDUCE", operation.upper()]})
for operation in ("add", "and", "or", "xor"):
    PROGRAMS["atomic"].update({
        f"atomic_{operation}": ["UPDATE", operation.upper()],
        f"atomic_fetch_{operation}": ["FETCH_UPDATE", operation.upper()],
        f"atomic_fetch_{operation}_nbi": ["FETCH_UPDATE_NBI", operation.upper()]})

ON_CONTEXTS = [f"{name}_ctx" for name in ("rma", "strided", "atomic", "signal")]

# ACLSHMEM functions are all in one program
ACLSHMEM = {family: call for calls in PROGRAMS.values() for family, call in calls.items()}
ACLSHMEM.update({"aclshmem_wait": ["WAIT"], "aclshmem_test": ["TEST"],
                 "aclshmem_signal_wait_until": ["WAIT_UNTIL"]})
ACLSHMEM.update({f"aclshmem_{family}": call
                 for family, call in PROGRAMS["wait_many"].items()})
ACLSHMEM.update({f"aclshmem_put_signal{nbi}{form}": ["PUT_SIGNAL_32"]
                 for nbi in ("", "_nbi") for form in ("", "_sized", "_mem")})

# types of elements where the tables have none, or void
UNTYPED = {"wait_until_long": "long", "wait_long": "long", "signal_set": "uint64_t",
           "signal_add": "uint64_t", "signal_fetch": "uint64_t", "signal_wait_until": "uint64_t",
           "aclshmem_signal_wait_until": "int32_t"}
SIZED = {"1": "uint8_t", "2": "uint16_t", "4": "uint32_t", "8": "uint64_t",
         "16": "struct typed_128"}

HEAD = """\
/* SPDX-License-Identifier: BSD-3-Clause */
/* Made by tests/typed/generate_tests.py. */
/* what the functions have as first argument, before the others */
#define TYPED_FIRST {first}

#include "arrays.h"
#include "many.h"
#include "numbers.h"
#include "signals.h"
#include "waits.h"
#include "words.h"

#include <aclshmem.h>

const bool typed_are_on_contexts = {are_on_contexts};
"""


def element_of(function):
    if function.type is None:
        return UNTYPED.get(function.family.id, "unsigned char")
    if function.type.c_type == "void":
        return SIZED[function.type.bytes]
    return function.type.c_type


def has_result_argument(function):
    return function.arguments.endswith(" *res_out")


def returning(function):
    """A function that returns what this one leaves in its last argument."""
    arguments = function.arguments.split(", ")
    result_type = arguments.pop().removesuffix(" *res_out")
    names = [re.search(r"\w+$", a).group() for a in arguments]
    return (f"static {result_type} returning_{function.name}({', '.join(arguments)})\n{{\n"
            f"    {result_type} result = 4711;\n\n"
            f"    {function.name}({', '.join(names)}, &result);\n    return result;\n}}\n\n")


def name_of(function, generics):
    if has_result_argument(function):
        return f"returning_{function.name}"
    # in parentheses it is the function, not the generic of the same name
    return f"({function.name})" if function.name in generics else function.name


def calls_of(functions, generics, call):
    macro, *more = call
    lines = []
    for f in functions:
        name = name_of(f, generics)
        lines.append(f"    {macro}({', '.join([name, element_of(f)] + more)});\n")
    generic = functions[0].family.generic
    if generic != "-" and not functions[0].name.startswith("aclshmem_"):
        lines += [f"    {macro}({', '.join([generic, element_of(f)] + more)});\n"
                  for f in functions]
    return "".join(lines)


def program(data, face, calls, are_on_contexts):
    groups = {}
    for f in data.functions(face):
        if f.family.id in calls and f.name.startswith("shmem_ctx_") == are_on_contexts:
            groups.setdefault(f.family.id, []).append(f)
    generics = {family.generic for family in data.families}
    text = HEAD.format(first="call.ctx," if are_on_contexts else "",
                       are_on_contexts=str(are_on_contexts).lower())
    for family, functions in groups.items():
        text += "\n" + "".join(returning(f) for f in functions if has_result_argument(f))
        text += f"static void call_{family}(void)\n{{\n"
        text += calls_of(functions, generics, calls[family]) + "}\n"
    text += "\nconst struct typed_family typed_families[] = {\n"
    text += "".join(f'    {{"{family}", call_{family}}},\n' for family in groups)
    return text + "    {NULL, NULL},\n};\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("program", choices=[*PROGRAMS, *ON_CONTEXTS, "aclshmem"])
    options = parser.parse_args()
    face = "aclshmem" if options.program == "aclshmem" else "openshmem"
    name = options.program.removesuffix("_ctx")
    calls = ACLSHMEM if face == "aclshmem" else PROGRAMS[name]
    options.output.write_text(program(tables.load(), face, calls, options.program in ON_CONTEXTS))


if __name__ == "__main__":
    main()
