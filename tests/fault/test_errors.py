# SPDX-License-Identifier: BSD-3-Clause
"""Wrong use ends the job with one line that says what and where. Arguments: launcher, program,
ACLSHMEM program, program for SHMEM_DEBUG."""
import os
import re
import socket
import subprocess
import sys

from job import main, run

LAUNCHER, PROGRAM, ACLSHMEM_EXIT, DEBUG_PROGRAM = sys.argv[1:5]
del sys.argv[3:5]


def expect(case, pattern, status=1, environment=None, program=PROGRAM):
    code, out, err = run([LAUNCHER, "-n", "3", program, *case.split()], environment)
    lines = err.splitlines()
    assert code == status, f"{case}: exit status {code}, expected {status}; {err}"
    assert len(lines) == 1, f"{case}: expected one line, got: {err}"
    assert re.search(pattern, lines[0]), f"{case}: {lines[0]!r} does not match {pattern!r}"


def good_job():
    code, out, err = run([LAUNCHER, "-n", "3", PROGRAM])
    assert (code, out, err) == (0, "", ""), f"{code} {out} {err}"


def wrong_pe():
    expect("pe", r"^PE 0: shmem_long_p: pe = 3, expected 0 to 2$")
    expect("negative_pe", r"^PE 0: shmem_long_g: pe = -1, expected 0 to 2$")


def not_symmetric():
    expect("stack", r"^PE 0: shmem_long_put: dest = 0x\w+ is not symmetric, expected")
    expect("private_heap", r"^PE 0: shmem_getmem: source = 0x\w+ is not symmetric, expected")
    expect("atomic", r"^PE 0: shmem_long_atomic_add: dest = 0x\w+ is not symmetric, expected")


def wait_for_private_word():
    expect("wait_stack", r"^PE 0: shmem_long_wait_until: ivar = 0x\w+ is not symmetric, expected")
    expect("test_stack", r"^PE 0: shmem_long_test: ivar = 0x\w+ is not symmetric, expected")


def children():
    expect("child", r"^PE 0: shmem_long_p: called in a forked child, which is no PE of the job$",
           status=0)
    expect("grandchild", r"^PE 0: shmem_init: this program was started by PE 0, whose place it "
           r"cannot take: ", status=0, environment={"SELF": PROGRAM})


def long_wait():
    """One PE tells for all that wait."""
    for case, call in (("late_barrier", "shmem_barrier_all"), ("late_finalize", "finalize")):
        expect(case, rf"WARN .* PE 1 wait: {call} has not returned for 0\.3 s: ", status=0,
               environment={"SHMEM_HANG_REPORT": "0.3"})


def past_the_end():
    expect("beyond", r"^PE 0: shmem_putmem: dest = 0x\w+ with 17592186044416 bytes reaches past")
    expect("overflow", r"^PE 0: shmem_long_get: source = 0x\w+ with 2\^64 - 1 or more bytes reach")


def wrong_values():
    expect("unaligned", r"^PE 0: shmem_long_atomic_inc: dest = 0x\w+ is not aligned to its 8 bytes")
    expect("stride", r"^PE 0: shmem_long_iput: dst = 0, expected a stride other than 0")
    expect("comparison", r"^PE 0: shmem_long_wait_until: cmp = 9, expected SHMEM_CMP_EQ")
    expect("alignment", r"^PE 0: shmem_align: alignment = 48, expected a power of two")


def wrong_free():
    expect("free", r"^PE \d: shmem_free: ptr = 0x\w+ is no block: .*outside")
    expect("double_free", r"^PE \d: shmem_free: ptr = 0x\w+ is no block: .*free space")


def no_memory_to_keep_book():
    """One PE alone, while the others wait in the call."""
    for face in ("shmem", "aclshmem"):
        expect(f"exhaust_{face}", rf"^PE 1: {face}_malloc: \d+ bytes to keep book of the heap: "
               r"Cannot allocate memory$", program=DEBUG_PROGRAM)


def expect_debug(case, pattern):
    expect(case, pattern, environment={"SHMEM_DEBUG": "1"}, program=DEBUG_PROGRAM)


