#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tests of a build folder and ends with one line: "N passed, N failed[, N skipped]".

usage: run_tests.py BUILD [options of meson test, for example --suite unit --no-suite slow]

Shows the output of the tests that failed and the reason of each skip. Exit status 1 when a test
failed, when the tests could not be run, or when none ran.
"""
import json
import subprocess
import sys
from pathlib import Path

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}
RULE = "-" * 78


def read_log(path):
    """Returns the tests of a log as dictionaries; none when there is no log."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def output_of(test):
    """What a test wrote, error output last."""
    return "".join(test.get(stream) or "" for stream in ("stdout", "stderr"))


def skip_reason(test):
    lines = output_of(test).strip().splitlines()
    return lines[-1].strip() if lines else "no reason given"


def describe_failure(test):
    title = f"{test['name']}: {test['result']} (exit status {test.get('returncode')})"
    return "\n".join([RULE, title, RULE, output_of(test).rstrip()])


def sort_results(tests):
    """Splits tests into passed, failed and skipped; what is neither passed nor skipped failed."""
    passed = [test for test in tests if test["result"] in PASSED]
    skipped = [test for test in tests if test["result"] in SKIPPED]
    failed = [test for test in tests if test["result"] not in PASSED | SKIPPED]
    return passed, failed, skipped


def closing_line(passed, failed, skipped):
    line = f"{len(passed)} passed, {len(failed)} failed"
    return line + (f", {len(skipped)} skipped" if skipped else "")


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    build, options = Path(sys.argv[1]), sys.argv[2:]
    log = build / "meson-logs" / "testlog.json"
    log.unlink(missing_ok=True)  # results of an earlier run must not count
    status = subprocess.run(["meson", "test", "-C", build, *options], check=False).returncode
    passed, failed, skipped = sort_results(read_log(log))
    for test in failed:
        print(describe_failure(test))
    for test in skipped:
        print(f"skipped: {test['name']}: {skip_reason(test)}")
    if status != 0 and not failed:
        print(f"meson test ended with status {status}")
    elif not passed and not failed:
        print("no test ran")
    print(closing_line(passed, failed, skipped), flush=True)
    return 1 if status != 0 or failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
