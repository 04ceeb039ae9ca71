#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pieces of programs that a compiler must accept, or refuse, with the warnings of a careful user.

check_programs.py COMPILER INCLUDE_FOLDER...
"""
import subprocess
import sys
from typing import NamedTuple


class Piece(NamedTuple):
    what: str
    standard: str
    code: str
    refused_for: str = ""  # text that the compiler's message must hold; "" = accepted
    before: str = ""  # what stands before the header is included


DECLARATIONS = """
int number, numbers[4];
extern const int constant;
double real;
volatile long flag;
void *anything;
"""

PIECES = [
    Piece("arrays and any pointer as source", "c11",
          "shmem_put(numbers, &constant, 1, 0); shmem_put(numbers, anything, 1, 0);"),
    Piece("generic as an expression", "c11",
          "number = shmem_g(&constant, 0) + (int)shmem_g(&flag, 0);"),
    Piece("generic as the branch of an if", "c11",
          "if (number) shmem_p(&number, 1, 0); else shmem_wait_until(&flag, SHMEM_CMP_EQ, 1L);"),
    Piece("long function where there are no generics", "c99",
          "long word = 0; shmem_wait_until(&word, SHMEM_CMP_EQ, 1);"),
    Piece("long function in C++", "c++17",
          "long word = 0; shmem_wait_until(&word, SHMEM_CMP_EQ, 1);"),
    Piece("function behind a generic by its address", "c11",
          "void (*wait)(long *, int, long) = shmem_wait_until; (void)wait;"),
    Piece("complex numbers of C++", "c++11",
          "std::complex<float> f[2]; std::complex<double> d[2]; long sync[1]; "
          "shmem_complexf_sum_reduce(SHMEM_TEAM_WORLD, f, f, 2); "
          "shmem_complexd_sum_inscan(SHMEM_TEAM_WORLD, d, d, 2); "
          "shmem_complexd_prod_to_all(d, d, 2, 0, 0, 1, d, sync);"),
    Piece("complex numbers of C in C++", "c++11",
          "__extension__ typedef float _Complex real; real c[2]; "
          "shmem_complexf_prod_reduce(SHMEM_TEAM_WORLD, c, c, 2);", before="#include <complex.h>"),
    Piece("complex numbers of another width", "c++17",
          "std::complex<double> d[2]; shmem_complexf_sum_reduce(SHMEM_TEAM_WORLD, d, d, 2);",
          "shmem_complexf_sum_reduce"),
    Piece("C++11 attributes", "c++11",
          "aclshmemx_init_attr_t a; aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &a);"),
    Piece("C attributes", "c99", "aclshmemx_init_attr_t a = ACLSHMEMX_INIT_ATTR_INITIALIZER; "
          "aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &a);"),
    *[Piece("ACLSHMEM teams, waits and signals", standard,
            "aclshmem_team_t teams[2]; aclshmem_team_config_t config; float f = 0; size_t found; "
            "aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, 1, teams); "
            "aclshmem_team_split_2d(teams[0], 1, &teams[0], &teams[1]); "
            "number = aclshmem_team_get_config(teams[0], &config); aclshmem_barrier(teams[0]); "
            "aclshmem_float_wait_until(&f, ACLSHMEM_CMP_GT, 0.5f); "
            "aclshmem_float_test_any(&f, 1, NULL, ACLSHMEM_CMP_EQ, 1, &found); "
            "aclshmemx_putmem_signal(numbers, numbers, 4, &number, 1, ACLSHMEM_SIGNAL_ADD, 0); "
            "anything = aclshmemx_get_heap_base(DEVICE_SIDE);")
      for standard in ("c99", "c11", "c++11", "c++17")],
    *[Piece("streams, whichever header comes first", standard,
            "aclrtStream stream = NULL; aclshmem_handle_t handle = {ACLSHMEM_TEAM_WORLD}; "
            "number = aclrtCreateStream(&stream) == ACL_SUCCESS; "
            "aclshmemx_putmem_on_stream(numbers, numbers, 4, 0, stream); "
            "aclshmemx_handle_wait(handle, stream); aclrtSynchronizeStream(stream);",
            before=before)
      for standard in ("c99", "c11", "c++11", "c++17")
      for before in ("#include <aclshmem/acl/acl.h>",
                     "#include <aclshmem.h>\n#include <aclshmem/acl/acl.h>")],
    Piece("the heap of ACLSHMEM without a name", "c++17",
          "anything = aclshmemx_get_heap_base(); anything = aclshmemx_malloc(8); "
          "anything = aclshmemx_calloc(1, 8); anything = aclshmemx_align(64, 8); "
          "aclshmemx_free(anything);", before="#include <aclshmem.h>"),
    *[Piece("the last argument of the heaps' functions left out", standard,
            "anything = aclshmemx_malloc(8); anything = aclshmemx_calloc(2, 8); "
            "anything = aclshmemx_align(16, 8); aclshmemx_free(anything); "
            "anything = aclshmemx_malloc(8, HOST_SIDE); aclshmemx_free(anything, HOST_SIDE);")
      for standard in ("c++11", "c++17")],
    Piece("that argument left out in C", "c11", "anything = aclshmemx_malloc(8);",
          "too few arguments"),
    Piece("the heap of ACLSHMEM by its address", "c++17",
          "auto base = &aclshmemx_get_heap_base; anything = base(HOST_SIDE);"),
    Piece("enumerations by their tags", "c++11",
          "enum aclshmemx_bootstrap_t how = ACLSHMEMX_INIT_WITH_DEFAULT; "
          "enum aclshmem_cmp_op_type_t test = ACLSHMEM_CMP_EQ; (void)how; (void)test;"),
    Piece("OpenSHMEM's header after CANN SHMEM's", "c11", "", "source file of its own",
          before="#include <aclshmem/shmem.h>"),
    Piece("CANN SHMEM's header after OpenSHMEM's", "c++17", "#include <aclshmem/shmem.h>",
          "source file of its own"),
    *[Piece(f"CANN SHMEM's header before {header}", "c11", "", "source file of its own",
            before=f"#include <aclshmem/shmem.h>\n#include <{header}>")
      for header in ("pshmem.h", "shmemx.h", "mpp/shmem.h")],
    Piece("a pSync of the old kind", "c99", "static long sync[_SHMEM_BCAST_SYNC_SIZE]; "
          "sync[0] = _SHMEM_SYNC_VALUE; (void)sync;"),
    Piece("writing to a constant", "c11", "shmem_p(&constant, 1, 0);", "_Generic"),
    Piece("fetching into a constant", "c11",
          "shmem_atomic_fetch_nbi(&constant, &number, 0);", "_Generic"),
    Piece("putting from another type", "c11", "shmem_put(&number, &real, 1, 0);", "pointer"),
    Piece("getting into another type", "c11", "shmem_get(&real, &number, 1, 0);", "pointer"),
    Piece("fetching into another type", "c11",
          "shmem_atomic_fetch_add_nbi(&real, &number, 1, 0);", "pointer"),
    Piece("a type that has no bitwise operations", "c11",
          "shmem_atomic_and(&flag, 1, 0); shmem_atomic_xor(&real, 1, 0);", "_Generic"),
    Piece("an untyped target", "c11", "shmem_put(anything, &number, 1, 0);", "_Generic"),
    Piece("no generics when not wanted", "c11", "shmem_put(&number, &number, 1, 0);", "shmem_put",
          before="#define SHMEM_NO_GENERICS"),
    Piece("no generics in C99", "c99", "shmem_put(&number, &number, 1, 0);", "shmem_put"),
]


def compiles(compiler, folders, piece):
    language = "c++" if "++" in piece.standard else "c"
    source = (f"{piece.before}\n#include <shmem.h>\n{DECLARATIONS}\nvoid program(void);\n"
              f"void program(void)\n{{\n{piece.code}\n}}\n")
    command = [compiler, f"-std={piece.standard}", "-x", language, "-Wall", "-Wextra", "-pedantic",
               "-Werror", "-fsyntax-only", *(f"-I{folder}" for folder in folders), "-"]
    done = subprocess.run(command, input=source, text=True, capture_output=True)
    return done.returncode == 0, done.stderr


def main():
    compiler, *folders = sys.argv[1:]
    failed = 0
    for piece in PIECES:
        accepted, message = compiles(compiler, folders, piece)
        wanted = not piece.refused_for
        if accepted != wanted or (not wanted and piece.refused_for not in message):
            failed += 1
            print(f"{piece.what} ({piece.standard}): expected to be "
                  f"{'accepted' if wanted else 'refused for ' + piece.refused_for}\n{message}")
    if failed:
        sys.exit(f"{compiler}: {failed} of {len(PIECES)} pieces")


if __name__ == "__main__":
    main()
