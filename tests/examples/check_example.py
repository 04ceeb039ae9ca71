#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs one example with several numbers of PEs and checks what it prints, right and wrong uses."""

import argparse
import gzip
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile

LIMIT_SECONDS = 60


class Example:
    """A program under the launcher, in a folder of its own."""

    def __init__(self, name, command):
        self.name = name
        self.command = command
        self.folder = None

    def run(self, n_pes, *arguments):
        """(exit status, stdout, stderr); a run over the time limit is killed and fails the test."""
        launch = [word.replace("@N@", str(n_pes)) for word in self.command]
        with subprocess.Popen([*launch, *map(str, arguments)], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              start_new_session=True) as job:
            try:
                out, err = job.communicate(timeout=LIMIT_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(job.pid, signal.SIGKILL)
                sys.exit(f"{launch} {arguments}: not done after {LIMIT_SECONDS} s")
        return job.returncode, out, err

    def succeed(self, n_pes, *arguments):
        status, out, err = self.run(n_pes, *arguments)
        expect(status == 0, f"{n_pes} PEs, {arguments}: exit status {status}\n{out}\n{err}")
        return out

    def refuse(self, n_pes, reason, *arguments):
        """The run must fail, with exactly one line of the program's own that matches."""
        status, out, err = self.run(n_pes, *arguments)
        what = f"{n_pes} PEs, {arguments}: exit status {status}\n{out}\n{err}"
        expect(status != 0, f"success of {what}")
        lines = [line for line in err.splitlines() if line.startswith(f"{self.name}: ")]
        expect(len(lines) == 1, f"{len(lines)} lines of error from {what}")
        expect(re.search(reason, lines[0]), f"no '{reason}' in {what}")

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content)
        return path


class StartedByHand(Example):
    """A program of which each process is told N_PES PE ADDRESS, as those for CANN SHMEM are."""

    def run(self, n_pes, *arguments):
        with socket.create_server(("127.0.0.1", 0)) as free:
            address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        jobs = [subprocess.Popen([*self.command, str(n_pes), str(pe), address, *arguments],
                                 cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE) for pe in range(n_pes)]
        try:
            texts = [job.communicate(timeout=LIMIT_SECONDS) for job in jobs]
        except subprocess.TimeoutExpired:
            sys.exit(f"{self.command}: not done after {LIMIT_SECONDS} s")
        finally:
            for job in jobs:
                job.kill()
                job.wait()
        outs, errs = zip(*texts)
        return max(job.returncode for job in jobs), "".join(outs), "".join(errs)


def expect(condition, message):
    if not condition:
        sys.exit(message)


def check_help(example):
    out = example.succeed(2, "--help")
    expect(out.count(f"usage: {example.name}") == 1, f"--help printed\n{out}")


def check_hello(example):
    for n_pes in (1, 4):
        lines = sorted(example.succeed(n_pes).splitlines())
        wanted = [f"hello from PE {pe} of {n_pes}" for pe in range(n_pes)]
        expect(lines == wanted, f"printed {lines}")
    example.refuse(2, "no arguments, found 'world'", "world")


def check_ring(example):
    for n_pes in (1, 2, 5):
        out = example.succeed(n_pes, "--rounds", 20)
        wanted = f"ring: {n_pes} PEs, 20 rounds, {20 * n_pes} hops, [0-9.]+ us per hop\n"
        expect(re.fullmatch(wanted, out), f"printed {out}")
    for arguments in (["--rounds"], ["--rounds", "0"], ["--rounds", "5x"], ["20"]):
        example.refuse(2, "number from 1 to 100000000", *arguments)


def check_multi_instance(example):
    for n_pes in (1, 2, 5):
        out = example.succeed(n_pes)
        total = sum(pe * pe for pe in range(n_pes))
        expect(out == f"{n_pes} PEs, sum of squares {total}, token {n_pes}\n", f"printed {out}")
    example.refuse(2, "no arguments, found 'world'", "world")


def heat_checksum(width, height, steps):
    """What heat has to print, computed with Python's floats."""
    discs = ((0.3, 0.45, 0.15), (0.7, 0.6, 0.2), (0.35, 0.8, 0.08))

    def first(column, row):
        if row == 0:
            return 0.7
        if row == height - 1 or column in (0, width - 1):
            return 0.0
        x, y = (column + 0.5) / width, (row + 0.5) / height
        return float(any((x - cx) * (x - cx) + (y - cy) * (y - cy) < radius * radius
                         for cx, cy, radius in discs))

    plate = [[first(column, row) for column in range(width)] for row in range(height)]
    for _ in range(steps):
        last, plate = plate, [row[:] for row in plate]
        for y in range(1, height - 1):
            for x in range(1, width - 1):
                around = (last[y - 1][x] + last[y + 1][x]) + (last[y][x - 1] + last[y][x + 1])
                plate[y][x] = last[y][x] + 0.2 * (around - 4 * last[y][x])
    checksum = 0xcbf29ce484222325
    for value in (value for row in plate for value in row):
        bits, = struct.unpack("<Q", struct.pack("<d", value))
        checksum = ((checksum ^ bits) * 0x100000001b3) % 2**64
    return f"checksum: {checksum:016x}"


