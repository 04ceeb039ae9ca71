# SPDX-License-Identifier: BSD-3-Clause
"""What shmem-info prints, and what SHMEM_VERSION and SHMEM_INFO make a program print.
Arguments: shmem-info, launcher, a program."""
import json
import os
import subprocess
import sys
import unittest

INFO, LAUNCHER, PROGRAM = sys.argv[1:4]


def run(*command, **variables):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("SHMEM_", "SMA_"))}
    result = subprocess.run(command, env=dict(environment, **variables), capture_output=True,
                            text=True, timeout=60, check=False)
    return result.returncode, result.stdout, result.stderr


def items(**variables):
    code, out, err = run(INFO, "--json", **variables)
    assert (code, err) == (0, ""), err
    return {(item["category"], item["name"]): item for item in json.loads(out)}


class Info(unittest.TestCase):
    def test_json(self):
        found = items()
        self.assertEqual(found["version", "openshmem"]["value"], "1.6")
        self.assertEqual(found["engine", "mte"]["value"], "available")
        self.assertEqual(found["bootstrap", "config_store"]["value"], "available")
        self.assertIn(found["bootstrap", "mpi"]["value"], ("available", "not found"))
        size = found["variable", "SHMEM_SYMMETRIC_SIZE"]
        self.assertIsNone(size["value"])
        self.assertEqual(size["default"], "512M")
        for item in found.values():
            self.assertTrue(item["help"], item)

    def test_present_values(self):
        found = items(SHMEM_SYMMETRIC_SIZE="3M", SMA_DEBUG="1", SHMEM_NODE_ID='a "b" \\ \x01')
        self.assertEqual(found["variable", "SHMEM_SYMMETRIC_SIZE"]["value"], "3M")
        self.assertEqual(found["variable", "SHMEM_DEBUG"]["value"], "1")
        self.assertEqual(found["variable", "SHMEM_NODE_ID"]["value"], 'a "b" \\ \x01')

    def test_text(self):
        code, out, err = run(INFO, SHMEM_HUGE_PAGES="auto")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("  SHMEM_HUGE_PAGES=auto (default: off)\n", out)
        self.assertIn("  SHMEM_DEBUG: 0 (default)\n", out)
        for name in ("version", "build", "engine", "bootstrap", "variable"):
            self.assertIn(f"{name}\n", out)

    def test_arguments(self):
        self.assertEqual(run(INFO, "--help")[0], 0)
        self.assertEqual(run(INFO, "--version")[1].strip(), items()["version", "library"]["value"])
        for wrong in (["--jason"], ["--json", "x"]):
            code, out, err = run(INFO, *wrong)
            self.assertEqual((code, out, err.count("\n")), (2, "", 1))

    def test_program(self):
        code, out, err = run(LAUNCHER, "-n", "3", PROGRAM, SHMEM_VERSION="1")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.count("SHMEM library"), 1)
        code, out, err = run(LAUNCHER, "-n", "3", PROGRAM, SHMEM_INFO="1", SHMEM_WAITING="sleep")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.count("SHMEM_WAITING=sleep (set)"), 1)
        self.assertEqual(out.count("SHMEM_OVERCOMMIT=0 (default)"), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
