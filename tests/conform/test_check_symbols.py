#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""dev/check_symbols.py accepts a library and its own list, and nothing else.

test_check_symbols.py CHECKER LIBRARY LIST
"""
import pathlib
import subprocess
import sys
import tempfile

CHECKER, LIBRARY, LIST = sys.argv[1:4]


def run(names, version="SHMEM_0"):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "names"
        path.write_text("".join(name + "\n" for name in names))
        done = subprocess.run([sys.executable, CHECKER, LIBRARY, path, "--version", version],
                              capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def expect(what, result, code, text):
    if result[0] != code or text not in result[1]:
        sys.exit(f"{what}: exit {result[0]}, expected {code} and '{text}' in:\n{result[1]}")


def main():
    names = pathlib.Path(LIST).read_text().split()
    expect("own list", run(names), 0, f"exports the {len(names)} names")
    expect("a name too few", run(names[1:]), 1, f"not in the list: {names[0]}")
    expect("a name too many", run(names + ["shmem_nonsense"]), 1, "not exported: shmem_nonsense")
    expect("other version", run(names, "SHMEM_9"), 1, f"instead of SHMEM_9: {names[0]}")
    expect("no names", run([]), 1, "has 0 names")


if __name__ == "__main__":
    main()
