#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every short name of CANN SHMEM stands for what it should, every function has its exact type.

check_legacy_names.py COMPILER STANDARD API_FOLDER INCLUDE_FOLDER...
"""
import pathlib
import re
import subprocess
import sys

FLAGS = ["-Wall", "-Wextra", "-Wshadow", "-pedantic", "-Werror", "-fsyntax-only"]
CPP_HEAD = "#include <type_traits>\ntemplate <auto> struct Is;\n"


def lines_of(path):
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def prototypes(api):
    """{name of a function: its prototype}"""
    return {re.search(r"(\w+)\(", line).group(1): line
            for line in lines_of(api / "checklist-aclshmem.txt")}


def name_check(legacy, name, number, is_function, is_cpp):
    if not is_function:  # declared twice, which only the same type may be
        return f"extern {legacy} *used_{number}; extern {name} *used_{number};"
    if is_cpp:
        return f'static_assert(std::is_same<Is<&{legacy}>, Is<&{name}>>::value, "{legacy}");'
    return f"extern __typeof__({name}) *used_{number}; __typeof__({name}) *used_{number} = {legacy};"


def type_check(name, prototype):
    returns, arguments = re.fullmatch(r"(.*?)%s(\(.*\));" % name, prototype).groups()
    return f'static_assert(std::is_same<decltype(&{name}), {returns}(*){arguments}>::value, "{name}");'


def main():
    compiler, standard, api, *folders = sys.argv[1:]
    is_cpp = "++" in standard
    api = pathlib.Path(api)
    functions = prototypes(api)
    pairs = [line.split() for line in lines_of(api / "checklist-legacy.txt")]
    checks = [name_check(legacy, name, number, name in functions, is_cpp)
              for number, (legacy, name) in enumerate(pairs)]
    if is_cpp:
        checks += [type_check(name, line) for name, line in functions.items()]
    source = (CPP_HEAD if is_cpp else "") + '#include "shmem.h"\n' + "\n".join(checks) + "\n"
    command = [compiler, f"-std={standard}", "-x", "c++" if is_cpp else "c", *FLAGS]
    done = subprocess.run(command + [f"-I{folder}" for folder in folders] + ["-"], input=source,
                          text=True, capture_output=True)
    print(f"{len(pairs)} short names, {len(functions)} functions")
    if done.returncode != 0:
        sys.exit(done.stderr)


if __name__ == "__main__":
    main()