def overruns():
    """Each PE tells about its own blocks, whoever wrote."""
    expect_debug("overrun_free", r"^PE 2: shmem_free: ptr = 0x\w+: 3 bytes behind the block's 100 "
                 r"bytes were overwritten \(first at offset 104\)$")
    expect_debug("overrun_put", r"^PE 1: shmem_free: ptr = 0x\w+: 1 byte behind the block's 100 "
                 r"bytes was overwritten \(first at offset 100\)$")
    expect_debug("overrun_realloc", r"^PE 1: shmem_realloc: ptr = 0x\w+: 60 bytes behind the block'"
                 r"s 1000 bytes were overwritten \(first at offset 1000\)$")
    expect_debug("overrun_shrunk", r"^PE \d: shmem_free: ptr = 0x\w+: 1 byte behind the block's ")
    for case, call in (("overrun_finalize", "shmem_finalize"),
                       ("overrun_finalize exit", "finalize at exit")):
        expect_debug(case, rf"^PE 1: {call}: block at 0x\w+: 2 bytes behind the block's 64 bytes "
                     r"were overwritten \(first at offset 64\)$")


def debug_of_one_pe():
    """Set on one PE, it holds for all."""
    script = 'if [ "$SHMEM_PE" = 1 ]; then export SHMEM_DEBUG=1; fi; exec "$0" overrun_free'
    code, out, err = run([LAUNCHER, "-n", "3", "sh", "-c", script, DEBUG_PROGRAM])
    assert code == 1 and re.match(r"PE 2: shmem_free: ptr = 0x\w+: 3 bytes behind", err), err


def no_blocks():
    expect_debug("double_free", r"^PE \d: shmem_free: ptr = 0x\w+ was freed already: a block of 64 "
                 r"bytes, by shmem_free, 3 memory calls ago$")
    expect_debug("double_free_moved", r"^PE \d: shmem_free: ptr = 0x\w+ was freed already: a block "
                 r"of 100 bytes, by shmem_realloc, 1 memory call ago$")
    expect_debug("free_inside", r"^PE \d: shmem_free: ptr = 0x\w+ is no block: it lies 8 bytes "
                 r"behind the start of the block of 100 bytes at 0x\w+$")
    expect_debug("free_foreign", r"^PE \d: shmem_free: ptr = 0x\w+ is no block: it lies outside the ")
    expect_debug("realloc_free_space", r"^PE \d: shmem_realloc: ptr = 0x\w+ is no block: .*free sp")


def differing_calls():
    one = r"^PE \d: shmem_\w+: PE 1 differs from PE 0 in the "
    expect_debug("differ_call", r"PE 1 called shmem_free, PE 0 called shmem_malloc$")
    expect_debug("differ_zeroing", r"PE 1 called shmem_malloc, PE 0 called shmem_calloc$")
    expect_debug("differ_count", one + "count: 4 instead of 8$")
    expect_debug("differ_overflow", one + r"count: 1152921504606846976 instead of 8$")
    expect_debug("differ_alignment", one + r"alignment: 256 instead of 128$")
    expect_debug("differ_ptr", one + r"ptr: heap \+ 128 instead of heap \+ 0$")
    expect_debug("differ_null", one + r"ptr: NULL instead of heap \+ 0$")
    expect_debug("differ_foreign", one + r"ptr: an address outside the heap instead of heap \+ 0$")


def deadlocks():
    none = r": no PE can go on, their calls do not match: "
    expect_debug("deadlock", none + r"PEs 0, 2 waiting in shmem_barrier_all \(number 1\); "
                 r"PE 1 waiting in shmem_malloc \(number 1\)$")
    expect_debug("deadlock_nothing", none + r"PEs 0, 2 waiting in shmem_malloc \(number 1\); "
                 r"PE 1 waiting in shmem_barrier_all \(number 1\)$")
    expect_debug("deadlock_teams", none + r"PEs 0-2 waiting in shmem_team_sync \(number 1\)$")
    result = run([LAUNCHER, "-n", "3", DEBUG_PROGRAM, "slow"], {"SHMEM_DEBUG": "1"})
    assert result == (0, "", ""), result


def overlaps():
    """What has a byte in common, by whatever address; other elements of an array may be copied."""
    ranges = r": source = 0x\w+ \(32 bytes\) and dest = 0x\w+ \(32 bytes\) overlap, expected no "
    for case, call in (("overlap_put", "shmem_long_put"), ("overlap_get", "shmem_getmem"),
                       ("overlap_same", "shmem_long_put_nbi"), ("overlap_ptr", "shmem_long_put")):
        expect_debug(case, rf"^PE 0: {call}{ranges}")
    for case, call in (("overlap_iput", "shmem_long_iput"), ("overlap_iget", "shmem_long_iget")):
        expect_debug(case, rf"^PE 0: {call}: blocks of source = 0x\w+ and dest = 0x\w+ overlap, exp")
    result = run([LAUNCHER, "-n", "3", DEBUG_PROGRAM, "apart"], {"SHMEM_DEBUG": "1"})
    assert result == (0, "", ""), result


