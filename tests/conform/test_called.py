#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every function that a library exports is called by a program that the tests run.

test_called.py BUILD LIBRARY [--nm nm] [--readelf readelf]

The programs are those among the arguments of the tests of the build folder that need the library.
A profiling twin counts by its function: for each shmem_x there must be a pshmem_x, at the same
address, and no other.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(nm, path, kind):
    """{name: value} of the dynamic symbols of a kind; undefined ones have no value."""
    found = {}
    for line in output_of(nm, "--dynamic", kind, "--format=posix", str(path)).splitlines():
        name, letter, *value = line.split()
        if letter != "A":
            found[name.partition("@")[0]] = value[0] if value else None
    return found


def is_elf(path):
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def programs_of(build, soname, readelf):
    """Programs that need the library, among the commands of all tests."""
    tests = json.loads((build / "meson-info" / "intro-tests.json").read_text())
    words = {word for test in tests for word in test["cmd"]}
    paths = {(build / word).resolve() for word in words if len(word) < 4096 and "\0" not in word}
    inside = sorted(p for p in paths if build.resolve() in p.parents and is_elf(p))
    return [p for p in inside
            if f"[{soname}]" in output_of(readelf, "--wide", "--dynamic", str(p))]


def soname_of(readelf, library):
    found = re.search(r"SONAME.*\[(.*)\]", output_of(readelf, "--wide", "--dynamic", str(library)))
    if not found:
        sys.exit(f"{library}: has no soname")
    return found.group(1)


def twin_problems(exported):
    """What is wrong with the names that start with pshmem_."""
    problems = []
    for name in sorted(exported):
        if name.startswith("shmem_"):
            if "p" + name not in exported:
                problems.append(f"no profiling twin: {name}")
            elif exported["p" + name] != exported[name]:
                problems.append(f"another function than its twin: p{name}")
        elif name.startswith("pshmem_") and name[1:] not in exported:
            problems.append(f"twin of nothing: {name}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--readelf", default="readelf")
    options = parser.parse_args()

    exported = symbols(options.nm, options.library, "--defined-only")
    programs = programs_of(options.build, soname_of(options.readelf, options.library),
                           options.readelf)
    called = set()
    for program in programs:
        called |= set(symbols(options.nm, program, "--undefined-only"))
    functions = {name for name in exported if not name.startswith("pshmem_")}
    problems = [f"called by no program: {name}" for name in sorted(functions - called)]
    problems += twin_problems(exported)
    if problems or not functions:
        print("\n".join(problems))
        sys.exit(f"{len(problems)} problems with {len(functions)} functions of "
                 f"{options.library.name}, called by {len(programs)} programs")
    print(f"{len(programs)} programs call the {len(functions)} functions of {options.library.name}")


if __name__ == "__main__":
    main()
