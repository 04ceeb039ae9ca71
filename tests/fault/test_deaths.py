# SPDX-License-Identifier: BSD-3-Clause
"""Processes of a job are killed; nothing may hang or stay. Arguments: launcher, program,
optionally --rounds=N random kills."""
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

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


def dies_inside(case):
    """PE 2 dies while it waits itself, as the others do, but for those in their own code."""
    where, call, others = case
    code, out, err = run([LAUNCHER, "-n", "4", PROGRAM, where, "2", "inside:9"])
    assert code == 137, f"{where}: {code} {err}"
    assert re.fullmatch(rf"shmemrun: PE 2 was killed by signal 9 \(Killed\) in {call}; {others}\n",
                        err), f"{where}: {err}"


def one_pe_dies_inside():
    waiting = r"PEs 0-1 were waiting in {}{}; PE 3 was running"
    cases = [(where, call, waiting.format(call, r" \(number \d+\)")) for where, call in (
        ("team_sync", "shmem_team_sync"),
        ("collect", "shmem_long_collect"), ("fcollect", "shmem_long_fcollect"),
        ("alltoall", "shmem_long_alltoall"), ("alltoalls", "shmem_long_alltoalls"),
        ("reduce", "shmem_long_sum_reduce"), ("scan", "shmem_long_sum_inscan"),
        ("split", "shmem_team_split_strided"), ("split_2d", "shmem_team_split_2d"),
        ("destroy", "shmem_team_destroy"))]
    cases += [(where, call, waiting.format(call, "")) for where, call in (
        ("any", "shmem_long_wait_until_any"), ("signal", "shmem_signal_wait_until"))]
    cases += [(where, call, rf"PEs 0, 3 were running; PE 1 was waiting for PE 3 in {call} "
               r"\(number \d+\)") for where, call in (
        ("set_barrier", "shmem_barrier"), ("set_collect", "shmem_collect64"),
        ("set_reduce", "shmem_long_sum_to_all"))]
    cases.append(("broadcast", "shmem_long_broadcast",
                  "PEs 0-1 were waiting for PE 3 in shmem_long_broadcast; PE 3 was running"))
    with ThreadPoolExecutor(max_workers=4) as pool:
        list(pool.map(dies_inside, cases))


def root_of_a_broadcast_dies():
    code, out, err = run([LAUNCHER, "-n", "4", PROGRAM, "broadcast", "3", "9"])
    assert code == 137, f"{code} {err}"
    assert re.fullmatch(r"shmemrun: PE 3 was killed by signal 9 \(Killed\).*; "
                        r"PEs 0-2 were waiting for PE 3 in shmem_long_broadcast\n", err), err


def holder_of_a_lock_dies():
    for number in (9, 6):
        code, out, err = run([LAUNCHER, "-n", "4", PROGRAM, "lock", "1", str(number)])
        assert code == 128 + number, f"{code} {err}"
        assert re.fullmatch(rf"shmemrun: PE 1 was killed by signal {number} .*; "
                            r"PEs 0, 2-3 were waiting in shmem_set_lock\n", err), err


def hang_is_explained():
    """PE 0 waits in a team's broadcast to which PE 1 does not come."""
    command = [PROGRAM, "broadcast", "1", "absent"]
    code, out, err = run([LAUNCHER, "-n", "2", "--timeout", "2", *command])
    assert code == 124, f"{code} {err}"
    assert re.fullmatch(
        r"shmemrun: the time limit of 2 s has passed; ending the job\n"
        r"shmemrun: PE 0 \(pid \d+\) waits for PE 1 in shmem_long_broadcast for .* s\n"
        r"shmemrun: PE 1 \(pid \d+\) runs its own code for .* s\n", err), err
    code, out, err = run([LAUNCHER, "-n", "2", *command], {"SHMEM_WAIT_TIMEOUT": "2"})
    assert code == 1, f"{code} {err}"
    assert re.fullmatch(
        r"PE 0: shmem_long_broadcast: the time limit passed "
        r"\(SHMEM_WAIT_TIMEOUT = 2\); missing: PE 1; PE 0 waiting in "
        r"shmem_long_broadcast; PE 1 in the program's own code\n", err), err