def wrong_time():
    for case, text in (("before", "shmem_long_p: called before shmem_init"),
                       ("after", "shmem_barrier_all: called after shmem_finalize"),
                       ("twice", "shmem_finalize: called after shmem_finalize")):
        assert run([PROGRAM, case]) == (1, "", f"PE 0: {text}\n"), case
        expect(case, f"^PE 0: {text}$")


def differing_sizes():
    expect("sizes", r"^PE \d: shmem_malloc: PE 1 differs from PE 0 in the size: 128 instead of 64",
           environment={"SHMEM_DEBUG": "1"})


def one_pe_leaves():
    expect("left", r"^PE [12]: shmem_malloc: waits for PE 0, which entered finalize")


def exit_with_status():
    code, out, err = run([LAUNCHER, "-n", "3", PROGRAM, "exit"])
    assert code == 7, f"exit status {code}: {err}"
    assert re.match(r"shmemrun: PE 0 .*status 7", err) and err.count("\n") == 1, err


def bad_settings():
    for name, value in (("SHMEM_SYMMETRIC_SIZE", "-1"), ("SHMEM_SYMMETRIC_SIZE", "1e3"),
                        ("SHMEM_SYMMETRIC_SIZE", "lots"), ("SHMEM_HUGE_PAGES", "maybe"),
                        ("SHMEM_INIT_TIMEOUT", "soon"), ("SHMEM_WAITING", "hard"), ("SHMEM_VECTOR", "mmx")):
        expect("", rf"^PE 0: shmem_init: {name}.*{re.escape(value)}", environment={name: value})


def heap_too_large():
    expect("", r"^PE 0: shmem_init: a symmetric heap of 35184372088832 bytes for each of 3 PEs does "
           r"not fit: .*SHMEM_SYMMETRIC_SIZE.* SHMEM_OVERCOMMIT=1$",
           environment={"SHMEM_SYMMETRIC_SIZE": "32T"})
    code, out, err = run([LAUNCHER, "-n", "3", PROGRAM],
                         {"SHMEM_SYMMETRIC_SIZE": "64G", "SHMEM_OVERCOMMIT": "1"})
    assert code == 0 and err == "", err


def differing_settings():
    script = 'if [ "$SHMEM_PE" = 2 ]; then export SHMEM_SYMMETRIC_SIZE=8M; fi; exec "$0"'
    code, out, err = run([LAUNCHER, "-n", "3", "sh", "-c", script, PROGRAM],
                         {"SHMEM_SYMMETRIC_SIZE": "4M"})
    assert code == 1, f"{code} {err}"
    assert re.fullmatch(r"PE 0: shmem_init: PE 2 and PE 0 differ in the heap size .*: "
                        r"8388608 and 4194304\n", err), err


def one_pe_cannot():
    """The others hear why, and do not wait for it."""
    for victim in (0, 1):
        script = f'[ "$SHMEM_PE" != {victim} ] || ulimit -v 600000; exec "$0"'
        code, out, err = run([LAUNCHER, "-n", "3", "sh", "-c", script, PROGRAM])
        assert code == 1 and re.fullmatch(r"PE 0: shmem_init: .*SHMEM_SYMMETRIC_SIZE.*\n", err), err


def no_huge_pages():
    if int(open("/proc/sys/vm/nr_hugepages", encoding="ascii").read()) != 0:
        return
    expect("", r"^PE 0: shmem_init: \d+ huge pages of 2 MiB needed .*SHMEM_HUGE_PAGES",
           environment={"SHMEM_HUGE_PAGES": "require"})
    assert run([LAUNCHER, "-n", "3", PROGRAM], {"SHMEM_HUGE_PAGES": "auto"}) == (0, "", "")


def differing_waits():
    """PE 0 decides how all wait."""
    script = 'if [ "$SHMEM_PE" = 1 ]; then export SHMEM_WAITING=sleep; fi; exec "$0"'
    assert run([LAUNCHER, "-n", "2", "sh", "-c", script, PROGRAM],
               {"SHMEM_WAITING": "spin"}) == (0, "", "")


def apart_by_node_id():
    script = 'export SHMEM_NODE_ID=node$SHMEM_PE; exec "$0"'
    code, out, err = run([LAUNCHER, "-n", "2", "sh", "-c", script, PROGRAM])
    assert code == 1 and re.match(r"PE 0: shmem_init: PE 1 shares no memory with PE 0", err), err


