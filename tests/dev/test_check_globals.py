#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""dev/check_globals.py sees every kind of writable variable, and nothing else."""
import os
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

import check_globals

SOURCE = """
static const int table[] = {1, 2, 3};
static const char *const names[] = {"one", "two"};
int exported = 3;
static int counter;
static __thread int per_thread = 1;
__thread int per_thread_zero;

const char *use(int i);
const char *use(int i)
{
    static long calls;

    calls++;
    counter += table[i] + exported + per_thread++ + per_thread_zero++;
    return names[i & 1] + (counter & calls & 1);
}
"""
ALL = {"exported", "counter", "per_thread", "per_thread_zero", "calls"}


class CheckGlobals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def library(self, source, *options):
        path = self.folder / "libtoy.so.1.2"
        compiler = shlex.split(os.environ.get("CC", "cc"))
        subprocess.run([*compiler, "-shared", "-fPIC", "-O1", "-x", "c", "-", "-o", path, *options],
                       input=source, text=True, check=True)
        return path

    def listed(self, text):
        path = self.folder / "globals.txt"
        path.write_text(text)
        return check_globals.read_list(path)

    def test_each_kind_is_found_and_constants_are_not(self):
        self.assertEqual(check_globals.writable_globals(self.library(SOURCE)), ALL)

    def test_library_without_variables(self):
        library = self.library("int one(void);\nint one(void) { return 1; }\n")
        self.assertEqual(check_globals.check({}, library), [])

    def test_listed_ones_are_allowed(self):
        lines = "".join(f"libtoy/{name}: needed here\n" for name in ALL)
        self.assertEqual(check_globals.check(self.listed(lines), self.library(SOURCE)), [])

    def test_one_that_is_not_listed(self):
        lines = "".join(f"libtoy/{name}: needed here\n" for name in ALL - {"calls"})
        self.assertEqual(check_globals.check(self.listed(lines), self.library(SOURCE)),
                         ["libtoy: writable global 'calls' is not listed"])

    def test_lines_of_another_library_do_not_count(self):
        listed = self.listed("libother/counter: not this library\n")
        self.assertIn("libtoy: writable global 'counter' is not listed",
                      check_globals.check(listed, self.library(SOURCE)))

    def test_stale_line(self):
        library = self.library("int one(void);\nint one(void) { return 1; }\n")
        self.assertEqual(check_globals.check(self.listed("libtoy/gone: was needed\n"), library),
                         ["libtoy: listed global 'gone' is not in the library"])

    def test_line_without_a_reason(self):
        with self.assertRaisesRegex(ValueError, "found 'libtoy/counter:'"):
            self.listed("libtoy/counter:\n")

    def test_stripped_library(self):
        with self.assertRaisesRegex(ValueError, "stripped"):
            check_globals.writable_globals(self.library(SOURCE, "-s"))


if __name__ == "__main__":
    unittest.main()
