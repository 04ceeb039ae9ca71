#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reports functions and files that have grown beyond the habits of this tree; never fails.

usage: report_sizes.py [ROOT]

Limits: functions 60 lines, .c files 600, .h files 300, Python files 400. Functions are found by
Universal Ctags when it is installed, by their braces otherwise.
"""
import json
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

FOLDERS = ("src", "include", "tools", "examples", "tests", "bench", "python", "api", "dev")
FILE_LIMITS = {".c": 600, ".h": 300, ".py": 400}
FUNCTION_LIMIT = 60
SKIPPED = {"__pycache__", "golden"}  # golden files hold what the generator writes
HEAD = re.compile(r"([A-Za-z_]\w*)\s*\([^;]*$")


def source_files(root):
    return sorted(path for folder in FOLDERS for path in (root / folder).rglob("*")
                  if path.suffix in FILE_LIMITS and not SKIPPED & set(path.parts))


def functions_by_ctags(paths):
    """Yields (lines, path, name) of each function."""
    command = ["ctags", "--output-format=json", "--fields=+ne", "--languages=C,C++,Python",
               "--kinds-C=f", "--kinds-C++=f", "--kinds-Python=fm", "-f", "-", "-L", "-"]
    output = subprocess.run(command, input="\n".join(map(str, paths)), text=True, check=True,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    for line in output.splitlines():
        tag = json.loads(line)
        if tag.get("_type") == "tag" and "end" in tag:
            yield tag["end"] - tag["line"] + 1, tag["path"], tag["name"]


def functions_by_braces(paths):
    """As functions_by_ctags, for C whose function bodies have their braces in the first column."""
    for path in paths:
        if path.suffix not in (".c", ".h"):
            continue
        name, start, begun = None, 0, False
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if begun and line.startswith("}"):
                yield number - start + 1, str(path), name
                name, begun = None, False
            elif name and line == "{":
                begun = True
            elif not begun and line[:1].isalpha():
                match = HEAD.search(line)
                name, start = (match.group(1), number) if match else (None, 0)


def has_universal_ctags():
    if not shutil.which("ctags"):
        return False
    features = subprocess.run(["ctags", "--list-features"], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return re.search(r"^json\b", features, re.MULTILINE) is not None


def report(root):
    """Returns the lines of the report."""
    paths = source_files(root)
    find = functions_by_ctags if has_universal_ctags() else functions_by_braces
    functions = sorted(find(paths), reverse=True)
    lines = []
    for path in paths:
        count = len(path.read_text(errors="replace").splitlines())
        if count > FILE_LIMITS[path.suffix]:
            lines.append(f"{path.relative_to(root)}: {count} lines, "
                         f"limit {FILE_LIMITS[path.suffix]}")
    for count, path, name in functions:
        if count > FUNCTION_LIMIT:
            lines.append(f"{Path(path).relative_to(root)}: {name}: {count} lines, "
                         f"limit {FUNCTION_LIMIT}")
    sizes = [count for count, path, _ in functions if Path(path).suffix == ".c"]
    if len(sizes) > 1:
        lines.append(f"{len(paths)} files; {len(sizes)} C functions, median "
                     f"{statistics.median(sizes):.0f} lines, nine of ten within "
                     f"{statistics.quantiles(sizes, n=10, method='inclusive')[-1]:.0f}")
    return lines


def main():
    for line in report(Path(sys.argv[1] if len(sys.argv) > 1 else ".")):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
