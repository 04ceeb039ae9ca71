# SPDX-License-Identifier: BSD-3-Clause
"""The programs of bench/ run, check their own results and print figures; ratios.py compares them.
Arguments: launcher, ratios.py, programs."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

LAUNCHER, RATIOS = sys.argv[1:3]
PROGRAMS = {pathlib.Path(path).name: path for path in sys.argv[3:]}
SMALL = {"bucket_sort": ["5000"], "overlap": ["65536"], "jacobi": ["17"], "random_updates": ["1024"],
         "copies": ["16777216"], "live_blocks": ["1000"],
         "osh_micro": ["-r", "1", "-t", "100", "-m", "4096"]}


def figures(n_pes, name):
    result = subprocess.run([LAUNCHER, "-n", str(n_pes), PROGRAMS[name], *SMALL[name]],
                            capture_output=True, text=True, timeout=100, check=False)
    assert (result.returncode, result.stderr) == (0, ""), result.stderr
    return [line.split("\t") for line in result.stdout.splitlines() if not line.startswith("#")]


class Programs(unittest.TestCase):
    def check(self, n_pes, name, count):
        found = figures(n_pes, name)
        self.assertGreaterEqual(len(found), count)
        for fields in found:
            self.assertEqual(len(fields), 4, fields)
            self.assertGreater(float(fields[2]), 0, fields)

    def test_whole_programs(self):
        for name in ("bucket_sort", "jacobi", "random_updates"):
            for n_pes in (1, 3):
                self.check(n_pes, name, 1)

    def test_micro(self):
        self.check(2, "osh_micro", 20)

    def test_live_blocks(self):
        for n_pes in (1, 2):
            self.assertEqual([fields[:2] for fields in figures(n_pes, "live_blocks")],
                             [["live_random", "1000"], ["live_same", "1000"]])

    def test_copies(self):
        for n_pes in (1, 2):
            self.assertEqual([fields[:2] for fields in figures(n_pes, "copies")],
                             [["put_of_memcpy", "16777216"], ["get_of_memcpy", "16777216"]])

    def test_overlap(self):
        for n_pes in (1, 2):
            self.assertEqual([fields[:2] for fields in figures(n_pes, "overlap")],
                             [["overlap", "65536"]])


class Ratios(unittest.TestCase):
    def test_medians(self):
        with tempfile.TemporaryDirectory() as folder:
            ours, other = (pathlib.Path(folder) / name for name in ("ours", "other"))
            ours.write_text("2\tput\t8\t2.0\tus\n2\trate\t8\t30\tMop/s\n2\tput\t8\t4.0\tus\n"
                            "2\t# a remark\n2\tonly\t0\t1\tus\n")
            other.write_text("2\tput\t8\t4.0\tus\n2\trate\t8\t10\tMop/s\n2\tput\t8\t16.0\tus\n")
            lines = subprocess.run([sys.executable, RATIOS, ours, other], check=True,
                                   capture_output=True, text=True).stdout.splitlines()
        self.assertEqual(len(lines), 4)
        self.assertRegex(lines[1], r"put +8 +3\.0000 +10\.0000 us +3\.00 \(2\.00 to 4\.00\)")
        self.assertRegex(lines[2], r"rate +8 +30\.0000 +10\.0000 Mop/s +3\.00")
        self.assertRegex(lines[3], r"only +0 +1\.0000 +none us")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
