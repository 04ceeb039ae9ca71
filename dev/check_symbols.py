#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A shared library exports exactly the symbols of one or several lists.

check_symbols.py LIBRARY LIST... [--version SHMEM_0] [--nm nm]

A LIST has one name a line. Each must be exported, under the given symbol version when there is one,
and nothing else but the name of that version itself.
"""
import argparse
import pathlib
import subprocess
import sys


def exported(nm, library):
    """{name: version or ""} of the defined dynamic symbols, version definitions left out."""
    command = [nm, "--dynamic", "--defined-only", "--with-symbol-versions", "--format=posix"]
    lines = subprocess.run(command + [str(library)], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    found = {}
    for line in lines:
        symbol, kind = line.split()[:2]
        name, _, version = symbol.replace("@@", "@").partition("@")
        if kind != "A":
            found[name] = version
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("lists", nargs="+", type=pathlib.Path, metavar="list")
    parser.add_argument("--version", help="symbol version that every name must have")
    parser.add_argument("--nm", default="nm")
    options = parser.parse_args()

    wanted = {name for path in options.lists for name in path.read_text().split()}
    list_names = ", ".join(path.name for path in options.lists)
    found = exported(options.nm, options.library)
    problems = [f"not exported: {name}" for name in sorted(wanted - set(found))]
    problems += [f"exported, but not in the list: {name}" for name in sorted(set(found) - wanted)]
    if options.version:
        problems += [f"version {found[name] or 'none'} instead of {options.version}: {name}"
                     for name in sorted(wanted & set(found)) if found[name] != options.version]
    if problems or not wanted:
        print("\n".join(problems))
        sys.exit(f"{options.library.name}: {len(problems)} differences from {list_names}, "
                 f"which has {len(wanted)} names")
    print(f"{options.library.name} exports the {len(wanted)} names of {list_names}")


if __name__ == "__main__":
    main()
