#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""dev/report_sizes.py counts lines of functions and files, with and without ctags."""
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import report_sizes


def function(name, lines):
    return f"static int {name}(int i)\n{{\n" + "    i++;\n" * (lines - 4) + "    return i;\n}\n\n"


class ReportSizes(unittest.TestCase):
    def report(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return report_sizes.report(Path(folder))

    def test_functions(self):
        files = {"src/base/a.c": function("long_one", 61) + function("short_one", 60)}
        expected = ["src/base/a.c: long_one: 61 lines, limit 60",
                    "1 files; 2 C functions, median 60 lines, nine of ten within 61"]
        with mock.patch.object(report_sizes, "has_universal_ctags", return_value=False):
            self.assertEqual(self.report(files), expected)
        if report_sizes.has_universal_ctags():
            self.assertEqual(self.report(files), expected)

    def test_files(self):
        files = {"src/base/a.h": "\n" * 301, "src/base/b.h": "\n" * 300, "dev/c.py": "\n" * 401,
                 "tests/d.c": "\n" * 601}
        self.assertEqual(self.report(files), ["dev/c.py: 401 lines, limit 400",
                                              "src/base/a.h: 301 lines, limit 300",
                                              "tests/d.c: 601 lines, limit 600"])


if __name__ == "__main__":
    unittest.main()