def exits_silently():
    code, out, err = run([LAUNCHER, "-n", "4", PROGRAM, "barrier", "2", "exit"])
    assert code != 0, "a PE that vanished is a failure"
    assert re.fullmatch(r"shmemrun: PE 2 exited .*finalize.*\n", err), err


def global_exit():
    """From any PE, whatever the others do, with its status and without a word."""
    for where in ("barrier", "wait", "pause", "put", "finalize"):
        for victim, status in ((0, 0), (3, 99), (1, 7)):
            code, out, err = run([LAUNCHER, "-n", "4", PROGRAM, where, str(victim),
                                  f"global:{status}"])
            assert (code, err) == (status, ""), f"{where} {victim} {status}: {code} {err}"


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


def run_unlaunched(*arguments):
    """Three PEs that nobody launched; returns their exit statuses and all they said."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = dict(os.environ, SHMEM_N_PES="3", SHMEM_JOB_ID=os.urandom(8).hex(),
                       SHMEM_STORE_ADDRESS=f"tcp://127.0.0.1:{port}")
    pes = [subprocess.Popen([PROGRAM, *arguments], text=True,
                            env=dict(environment, SHMEM_PE=str(pe)), stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE) for pe in range(3)]
    try:
        lines = "".join(process.communicate(timeout=60)[1] for process in pes)
    except subprocess.TimeoutExpired as error:
        raise AssertionError("a PE hangs") from error
    finally:
        for process in pes:
            process.kill()
            process.wait()
    return [process.returncode for process in pes], lines


def without_launcher():
    """PEs that nobody launched end by themselves when one of them dies."""
    for victim in range(3):
        codes, lines = run_unlaunched("wait", str(victim), "9")
        assert codes == [-9 if pe == victim else 1 for pe in range(3)], f"{codes} {lines}"
        assert re.fullmatch(rf"PE \d: shmem_long_wait_until: PE {victim} failed.*\n", lines), lines


def orphan_without_launcher():
    """A forked child holds copies of the dead PE's descriptors."""
    for victim in (0, 2):
        codes, lines = run_unlaunched("barrier", str(victim), "orphan")
        assert codes == [-9 if pe == victim else 1 for pe in range(3)], f"{codes} {lines}"
        assert re.fullmatch(rf"PE \d: shmem_barrier_all: PE {victim} failed.*\n", lines), lines


def global_exit_without_launcher():
    for victim in (0, 2):
        codes, lines = run_unlaunched("wait", str(victim), "global:42")
        assert (codes, lines) == ([42, 42, 42], ""), f"{codes} {lines}"


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


def child_outlives_pe():
    """The launcher started a shell, so that it does not see the PE itself end."""
    began = time.monotonic()
    code, out, err = run([LAUNCHER, "-n", "3", "sh", "-c", '"$0" again 1 9; sleep 20', PROGRAM])
    assert code == 1 and "PE 1 failed: it ended without calling finalize" in err, f"{code} {err}"
    assert time.monotonic() - began < 15, "noticed when the child ended"


if __name__ == "__main__":
    TESTS = [one_pe_dies, one_pe_dies_inside, root_of_a_broadcast_dies, holder_of_a_lock_dies,
             hang_is_explained, report_says_where, exits_silently, launcher_dies,
             launcher_is_told_to_stop, everything_dies, random_deaths, without_launcher,
             global_exit, global_exit_without_launcher, orphan_without_launcher,
             child_outlives_pe]
    SPACES = [small_shared_memory, separate_name_spaces]
    if can_unshare():
        sys.exit(main(TESTS + SPACES))
    sys.exit(main(TESTS, [(test.__name__, "name spaces are not permitted") for test in SPACES]))