def picture_size(path):
    with open(path, "rb") as file:
        content = file.read()
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return struct.unpack(">II", content[16:24])
    width, height = map(int, content.split(b"\n")[1].split())
    expect(len(content) == len(f"P6\n{width} {height}\n255\n") + 3 * width * height, "short PPM")
    return width, height


def check_heat(example):
    size = ("--width", 37, "--height", 23, "--steps")
    for steps in (0, 1, 40):
        wanted = heat_checksum(37, 23, steps)
        for n_pes in (1, 2, 3, 5):
            output = os.path.join(example.folder, f"picture-{n_pes}-{steps}")
            out = example.succeed(n_pes, *size, steps, "--output", output)
            expect(out.splitlines()[-1] == wanted, f"{n_pes} PEs: expected {wanted} in\n{out}")
            expect(picture_size(output) == (37, 23), "the picture has another size")
    example.refuse(5, "4 rows for 5 PEs", "--height", 4)
    example.refuse(2, "No such file", *size, 1, "--output", "missing/heat.png")
    for arguments in (["--width", "2"], ["--height", "8193"], ["--steps", "-1"], ["--rows", "3"],
                      ["--steps"], ["3"]):
        example.refuse(2, "cannot understand", *arguments)


def table_of(out):
    """[(rank, dependents, name)] of pagerank's table."""
    rows = re.findall(r"^ *([0-9.]+) +([0-9]+)  (\S+)$", out, re.MULTILINE)
    return [(float(rank), int(dependents), name) for rank, dependents, name in rows]


def check_ranks(example):
    tables = {}
    for n_pes in (1, 2, 4, 7, 16):
        arguments = ["--check"] if n_pes <= 7 else []
        out = example.succeed(n_pes, *arguments)
        expect(not arguments or "check: ok" in out, f"no 'check: ok' in\n{out}")
        expect(re.search(rf"^\d+ packages, \d+ dependencies, {n_pes} PEs$", out, re.MULTILINE),
               f"no sizes in\n{out}")
        tables[n_pes] = table_of(out)
    expect(len(tables[1]) == 10 and tables[1][0][2] == "libc6", f"the table is {tables[1]}")
    expect(all(table == tables[1] for table in tables.values()), f"the tables differ: {tables}")

    # b has no target: a = 0.15/2 + 0.85 b/2 and b = 1 - a
    pair = example.write("pair", b"graph 1 2 1 pair\na 1\nb\n")
    for n_pes in (1, 2, 5):
        table = table_of(example.succeed(n_pes, "--check", "--top", 3, pair))
        expect(table == [(0.6491228, 1, "b"), (0.3508772, 0, "a")], f"the table is {table}")
    out = example.succeed(3, "--iterations", 4, pair)
    expect("\n4 iterations, " in out, f"no 4 iterations in\n{out}")


BAD_GRAPHS = {
    b"": "'graph 1 ' at the start",
    b"graph 2 1 0 t\na\n": "found '2'",
    b"graph 1 0 0 t\n": "no node",
    b"graph 1 x 0 t\na\n": "found 'x', expected the number of nodes",
    b"graph 1 -1 0 t\na\n": "found '-'",
    b"graph 1 99999999999999999999 0 t\na\n": "too large",
    b"graph 1 2147483648 0 t\na\n": "too large",
    b"graph 1 2147483647 0 t\na\n": "line 3: the file ends",
    b"graph 1 1 99999999999 t\na\n": "too large",
    b"graph 1 1 0 \na\n": "expected a title",
    b"graph 1 1 0 " + b"t" * 128 + b"\na\n": "more than 127 characters",
    b"graph 1 1 0 t\n" + b"a" * 128 + b"\n": "more than 127 characters",
    b"graph 1 1 0 t\n\n": "expected the name",
    b"graph 1 1 0 t\na": "the file ends",
    b"graph 1 1 0 t\na\x80\n": "found byte 128",
    b"graph 1 1 0 t\na\nb\n": "text after the last of 1 nodes",
    b"graph 1 2 1 t\na 0\nb\n": "itself",
    b"graph 1 2 1 t\na 2\nb\n": "too large",
    b"graph 1 3 2 t\na 1 2\nb\nc\n": "too large",
    b"graph 1 3 2 t\na 1 0\nb\nc\n": "the same target twice",
    b"graph 1 2 1 t\na 1 \nb\n": "the line ends",
    b"graph 1 2 1 t\na  1\nb\n": "found byte 32",
    b"graph 1 2 2 t\na 1\nb\n": "1 edges in the file, expected 2",
}


