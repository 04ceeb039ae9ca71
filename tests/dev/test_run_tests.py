#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""dev/run_tests.py counts what meson test did; only a clean run that ran something succeeds."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import run_tests

# stands in for meson: writes the prepared log and ends with the prepared status
MESON = """#!/bin/sh
[ "$1 $2 $3" = "test -C {build}" ] || exit 99
[ "$4" != --suite ] || echo "suite $5"
[ ! -e {build}/prepared ] || cp {build}/prepared {build}/meson-logs/testlog.json
exit {status}
"""


def result(name, outcome, stdout="", **more):
    return {"name": name, "result": outcome, "stdout": stdout, "returncode": 0, **more}


class RunTests(unittest.TestCase):
    def run_with(self, tests, status, *options):
        """Returns the exit status and the output lines for a run that leaves `tests` in its log."""
        with tempfile.TemporaryDirectory() as folder:
            build = Path(folder, "build")
            (build / "meson-logs").mkdir(parents=True)
            (build / "meson-logs" / "testlog.json").write_text(json.dumps(result("old", "OK")))
            if tests is not None:
                (build / "prepared").write_text("".join(json.dumps(test) + "\n" for test in tests))
            meson = Path(folder, "meson")
            meson.write_text(MESON.format(build=build, status=status))
            meson.chmod(0o755)
            run = subprocess.run([sys.executable, run_tests.__file__, build, *options], text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                                 env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
            return run.returncode, run.stdout.splitlines()

    def test_success(self):
        self.assertEqual(self.run_with([result("a", "OK"), result("b", "EXPECTEDFAIL")], 0),
                         (0, ["2 passed, 0 failed"]))

    def test_options_reach_meson(self):
        self.assertEqual(self.run_with([result("a", "OK")], 0, "--suite", "unit"),
                         (0, ["suite unit", "1 passed, 0 failed"]))

    def test_failure_shows_its_output(self):
        tests = [result("a", "OK", "quiet"), result("b", "FAIL", "it broke\n", stderr="here\n")]
        status, lines = self.run_with(tests, 1)
        self.assertEqual(status, 1)
        self.assertEqual(lines[-1], "1 passed, 1 failed")
        self.assertIn("it broke", lines)
        self.assertIn("here", lines)
        self.assertNotIn("quiet", lines)

    def test_other_bad_ends_are_failures(self):
        for outcome in ("TIMEOUT", "ERROR", "INTERRUPT", "UNEXPECTEDPASS", "unheard of"):
            status, lines = self.run_with([result("a", "OK"), result("b", outcome)], 0)
            self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed"))

    def test_skip_shows_its_reason(self):
        tests = [result("a", "OK"), result("b", "SKIP", "starting\nno network here\n")]
        self.assertEqual(self.run_with(tests, 0),
                         (0, ["skipped: b: no network here", "1 passed, 0 failed, 1 skipped"]))

    def test_nothing_ran(self):
        for tests in (None, [], [result("a", "SKIP")]):
            status, lines = self.run_with(tests, 0)
            self.assertEqual(status, 1)
            self.assertIn("no test ran", lines)
            self.assertTrue(lines[-1].startswith("0 passed, 0 failed"))

    def test_broken_build(self):
        status, lines = self.run_with(None, 3)
        self.assertEqual(status, 1)
        self.assertEqual(lines, ["meson test ended with status 3", "0 passed, 0 failed"])


if __name__ == "__main__":
    unittest.main()
