# SPDX-License-Identifier: BSD-3-Clause
"""What shmem-perf prints, draws and refuses; not how fast anything is.
Arguments: shmem-perf, launcher."""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

PERF, LAUNCHER = sys.argv[1:3]
QUICK = ["--time", "1", "--repetitions", "1", "--largest", "4096"]
NAMES = {
    "latency": {"put", "get", "memcpy", "ping-pong"},
    "bandwidth": {"put", "get", "memcpy"},
    "rate": {"p", "g"},
    "atomics": {"add", "fetch_add", "compare_swap", "contended"},
    "meeting": {"barrier_all", "sync_all"},
    "collectives": {"broadcast", "sum", "collect", "fcollect", "alltoall", "alltoalls", "inscan",
                    "exscan"},
    "memory": {"malloc+free"},
}


def run(*command):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("SHMEM_")}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100,
                            check=False)
    return result.returncode, result.stdout, result.stderr


def job(n_pes, *options):
    return run(LAUNCHER, "-n", str(n_pes), PERF, *options)


class Perf(unittest.TestCase):
    def check_rows(self, document, groups):
        found = {}
        for row in document["rows"]:
            found.setdefault(row["group"], set()).add(row["name"])
            self.assertTrue(0 < row["least"] <= row["value"] <= row["most"] < math.inf, row)
        self.assertEqual(found, {group: NAMES[group] for group in groups})

    def test_json(self):
        for n_pes in (2, 3):
            code, out, err = job(n_pes, "--json", *QUICK)
            self.assertEqual((code, err), (0, ""))
            document = json.loads(out)
            self.assertEqual((document["pes"], document["repetitions"]), (n_pes, 1))
            self.check_rows(document, NAMES)
            sizes = {row["size"] for row in document["rows"] if row["group"] == "latency"}
            self.assertEqual(sizes, {8, 64, 512, 4096})

    def test_units(self):
        """Latency and rate of one word are two sides of one thing."""
        code, out, err = job(2, "--json", "--groups", "bandwidth,rate", *QUICK)
        self.assertEqual((code, err), (0, ""))
        document = json.loads(out)
        self.check_rows(document, ["bandwidth", "rate"])
        units = {row["group"]: row["unit"] for row in document["rows"]}
        self.assertEqual(units, {"bandwidth": "MB/s", "rate": "Mop/s"})

    def test_table(self):
        code, out, err = job(2, "--groups", "meeting,collectives", *QUICK)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("2 PEs on", out.splitlines()[0])
        self.assertIn("\ncollectives\n", out)
        self.assertRegex(out, r"barrier_all +sync_all\n +us +us\n +[0-9.]+ +[0-9.]+\n")
        self.assertEqual(len(out.splitlines()[-1].split()), 1 + len(NAMES["collectives"]))

    def test_plot(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "figures.svg"
            code, _, err = job(2, "--groups", "latency,bandwidth", "--plot", str(path), *QUICK)
            self.assertEqual((code, err), (0, ""))
            root = xml.etree.ElementTree.parse(path).getroot()
            self.assertTrue(root.tag.endswith("svg"))
            curves = [path.get("d") for path in root.iter("{http://www.w3.org/2000/svg}path")
                      if path.get("class") == "curve" and "L" in path.get("d")]
            self.assertEqual(len(curves), 6)
            self.assertNotIn("nan", path.read_text())
            code, _, err = job(2, "--groups", "rate", "--plot", folder + "/no/such.svg", *QUICK)
            self.assertEqual(code, 1)
            self.assertIn("cannot write", err)
            code, _, err = job(2, "--groups", "rate", "--plot", str(path), *QUICK)
            self.assertEqual((code, err), (0, ""))
            self.assertIn("not measured", path.read_text())

    def test_startup(self):
        code, out, err = run(PERF, "--startup", "1,3", "--repetitions", "2", "--json",
                             "--launcher", LAUNCHER)
        self.assertEqual((code, err), (0, ""))
        rows = json.loads(out)["rows"]
        self.assertEqual([(row["name"], row["size"]) for row in rows], [("job", 1), ("job", 3)])
        code, out, err = run(PERF, "--startup", "2", "--launcher", "/no/such/launcher")
        self.assertEqual((code, out, err.count("\n")), (1, "", 1))
        code, out, err = run(PERF, "--startup", "2", "--launcher", "/bin/false")
        self.assertEqual((code, out), (1, ""))

    def test_arguments(self):
        code, out, err = run(PERF, "--help")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("usage", out)
        self.assertEqual(run(LAUNCHER, "-n", "2", PERF, "--help"), (0, out, ""))
        self.assertEqual(run(PERF, "--version")[0], 0)
        for wrong in (["--groups", "latency,"], ["--groups", "late"], ["--repetitions", "0"],
                      ["--repetitions", "102"], ["--time", "x"], ["--largest", "7"],
                      ["--startup", ""], ["--startup", "2,"], ["--startup", "0"],
                      ["--startup", "-2"], ["--jason"], ["more"]):
            code, out, err = run(PERF, *wrong)
            self.assertEqual((code, out, err.count("\n")), (2, "", 1), wrong)
        code, out, err = run(PERF)
        self.assertEqual((code, out, err.count("\n")), (2, "", 1))

    def test_no_memory(self):
        code, _, err = run("env", "SHMEM_SYMMETRIC_SIZE=1M", LAUNCHER, "-n", "2", PERF, "--groups",
                           "bandwidth", "--largest", "4194304")
        self.assertNotEqual(code, 0)
        self.assertIn("no symmetric memory", err)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
