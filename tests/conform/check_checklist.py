#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares generated headers with a checklist, both ways.

check_checklist.py CHECKLIST HEADER... [--types-only]
"""
import argparse
import pathlib
import re
import sys


def generics(text):
    """'name(arguments)'; a name for several typed forms is there once for each."""
    forms = re.findall(r"^#define SHMEM_GENERIC_(shmem_\w+)_\d+(\(.*?\))", text, flags=re.MULTILINE)
    typed = {name for name, _ in forms}
    names = re.findall(r"^#define (shmem_\w+)(\(.*?\))", text, flags=re.MULTILINE)
    return [name + arguments for name, arguments in
            forms + [n for n in names if n[1] != "(...)" or n[0] not in typed]]


def declared(paths):
    """Prototypes and 'generic name(arguments)' lines of the headers."""
    found = []
    for path in paths:
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        found += re.findall(r"^(?!#)(\w.*\);)$", text, flags=re.MULTILINE)
        found += ["generic " + generic for generic in generics(text)]
    found = [re.sub(r"SHMEM_COMPLEX\((\w+)\)", r"\1 _Complex", line) for line in found]
    found = [re.sub(r" ACLSHMEM_UNLESS_GIVEN\(\w+\)", "", line) for line in found]
    return [line.replace("SHMEM_NORETURN ", "") for line in found]


def types_only(line):
    """Without what is no part of the function's type: names, const of a parameter itself."""
    head, arguments = re.fullmatch(r"(.*?)\((.*)\);", line).groups()
    kept = []
    for argument in arguments.split(", "):
        argument = re.sub(r"(?<=[ *])\w+$", "", argument).strip()
        if "*" not in argument:
            argument = argument.replace("const ", "")
        kept.append(argument.replace("int32_t", "int") if argument == "int32_t" else argument)
    return f"{head}({', '.join(kept)});"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checklist", type=pathlib.Path)
    parser.add_argument("headers", nargs="+", type=pathlib.Path)
    parser.add_argument("--types-only", action="store_true")
    options = parser.parse_args()

    wanted = [line for line in options.checklist.read_text().splitlines()
              if line and not line.startswith("#")]
    found = declared(options.headers)
    if options.types_only:
        wanted, found = map(types_only, wanted), map(types_only, found)
    wanted, found = set(wanted), list(found)
    problems = [f"declared twice: {line}" for line in sorted(set(found)) if found.count(line) > 1]
    problems += [f"in the checklist only: {line}" for line in sorted(wanted - set(found))]
    problems += [f"in the headers only: {line}" for line in sorted(set(found) - wanted)]
    print("\n".join(problems) or f"{len(wanted)} agree")
    if problems:
        sys.exit(f"{options.checklist.name}: {len(problems)} differences; correct api/*.tsv, or the "
                 "checklist when the interface itself has grown")
    if not wanted:
        sys.exit(f"{options.checklist.name}: empty")


if __name__ == "__main__":
    main()
