#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the includes of src/, tools/ and examples/ against the table src/layers.txt.

usage: check_layers.py [ROOT]

A line "folder: allowed folders" of the table makes a folder a layer, with everything below it
that has no line of its own. Files of a layer may include any header of their own layer, and of the
layers they are allowed to use the door: <folder>/<folder>.h, or any header when the layer is base.
A header among the allowed folders ("core/words_inline.h") is one more door, for this layer alone.
The arrows of the table must not run in a circle. Exit status 1 when a rule is broken.
"""
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
PROGRAMS = ("tools", "examples")  # layers whose names start at the root; all others are in src/
OPEN_LAYER = "base"  # every header of it is a door


def read_table(path):
    """Returns {layer: allowed layers} and what is wrong with the table."""
    table, faults = {}, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        layer, colon, allowed = line.partition(":")
        if not colon or layer.split() != [layer.strip()] or layer in table:
            faults.append(f"{path}:{number}: expected one 'folder: allowed folders', "
                          f"found '{line}'")
            continue
        table[layer] = allowed.split()
    for layer, allowed in table.items():
        faults += [f"{path}: {layer} may use {name}, which has no line of its own"
                   for name in allowed if name not in table and not name.endswith(".h")]
        faults += [f"{path}: {layer} may use {name}, which does not exist"
                   for name in allowed if name.endswith(".h") and not (path.parent / name).exists()]
    return table, faults


def find_cycle(table):
    """Returns the layers of a circle, first one repeated at the end, or None."""
    finished = set()

    def walk(layer, trail):
        if layer in trail:
            return trail[trail.index(layer):] + [layer]
        if layer in finished:
            return None
        for name in (name for name in table.get(layer, ()) if not name.endswith(".h")):
            cycle = walk(name, trail + [layer])
            if cycle:
                return cycle
        finished.add(layer)
        return None

    return next((cycle for layer in table if (cycle := walk(layer, []))), None)


def layer_of(path, table):
    """The layer of a path from the root: the longest name in the table that contains it, or None."""
    parts = path.parts[1:] if path.parts[0] == "src" else path.parts
    for depth in range(len(parts) - 1, 0, -1):
        name = "/".join(parts[:depth])
        if name in table:
            return name
    return None


def is_door(header, layer):
    return layer == OPEN_LAYER or header == f"{layer}/{layer.split('/')[-1]}.h"


def resolve(root, source, quote, name):
    """The path from the root of an included header of a layer, or None for any other header."""
    beside = (root / source).parent / name
    if quote == '"' and beside.exists():
        return beside.resolve().relative_to(root.resolve())
    if "/" in name and (root / "src" / name.split("/")[0]).is_dir():
        return Path("src") / name  # also when the build makes it
    return None


def check_include(root, table, source, quote, name):
    """Returns what is wrong with one include, or None."""
    target = resolve(root, source, quote, name)
    if target is None:
        return None
    own, layer = layer_of(source, table), layer_of(target, table)
    if layer is None:
        return f"{target} belongs to no layer of the table"
    header = "/".join(target.parts[1:])
    if layer == own:
        return None
    if layer not in table[own]:
        return f"{own} may not use {layer}"
    if header not in table[own] and not is_door(header, layer):
        return f"is not the door of {layer}"
    return None


def check_file(root, table, source):
    if layer_of(source, table) is None:
        return [f"{source}: its folder has no line in the table"]
    faults = []
    text = (root / source).read_text(errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        fault = check_include(root, table, source, *match.groups())
        if fault:
            faults.append(f"{source}:{number}: {match.group(2)}: {fault}")
    return faults


def check_tree(root):
    """Returns the number of files looked at and everything that is wrong."""
    table, faults = read_table(root / "src" / "layers.txt")
    cycle = find_cycle(table)
    if cycle:
        faults.append("the table runs in a circle: " + " -> ".join(cycle))
    if faults:
        return 0, faults
    sources = sorted(path.relative_to(root) for folder in ("src",) + PROGRAMS
                     for pattern in ("*.c", "*.h", "*.cpp")
                     for path in (root / folder).rglob(pattern))
    for source in sources:
        faults += check_file(root, table, source)
    return len(sources), faults


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    count, faults = check_tree(root)
    if not faults and count == 0:
        faults = [f"{root}: no C files found"]
    for fault in faults:
        print(fault)
    if not faults:
        print(f"{count} files keep to the layers")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