def check_bad_graphs(example):
    for content, reason in BAD_GRAPHS.items():
        example.refuse(2, reason, example.write("bad", content))
    # random names, so that the compressed file is longer than one buffer of zlib
    names = b"".join(b"%s\n" % os.urandom(40).hex().encode() for _ in range(2000))
    whole = gzip.compress(b"graph 1 2000 0 t\n" + names)
    example.succeed(2, example.write("whole", whole))
    example.refuse(3, "damaged or cut off", example.write("half", whole[:len(whole) // 2]))
    example.refuse(2, "damaged or cut off", example.write("cut", whole[:-1]))
    example.refuse(2, "damaged or cut off", example.write("sum", whole[:-8] + bytes(8)))
    example.refuse(2, "No such file", "missing")
    example.refuse(2, "Is a directory", ".")
    for arguments in (["--top", "0"], ["--top", "1001"], ["--iterations", "many"],
                      ["--tolerance", "nan"], ["--tolerance", "-1"], ["--fast"], ["--top"]):
        example.refuse(2, "cannot understand", *arguments)
    example.refuse(2, "one FILE at most, found 'b'", "a", "b")


def check_pagerank(example):
    check_ranks(example)
    check_bad_graphs(example)


PACKAGES = """\
Package: game
Pre-Depends: loader (>= 2)
Depends: data (= 1), missing | engine:any, mail-server | data,
 tool [amd64]
Recommends: game, music | sound, nothing | no-thing

Package: data
Suggests: game

Package: tool
Depends: data
Package-Type: deb

Package: postfix
Provides: mail-server

Package: exim4
Provides: mail-server, mta (= 4)

Package: engine

Package: loader

Package: sound

Package: sound
Depends: data
"""

# data 0, engine 1, exim4 2, game 3, loader 4, postfix 5, sound 6, tool 7
GRAPH = b"""\
graph 1 8 7 small
data
engine
exim4
game 0 1 1 2 2 1
loader
postfix
sound
tool 0
"""


def check_make_graph(example):
    path, output = example.write("Packages", PACKAGES.encode()), example.folder + "/graph.gz"
    arguments = ("--title", "small", "--output", output, path)
    expect("8 packages, 7 dependencies" in example.succeed(1, *arguments), "other numbers")
    with open(output, "rb") as file:
        first = file.read()
    expect(gzip.decompress(first) == GRAPH, f"the graph is\n{gzip.decompress(first).decode()}")
    expect(first[4:8] == bytes(4), "the compressed file has a time")
    status, _, err = example.run(1, "--lists", example.folder)
    expect(status != 0 and "run apt-get update" in err, f"empty lists: {status} {err}")


def check_acl_init(example):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
    for n_pes in (1, 4):
        for mode in (["default", "--address", address], ["uid"]):
            lines = example.succeed(n_pes, "--pes", n_pes, "--mode", *mode).splitlines()
            wanted = [f"acl_init: PE {pe} of {n_pes}, met by {mode[0]}, heard from PE "
                      f"{(pe - 1) % n_pes}" for pe in range(n_pes)]
            expect(sorted(lines) == wanted, f"printed {lines}")
    example.refuse(1, "PE 0 cannot join by default: code -1", "--pes", 1, "--address", "nowhere")
    example.refuse(1, "built without MPI", "--mode", "mpi")
    for arguments in (["--pes"], ["--pes", "0"], ["--pes", "65"], ["--mode", "smoke"], ["--fast"]):
        example.refuse(1, "cannot understand", *arguments)


def check_allgather(example):
    for n_pes in (1, 2, 5):
        lines = sorted(example.succeed(n_pes).splitlines())
        wanted = [f"PE {pe} of {n_pes}: {16 * n_pes} numbers, last {1000 * n_pes - 985}, 0 wrong"
                  for pe in range(n_pes)]
        expect(lines == wanted, f"printed {lines}")
    example.refuse(1, "expected N_PES PE ADDRESS", "more")


def check_ring_put_signal(example):
    for n_pes in (1, 2, 5):
        out = example.succeed(n_pes)
        expect(out == f"{n_pes} PEs, 10 rounds, sum {10 * sum(range(n_pes))}\n", f"printed {out}")
    example.refuse(1, "expected N_PES PE ADDRESS", "more")


STARTED_BY_HAND = {
    "allgather": check_allgather,
    "ring_put_signal": check_ring_put_signal,
}
CHECKS = {
    **STARTED_BY_HAND,
    "acl_init": check_acl_init,
    "hello": check_hello,
    "ring": check_ring,
    "multi_instance": check_multi_instance,
    "heat": check_heat,
    "pagerank": check_pagerank,
    "make_graph": check_make_graph,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--launcher", help="started with -n N PROGRAM; none: a Python script")
    parser.add_argument("--alone", action="store_true", help="a program that starts its own PEs")
    parser.add_argument("name", choices=CHECKS)
    parser.add_argument("program")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    if options.name in STARTED_BY_HAND:
        example = StartedByHand(options.name, [program])
    elif options.launcher:
        launcher = os.path.abspath(options.launcher)
        example = Example(options.name, [launcher, "-n", "@N@", program])
    else:
        command = [program] if options.alone else [sys.executable, program]
        example = Example(options.name, command)
    with tempfile.TemporaryDirectory() as example.folder:
        CHECKS[options.name](example)
        if options.launcher or options.alone:
            check_help(example)


if __name__ == "__main__":
    main()
