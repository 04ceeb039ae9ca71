#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""<aclshmem.h> has every constant, type and layout of interface.tsv that host code can use, and
<shmem.h> none of those with a common name.

check_interface.py COMPILER STANDARD INTERFACE INCLUDE_FOLDER...
"""
import re
import subprocess
import sys

BYTES = {"int": 4, "unsigned int": 4, "unsigned": 4, "int (C enum)": 4, "uint8_t": 1,
         "unsigned long": 8, "uint64_t constexpr": 8, "int constexpr": 4, "int32_t constexpr": 4}
FUNCTION_LIKE = {"ALIGN_TO(size,page)": "ALIGN_TO(1001, 300) == 1200 && ALIGN_TO(900, 300) == 900",
                 "ALIGN_UP(val,al)": "ALIGN_UP(1001, 256) == 1024 && ALIGN_UP(512, 256) == 512"}
START = """#include <aclshmem.h>
#ifdef __cplusplus
#include <type_traits>
#define HOLDS(condition) static_assert(condition, "differs")
#define SAME(...) HOLDS((std::is_same<__VA_ARGS__>::value))
#else
#define HOLDS(condition) _Static_assert(condition, "differs")
#define SAME(...) HOLDS(__builtin_types_compatible_p(__VA_ARGS__))
#endif
#define PART(name, type) type part_##name
#define BYTE(name, type) char byte_##name
#define SIZE(bits) char part_##bits
#define AT(type, member) __typeof__(((type *)0)->member)
"""
PLAIN = ("DEFAULT_TIMEOUT", "SCALAR_DATA_CACHELINE_SIZE", "L2_CACHELINE_SIZE", "SYNC_LOG_MAX_PES",
         "SYNC_ARRAY_SIZE", "SYNC_COUNTER_SIZE", "SYNC_POOL_SIZE", "SYNC_COUNTERS_SIZE",
         "ALIGN_TO", "ALIGH_TO", "ALIGN_UP")


def parts_of(name, value):
    """An X-macro: a struct with a member for each element."""
    macro = name.partition("(")[0]
    elements = re.findall(r"F\((\d+)\)", value) or value.removeprefix("host: ").split()
    is_sizes = elements[0].isdigit()
    tag = f"of_{macro}"
    text = f"struct {tag} {{ {macro}({'SIZE' if is_sizes else 'BYTE'}); }};"
    text += f" HOLDS(sizeof(struct {tag}) == {len(elements)});"
    if is_sizes:
        return text + "".join(f" SAME(AT(struct {tag}, part_{e}), char);" for e in elements)
    text += f" struct typed_{tag} {{ {macro}(PART); }};"
    for element in elements:
        c_type = element if element in ("float", "double", "char") else element + "_t"
        text += f" SAME(AT(struct typed_{tag}, part_{element}), {c_type});"
    return text


def check_macro(name, value, kind):
    if kind == "function-like":
        return f"HOLDS({FUNCTION_LIKE[name]});"
    if kind == "X-macro":
        return parts_of(name, value)
    if kind == "attribute":
        return f"extern {name} int has_{name};"
    if kind == "initialiser":
        return f"aclshmemx_uniqueid_t make(void); aclshmemx_uniqueid_t make(void) {{" \
               f" aclshmemx_uniqueid_t made = {name}; return made; }}"
    if kind == "alias" and "(" not in value and value.isupper():
        return f"HOLDS({name}(1001, 300) == {value}(1001, 300));"
    if kind == "alias":
        return f"SAME({name}, {value});"
    return check_number(name, value, kind)


def check_number(name, value, kind):
    width = f" && sizeof({name}) == {BYTES[kind]}" if kind in BYTES else ""
    return f"HOLDS({name} == {value}{width});"


def check(row, is_cpp):
    kind, name, value, c_type, owner, _ = row
    if not is_cpp:
        c_type = c_type.replace("size_t &", "size_t *")
    if kind == "enum":
        return f"HOLDS(sizeof({name}) == {BYTES[c_type]});"
    if kind == "enumerator":
        return f"HOLDS({name} == {value});"
    if kind == "macro":
        return check_macro(name, value, c_type)
    if kind == "constant":
        return check_number(name, value, c_type)
    if kind == "typedef":
        return f"SAME({name}, __typeof__({c_type}));"
    if kind == "struct":
        return f"HOLDS(sizeof({name}) == {value.removeprefix('sizeof ')});"
    offset, size = re.fullmatch(r"offset (\d+) size (\d+)", value).groups()
    return (f"HOLDS(offsetof({owner}, {name}) == {offset} && sizeof(AT({owner}, {name})) == {size});"
            f" SAME(AT({owner}, {name}), __typeof__({c_type}));")


def compile_text(command, text):
    return subprocess.run(command, input=text, text=True, capture_output=True)


def main():
    compiler, standard, interface, *folders = sys.argv[1:]
    is_cpp = "++" in standard
    command = [compiler, f"-std={standard}", "-x", "c++" if is_cpp else "c", "-Wall", "-Werror",
               "-fsyntax-only", *[f"-I{folder}" for folder in folders], "-"]
    if not is_cpp:
        command.insert(1, "-fmax-errors=0" if "gcc" in compiler else "-ferror-limit=0")
    text, expected, others = START, 0, 0
    with open(interface, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            row = line.rstrip("\n").split("\t")
            if line.startswith("#") or row[0] == "kind":
                continue
            if row[5] != "host":
                others += 1
                continue
            expected += 1
            text += f'#line {number} "interface.tsv"\n{check(row, is_cpp)}\n'
    done = compile_text(command, text)
    failed = set(re.findall(r"interface\.tsv:(\d+):", done.stderr))
    print(f"{expected} rows for hosts, {expected - len(failed)} present; {others} for others")
    if done.returncode != 0 or failed or expected < 190:
        sys.exit(done.stderr or "the list is too short")
    text = "#include <shmem.h>\ntypedef double Result;\nenum { NO_NBI = 5, NBI = 7 };\n"
    text += "".join(f"#ifdef {name}\n#error {name} is too common\n#endif\n" for name in PLAIN)
    done = compile_text(command, text)
    if done.returncode != 0:
        sys.exit(done.stderr)


if __name__ == "__main__":
    main()
