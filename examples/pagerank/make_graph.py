#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Derives the dependency graph of Debian's binary packages, the data of the pagerank example.

Nodes are packages in alphabetical order. There is an edge from a package to each package that it
Depends, Pre-Depends or Recommends on. Of alternatives the first that exists counts: a package of
that name, else the alphabetically first package that provides the name. A dependency of which no
alternative exists, and one of a package on itself, is dropped. If a package is listed more than
once, the first entry counts. The same lists give the same file, byte for byte.

The input is what apt keeps in /var/lib/apt/lists of the section main (run `apt-get update` if it
is empty), or the Packages files named. examples/README.md describes the output.
"""

import argparse
import glob
import gzip
import lzma
import os
import re
import subprocess
import sys

DEPENDENCY_FIELDS = ("Pre-Depends", "Depends", "Recommends")
FIELDS = DEPENDENCY_FIELDS + ("Package", "Provides")


def open_text(path):
    """The bytes of a Packages file, compressed or not."""
    if path.endswith(".gz"):
        with gzip.open(path) as packed:
            return packed.read()
    if path.endswith(".xz"):
        with lzma.open(path) as packed:
            return packed.read()
    if path.endswith((".lz4", ".zst")):
        command = ["/usr/lib/apt/apt-helper", "cat-file", path]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    with open(path, "rb") as plain:
        return plain.read()


def read_stanzas(text):
    """Yields each entry of a Packages file as a dictionary of the fields that matter here."""
    stanza, field = {}, None
    for line in text.splitlines():
        if not line:
            if stanza:
                yield stanza
            stanza, field = {}, None
        elif line[0] in " \t":
            if field is not None:
                stanza[field] += " " + line.strip()
        else:
            name, _, value = line.partition(":")
            field = name if name in FIELDS else None
            if field is not None:
                stanza[field] = value.strip()
    if stanza:
        yield stanza


def name_of(relation):
    """'libc6:any (>= 2.36) [amd64]' -> 'libc6'"""
    return re.split(r"[\s:(\[<]", relation.strip(), maxsplit=1)[0]


def names_of(value):
    return [name for name in map(name_of, value.split(",")) if name]


def resolve(alternatives, index, providers):
    """The number of the first alternative that exists, or None."""
    for name in map(name_of, alternatives.split("|")):
        if name in index:
            return index[name]
        if name in providers:
            return index[providers[name]]
    return None


def build_graph(stanzas):
    """(names, sorted target numbers of each name) of the entries."""
    packages = {}
    for stanza in stanzas:
        if "Package" in stanza:
            packages.setdefault(stanza["Package"], stanza)
    names = sorted(packages)
    index = {name: number for number, name in enumerate(names)}
    providers = {}
    for name in names:
        for virtual in names_of(packages[name].get("Provides", "")):
            providers.setdefault(virtual, name)
    edges = []
    for number, name in enumerate(names):
        targets = set()
        for field in DEPENDENCY_FIELDS:
            for alternatives in packages[name].get(field, "").split(","):
                targets.add(resolve(alternatives, index, providers))
        edges.append(sorted(targets - {None, number}))
    return names, edges


def encode(names, edges, title):
    """The text of examples/README.md: a header, then one line a node with gaps for targets."""
    total = sum(map(len, edges))
    lines = [f"graph 1 {len(names)} {total} {title}"]
    for name, targets in zip(names, edges):
        gaps = [target - previous for target, previous in zip(targets, [0] + targets)]
        lines.append(" ".join([name, *map(str, gaps)]))
    return ("\n".join(lines) + "\n").encode("ascii")


def write_gzip(path, text):
    """Without a file name and a time, so that equal text gives equal bytes."""
    with open(path, "wb") as raw:
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=9, mtime=0) as packed:
            packed.write(text)


def this_suite():
    with open("/etc/os-release", encoding="utf-8") as release:
        found = re.search(r'^VERSION_CODENAME="?([a-z]+)', release.read(), re.MULTILINE)
    return found.group(1) if found else "stable"


def release_title(lists, suite):
    """'Debian 12.15 bookworm main amd64, Sat, 11 Jul 2026' from the suite's InRelease file."""
    facts = {}
    for path in sorted(glob.glob(os.path.join(lists, f"*_dists_{suite}_InRelease"))):
        with open(path, encoding="utf-8", errors="replace") as release:
            for line in release:
                key, _, value = line.partition(":")
                facts.setdefault(key, value.strip())
    words = [facts.get("Origin", "Debian"), facts.get("Version", ""), suite, "main amd64"]
    date = " ".join(facts.get("Date", "").split()[:4])
    return " ".join(filter(None, words)) + (f", {date}" if date else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("packages", nargs="*", help="Packages files, plain, .gz, .xz or .lz4")
    parser.add_argument("--lists", default="/var/lib/apt/lists", help="where apt keeps its lists")
    parser.add_argument("--suite", default=this_suite(), help="default: that of this machine")
    parser.add_argument("--title", help="text for the header line")
    data = os.path.join(os.path.dirname(__file__), "..", "data", "debian-packages.txt.gz")
    parser.add_argument("--output", default=os.path.normpath(data), help="default: %(default)s")
    options = parser.parse_args()

    paths, title = options.packages, options.title or "Packages"
    if not paths:
        for architecture in ("amd64", "all"):
            name = f"*_dists_{options.suite}_main_binary-{architecture}_Packages*"
            paths += sorted(glob.glob(os.path.join(options.lists, name)))
        title = options.title or release_title(options.lists, options.suite)
    if not paths:
        sys.exit(f"make_graph: no Packages file of {options.suite} main in {options.lists}; "
                 "run apt-get update")
    texts = (open_text(path).decode("utf-8") for path in paths)
    names, edges = build_graph(stanza for text in texts for stanza in read_stanzas(text))
    write_gzip(options.output, encode(names, edges, title))
    print(f"{options.output}: {len(names)} packages, {sum(map(len, edges))} dependencies")


if __name__ == "__main__":
    main()
