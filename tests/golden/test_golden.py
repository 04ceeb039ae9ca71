#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The generator's output for a few types and families is as it was last accepted.

test_golden.py API_FOLDER [--accept]
"""
import argparse
import difflib
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
TYPES = "float,long,int64,uint16,complexf,32"
FAMILIES = ("init,global_exit,aclshmem_global_exit,info_item,malloc,ptr,my_pe_old,"
            "put,put_sized,put_mem,p,g,iput,get_nbi,atomic_swap,atomic_fetch_add,"
            "atomic_fetch_add_nbi,atomic_fetch_xor,atomic_fetch_nbi,inc_old,wait_until,"
            "wait_until_short,wait_until_long,test,put_signal,signal_set,wait_until_some,"
            "team_split_strided,team_sync,sync_set,broadcast,broadcast_set,sum_reduce,sum_to_all,"
            "pcontrol")
OUTPUTS = ["openshmem_constants.h", "openshmem_functions.h", "openshmem_generics.h",
           "openshmem_complex.h", "pshmem_functions.h", "shmemx_functions.h", "aclshmem_constants.h",
           "aclshmem_functions.h", "legacy_names.h",
           "openshmem_functions_1.c", "openshmem_functions_2.c", "openshmem_functions_3.c",
           "openshmem_functions_4.c", "aclshmem_functions.c",
           "shmem.map", "shmem.symbols"]


def generate(api, folder):
    subprocess.run([sys.executable, "-B", api / "generate.py", "--types", TYPES, "--families",
                    FAMILIES, folder, *OUTPUTS], check=True)


def difference(accepted, found, name):
    old = accepted.read_text().splitlines() if accepted.exists() else []
    return list(difflib.unified_diff(old, found.read_text().splitlines(), f"accepted/{name}",
                                     f"now/{name}", lineterm=""))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("api", type=pathlib.Path)
    parser.add_argument("--accept", action="store_true", help="take the output of now")
    options = parser.parse_args()
    accepted = HERE / "accepted"
    if options.accept:
        accepted.mkdir(exist_ok=True)
        generate(options.api, accepted)
        return
    with tempfile.TemporaryDirectory() as folder:
        generate(options.api, folder)
        lines = []
        for name in OUTPUTS:
            lines += difference(accepted / name, pathlib.Path(folder) / name, name)
    if lines:
        print("\n".join(lines))
        sys.exit("The generator's output has changed. When that is meant, accept it, and commit it\n"
                 "with the change:  python3 tests/golden/test_golden.py api --accept")


if __name__ == "__main__":
    main()
