# SPDX-License-Identifier: BSD-3-Clause
"""Running jobs from a test, and looking for what they leave behind."""
import os
import re
import signal
import subprocess
import sys
import time
import uuid

signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup ignores it, and jobs inherit that

LIMIT_S = 60  # a job that takes longer hangs


class Job:
    """A job under the launcher, marked so that all its processes can be found."""

    def __init__(self, command, environment=None, stdin=subprocess.DEVNULL):
        self.mark = "SHMEM_TEST_MARK=" + uuid.uuid4().hex
        name, value = self.mark.split("=")
        full = dict(os.environ, **{name: value}, **(environment or {}))
        self.process = subprocess.Popen(
            command, env=full, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)

    def finish(self):
        try:
            out, err = self.process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            listing = "\n".join(describe(pid) for pid in self.processes())
            self.end()
            raise AssertionError("the job hangs; its processes:\n" + listing)
        return self.process.returncode, out, err

    def processes(self):
        found = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                with open(f"/proc/{entry}/environ", "rb") as file:
                    if self.mark.encode() in file.read().split(b"\0"):
                        found.append(int(entry))
            except OSError:
                pass
        return found

    def end(self):
        for pid in self.processes():
            try:
                os.kill(pid, 9)
            except OSError:
                pass
        self.process.wait()

    def check_gone(self, limit_s=10):
        """Every process of the job must be gone soon."""
        deadline = time.monotonic() + limit_s
        while self.processes():
            if time.monotonic() > deadline:
                listing = "\n".join(describe(pid) for pid in self.processes())
                self.end()
                raise AssertionError("left running:\n" + listing)
            time.sleep(0.02)


def describe(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return f"{pid}: " + file.read().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return f"{pid}: gone"


def run(command, environment=None):
    """Runs a job to its end; returns exit status, output and errors."""
    job = Job(command, environment)
    result = job.finish()
    job.check_gone()
    return result


class Traces:
    """Names in the places where shared memory and temporary files live."""

    PLACES = ("/dev/shm", "/tmp")

    def __init__(self):
        self.before = self.look()

    def look(self):
        return {place: set(os.listdir(place)) for place in self.PLACES if os.path.isdir(place)}

    def check(self):
        for place, names in self.look().items():
            new = {name for name in names - self.before[place] if re.search("shm|pe-|job", name)}
            assert not new, f"left behind in {place}: {sorted(new)}"


def main(tests, skipped=()):
    """Runs test functions; prints one line each and a closing line."""
    wanted = sys.argv[3:]
    failed = 0
    count = 0
    for test in tests:
        if wanted and test.__name__ not in wanted:
            continue
        count += 1
        started = time.monotonic()
        try:
            test()
            print(f"ok {test.__name__} ({time.monotonic() - started:.1f} s)", flush=True)
        except AssertionError as error:
            failed += 1
            print(f"FAILED {test.__name__}: {error}", flush=True)
    for name, reason in skipped:
        print(f"skipped {name}: {reason}")
    return 1 if failed or count == 0 else 0
