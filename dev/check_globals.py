#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that shared libraries have no writable global variable but the listed ones.

usage: check_globals.py LIST LIBRARY...

A line of LIST is "library/variable: reason", library without .so and version. Constant data and
data that is constant after relocation (.data.rel.ro) are no concern. Exit status 1 when a library
has another writable variable, or lacks a listed one. The libraries must not be stripped.
"""
import re
import subprocess
import sys
from pathlib import Path

WRITABLE = re.compile(r"\.(data|bss|tdata|tbss)$|\.(data|bss|tdata|tbss|ldata|lbss)\.(?!rel\.ro)")
SECTION = re.compile(r"^\s*\[\s*(\d+)\]\s+(\S+)")
RUNTIME = {"completed", "__dso_handle", "_DYNAMIC", "__TMC_END__", "__bss_start", "_edata", "_end",
           "__data_start", "data_start", "_GLOBAL_OFFSET_TABLE_"}
KINDS = ("OBJECT", "TLS", "NOTYPE", "COMMON")
SUFFIX = re.compile(r"(\.\d+|\.lto_priv)+$")  # gcc: function-local variables, LTO


def read_list(path):
    """Returns {library: {variable}}; raises ValueError for a line without a reason."""
    listed = {}
    for number, line in enumerate(Path(path).read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = re.fullmatch(r"(\S+)/(\S+):\s+(\S.*)", line)
        if not match:
            raise ValueError(f"{path}:{number}: expected 'library/variable: reason', "
                             f"found '{line}'")
        listed.setdefault(match.group(1), set()).add(match.group(2))
    return listed


def readelf(option, library):
    return subprocess.run(["readelf", "--wide", option, str(library)], check=True,
                          env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"},
                          stdout=subprocess.PIPE, text=True).stdout.splitlines()


def writable_globals(library):
    """Names of the variables in writable sections; raises ValueError for a stripped library."""
    sections = {match.group(1) for line in readelf("--sections", library)
                if (match := SECTION.match(line)) and WRITABLE.match(match.group(2))}
    names, in_table, stripped = set(), False, True
    for line in readelf("--symbols", library):
        if line.startswith("Symbol table"):
            in_table = ".symtab" in line
            stripped = stripped and not in_table
        fields = line.split()  # number, value, size, type, bind, visibility, section, name
        if in_table and len(fields) == 8 and fields[6] in sections and fields[3] in KINDS:
            name = SUFFIX.sub("", fields[7].split("@")[0])
            names.add(name.split(".")[-1])  # clang: function.variable
    if stripped:
        raise ValueError(f"{library}: stripped, its variables cannot be seen")
    return names - RUNTIME


def library_name(path):
    return Path(path).name.split(".so")[0]


def check(listed, library):
    """Returns what is wrong with one library."""
    name = library_name(library)
    allowed, found = listed.get(name, set()), writable_globals(library)
    faults = [f"{name}: writable global '{variable}' is not listed" for variable in
              sorted(found - allowed)]
    faults += [f"{name}: listed global '{variable}' is not in the library" for variable in
               sorted(allowed - found)]
    return faults


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        listed = read_list(sys.argv[1])
        faults = [fault for library in sys.argv[2:] for fault in check(listed, library)]
    except (ValueError, OSError, subprocess.CalledProcessError) as error:
        faults = [error]
    for fault in faults:
        print(fault)
    if not faults:
        print("no writable globals but the listed ones in",
              " ".join(library_name(path) for path in sys.argv[2:]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
