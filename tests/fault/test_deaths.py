# SPDX-License-Identifier: BSD-3-Clause
"""Processes of a job are killed; nothing may hang or stay. Arguments: launcher, program,
optionally --rounds=N random kills."""
import os
import random
import re
import signal
import subprocess
import sys
import time

from job import Job, Traces, main, run

LAUNCHER, PROGRAM = sys.argv[1:3]
ROUNDS = 12
for argument in sys.argv[3:]:
    if argument.startswith("--rounds="):
        ROUNDS = int(argument.split("=")[1])
        sys.argv.remove(argument)


def start(*arguments, pes=4, environment=None):
    return Job([LAUNCHER, "-n", str(pes), PROGRAM, *arguments], environment)


def one_pe_dies():
    """Every PE, in every kind of wait, by several signals."""
    for where in ("barrier", "malloc", "wait", "put", "pause", "finalize", "init"):
        for victim, number in ((0, 9), (3, 11), (1, 6)):
            code, out, err = run([LAUNCHER, "-n", "4", PROGRAM, where, str(victim), str(number)])
            assert code == 128 + number, f"{where} {victim} {number}: {code} {err}"
            pattern = rf"shmemrun: PE {victim} was killed by signal {number} .*\n"
            assert re.fullmatch(pattern, err), f"{where}: {err}"


def report_says_where():
    for where, call in (("barrier", r"shmem_barrier_all \(number \d+\)"),
                        ("malloc", r"shmem_malloc \(number \d+\)"),
                        ("wait", "shmem_long_wait_until")):
        code, out, err = run([LAUNCHER, "-n", "4", PROGRAM, where, "2", "9"])
        assert re.fullmatch(r"shmemrun: PE 2 was killed by signal 9 \(Killed\).*; "
                            rf"PEs 0-1, 3 were waiting in {call}\n", err), err


def exits_silently():
    code, out, err = run([LAUNCHER, "-n", "4", PROGRAM, "barrier", "2", "exit"])
    assert code != 0, "a PE that vanished is a failure"
    assert re.fullmatch(r"shmemrun: PE 2 exited .*finalize.*\n", err), err


def wait_ready(job):
    line = job.process.stdout.readline()
    assert line == "ready\n", f"{line!r}: {job.process.stderr.read()}"


def launcher_dies():
    for number in (signal.SIGKILL, signal.SIGSEGV):
        job = start("barrier")
        wait_ready(job)
        job.process.send_signal(number)
        job.process.wait(timeout=10)
        job.check_gone()


def launcher_is_told_to_stop():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        job = start("barrier")
        wait_ready(job)
        job.process.send_signal(number)
        code, out, err = job.finish()
        assert code == 128 + number, f"{number}: {code} {err}"
        job.check_gone()


def everything_dies():
    job = start("barrier")
    wait_ready(job)
    for pid in job.processes():
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
    job.process.wait(timeout=10)
    job.check_gone()


def random_deaths():
    """kill -9 of any process of the job at any moment, start and end included."""
    traces = Traces()
    chance = random.Random(7)
    for round_number in range(ROUNDS):
        job = start(chance.choice(("barrier", "malloc", "put", "wait", "finalize")))
        time.sleep(chance.random() * 0.3)
        pids = job.processes()
        if pids:
            kind = round_number % 3
            victims = [job.process.pid] if kind == 0 else [chance.choice(pids)]
            if kind == 2:
                victims = pids
            for pid in victims:
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
        job.process.communicate(timeout=60)
        job.check_gone()
    traces.check()
    code, out, err = run([LAUNCHER, "-n", "4", PROGRAM, "barrier", "0", "9"])
    assert code == 137, "the next job works as if nothing had been"


def without_launcher():
    """PEs that nobody launched end by themselves when one of them dies."""
    for victim in (0, 1, 2):
        environment = dict(os.environ, SHMEM_N_PES="3", SHMEM_JOB_ID="00112233445566%02x" % victim,
                           SHMEM_STORE_ADDRESS=f"tcp://127.0.0.1:{46100 + victim}")
        pes = [subprocess.Popen([PROGRAM, "wait", str(victim), "9"], text=True,
                                env=dict(environment, SHMEM_PE=str(pe)),
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
               for pe in range(3)]
        lines = ""
        for pe, process in enumerate(pes):
            out, err = process.communicate(timeout=60)
            lines += err
            expected = -9 if pe == victim else 1
            assert process.returncode == expected, f"PE {pe}: {process.returncode} {err}"
        assert re.fullmatch(rf"PE \d: shmem_long_wait_until: PE {victim} failed.*\n", lines), lines


def small_shared_memory():
    """/dev/shm of 8 MiB, read-only or absent does not matter."""
    for setup in ("mount -t tmpfs -o size=8m none /dev/shm",
                  "mount -t tmpfs -o ro none /dev/shm",
                  "mount -t tmpfs -o size=4k,mode=000 none /dev/shm"):
        command = f'{setup} && exec "$0" -n 4 "$1" barrier 1 9'
        code, out, err = run(["unshare", "-m", "sh", "-c", command, LAUNCHER, PROGRAM],
                             {"SHMEM_SYMMETRIC_SIZE": "64M"})
        assert code == 137 and out == "ready\n", f"{setup}: {code} {out} {err}"


def separate_name_spaces():
    """Each PE in user, pid, ipc and mount name spaces of its own: still one node."""
    code, out, err = run([LAUNCHER, "-n", "4", "unshare", "-U", "-i", "-m", "-r", PROGRAM,
                          "barrier", "1", "exit"])
    assert out == "ready\n", f"{code} {out} {err}"
    code, out, err = run([LAUNCHER, "-n", "4", "unshare", "-p", "-f", "--kill-child", PROGRAM,
                          "barrier", "1", "exit"])  # no signal kills the first process of a space
    assert out == "ready\n", f"{code} {out} {err}"


def can_unshare():
    return subprocess.run(["unshare", "-m", "-U", "-r", "true"], capture_output=True,
                          check=False).returncode == 0


if __name__ == "__main__":
    TESTS = [one_pe_dies, report_says_where, exits_silently, launcher_dies,
             launcher_is_told_to_stop, everything_dies, random_deaths, without_launcher]
    SPACES = [small_shared_memory, separate_name_spaces]
    if can_unshare():
        sys.exit(main(TESTS + SPACES))
    sys.exit(main(TESTS, [(test.__name__, "name spaces are not permitted") for test in SPACES]))