def half_launched():
    for variables, name in (({"SHMEM_N_PES": "2"}, "SHMEM_PE"), ({"SHMEM_PE": "0"}, "SHMEM_N_PES")):
        code, out, err = run([PROGRAM], variables)
        assert code == 1 and f"{name} is not set" in err and err.count("\n") == 1, err
    code, out, err = run([PROGRAM], {"SHMEM_PE": "x", "SHMEM_N_PES": "2"})
    assert code == 1 and "SHMEM_PE=x: expected a number from 0 to 1" in err, err


def pe_0_missing():
    script = 'if [ "$SHMEM_PE" = 0 ]; then exec sleep 30; fi; exec "$0"'
    code, out, err = run([LAUNCHER, "-n", "4", "sh", "-c", script, PROGRAM],
                         {"SHMEM_INIT_TIMEOUT": "1"})
    assert code == 1, f"{code} {err}"
    assert re.match(r"PE 1: shmem_init: .*PE 0, which serves it, is missing", err), err


def without_descriptors():
    """Some PEs, or all, have lost what the launcher passed to them: the others follow them."""
    close = 'for fd in $SHMEM_LAUNCHER_FD $SHMEM_BOARD_FD; do eval "exec $fd>&-"; done;'
    for which in ('= 2', '= 0', '!= 1', '!= 9'):
        script = f'if [ "$SHMEM_PE" {which} ]; then {close} fi; exec "$0"'
        result = run([LAUNCHER, "-n", "4", "bash", "-c", script, PROGRAM])
        assert result == (0, "", ""), f"{which}: {result}"
    script = f'if [ "$SHMEM_PE" = 3 ]; then eval "exec $SHMEM_BOARD_FD>&-"; fi; exec "$0"'
    result = run([LAUNCHER, "-n", "4", "bash", "-c", script, PROGRAM])
    assert result == (0, "", ""), result


def programs_in_a_row():
    """A PE may be two processes, one after the other."""
    result = run([LAUNCHER, "-n", "3", "sh", "-c", '"$0" && "$0"', PROGRAM])
    assert result == (0, "", ""), result


def other_launchers():
    for variables in ({"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "1"},
                      {"PMI_SIZE": "4", "PMI_RANK": "1"},
                      {"SLURM_NTASKS": "4", "SLURM_PROCID": "2"},
                      {"WORLD_SIZE": "4", "RANK": "1"}):
        code, out, err = run([PROGRAM], variables)
        assert code == 1, f"{variables}: {code}"
        assert "start the program with shmemrun -n 4" in err and err.count("\n") == 1, err
        code, out, err = run([LAUNCHER, "-n", "2", PROGRAM], variables)
        assert code == 0, f"{variables} under our launcher: {err}"


def alone():
    code, out, err = run([PROGRAM])
    assert (code, out, err) == (0, "", ""), f"{code} {out} {err}"


def free_address():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{probe.getsockname()[1]}"


def aclshmem_exit():
    for status in (0, 5):
        result = run([LAUNCHER, "-n", "3", ACLSHMEM_EXIT, free_address(), str(status)])
        assert result == (status, "", ""), result


def missing_pe():
    environment = dict(os.environ, SHMEM_N_PES="3", SHMEM_JOB_ID="0123456789abcdef",
                       SHMEM_STORE_ADDRESS=free_address(), SHMEM_INIT_TIMEOUT="2")
    jobs = [subprocess.Popen([PROGRAM], env=dict(environment, SHMEM_PE=str(pe)), text=True,
                             stderr=subprocess.PIPE) for pe in (0, 2)]
    for pe, job in zip((0, 2), jobs):
        out, err = job.communicate(timeout=60)
        assert job.returncode == 1, f"PE {pe}: {job.returncode} {err}"
        assert re.match(rf"PE {pe}: shmem_init: .*PE 1 .*missing", err), f"PE {pe}: {err}"


if __name__ == "__main__":
    sys.exit(main([good_job, alone, wrong_pe, not_symmetric, wait_for_private_word, children,
                   long_wait, past_the_end, wrong_values, wrong_free, no_memory_to_keep_book, overruns,
                   debug_of_one_pe, no_blocks, differing_calls, deadlocks, overlaps, wrong_time,
                   differing_sizes, one_pe_leaves, exit_with_status, bad_settings,
                   heap_too_large, differing_settings, apart_by_node_id, other_launchers,
                   half_launched, without_descriptors, programs_in_a_row, missing_pe,
                   pe_0_missing, one_pe_cannot, no_huge_pages,
                   differing_waits, aclshmem_exit]))
