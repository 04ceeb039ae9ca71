# SPDX-License-Identifier: BSD-3-Clause
"""Jobs that meet over MPI, under the launcher of one MPI. Arguments: its name, the launcher, a
program and an example that are linked with that MPI, a program that is linked with none, optionally
names of tests."""
import os
import re
import sys
import tempfile

from job import Job, main

NAME, LAUNCHER, PROGRAM, EXAMPLE, NEWCOMER = sys.argv[1:6]
del sys.argv[3:6]  # main() expects names of tests there
OPTIONS = ["--oversubscribe"] if NAME == "openmpi" else []
VARIABLES = {
    # as root and in containers, without a remote shell; processes that wait leave the processors to
    # others
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_plm_rsh_agent": "false", "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl": "self,vader", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    # MPIs keep some of their memory, and check addresses in ways of their own
    "ASAN_OPTIONS": ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "detect_leaks=0"))),
}


def run(program, n_pes, *arguments, **more):
    """Exit status and all lines of a job, which must leave neither processes nor files."""
    with tempfile.TemporaryDirectory(prefix="mpi") as folder:
        variables = {"TMPDIR": folder, "OMPI_MCA_btl_vader_backing_directory": folder}
        job = Job([LAUNCHER, *OPTIONS, "-n", str(n_pes), program, *map(str, arguments)],
                  {**VARIABLES, **variables, **more})
        code, out, err = job.finish()
        job.check_gone()
        left = [os.path.join(path, name) for path, _, names in os.walk(folder) for name in names]
        assert not left, f"left behind: {left}"
    return code, out, err


def succeed(program, n_pes, *arguments, **more):
    code, out, err = run(program, n_pes, *arguments, **more)
    done = sorted(line for line in out.splitlines() if line.startswith("done "))
    wanted = [f"done {pe} of {n_pes}" for pe in range(n_pes)]
    assert (code, done) == (0, wanted), f"{arguments} on {n_pes}: {code}\n{out}\n{err}"
    return out + err


def communicators():
    # the MPI that a program is linked with counts, not what launchers left in the environment
    succeed(PROGRAM, 1, "world", **{"OMPI_COMM_WORLD_RANK" if NAME == "mpich" else "PMI_RANK": "0"})
    for n_pes in (1, 2, 4):
        succeed(PROGRAM, n_pes, "world")
    succeed(PROGRAM, 4, "self")
    succeed(PROGRAM, 4, "split")


def example():
    code, out, err = run(EXAMPLE, 4, "--mode", "mpi")
    wanted = [f"acl_init: PE {pe} of 4, met by mpi, heard from PE {(pe - 1) % 4}"
              for pe in range(4)]
    assert (code, sorted(out.splitlines())) == (0, wanted), f"{code} {out} {err}"


def many_in_a_row():
    succeed(PROGRAM, 1, "often", 2100)
    succeed(PROGRAM, 2, "often", 100)


def mpi_of_the_plug_in():
    """The program is not linked with MPI: the plug-in for this launcher initialises it."""
    for n_pes in (1, 2, 4):
        succeed(NEWCOMER, n_pes)
    code, out, err = run(NEWCOMER, 2, "return")
    assert (code, out) == (0, ""), f"{code} {out} {err}"
    code, out, err = run(NEWCOMER, 2, "vanish")
    assert code != 0 and "done" not in out, f"{code} {out} {err}"


def refused(test, n_pes, line):
    """The same line on every PE, and the next init is as if nothing had been."""
    said = succeed(PROGRAM, n_pes, test)
    assert len(re.findall(line, said)) == n_pes, f"{test}: {said}"


def wrong_numbers():
    refused("wrong_rank", 4, "rank 1 of the communicator of 4 processes has my_pe = 0 and n_pes = "
                             "4, expected my_pe = 1 and n_pes = 4")
    refused("wrong_size", 2, "rank 0 of the communicator of 2 processes has my_pe = 0 and n_pes = "
                             "3, expected my_pe = 0 and n_pes = 2")


def wrong_communicator():
    refused("wrong_communicator", 2, "comm_args points to MPI_COMM_NULL")
    refused("wrong_communicator", 4, "comm_args points to an inter-communicator")


def tls_is_refused():
    refused("with_tls", 2, "TLS is asked for, which PEs that meet over MPI do not have")


def late_process():
    code, out, err = run(PROGRAM, 3, "late")
    assert code == 9, f"{code} {out} {err}"
    assert sorted(re.findall("gave up .", out)) == ["gave up 0", "gave up 1", "gave up 2"], out
    assert len(re.findall("the time limit passed before all PEs of the communicator", err)) == 2, err


def life_of_mpi():
    refused("finalized_before", 2, "MPI was finalized already")
    refused("finalized_between", 2, "MPI was finalized while PEs that met over it")


def threads():
    said = succeed(PROGRAM, 2, "thread", "funneled")
    assert said.count("MPI was initialised for calls by its main thread only") == 2, said
    succeed(PROGRAM, 2, "thread", "serialized")


def sudden_ends():
    """The launcher of MPI notices, and ends the others; which of their ends it tells is its choice.
    """
    for number in (9, 6):
        code, out, err = run(PROGRAM, 3, "die", number)
        assert code != 0 and "done" not in out, f"{number}: {code} {out} {err}"
    code, out, err = run(PROGRAM, 2, "leave_with", 3)
    assert code != 0 and "done" not in out, f"{code} {out} {err}"


def global_exit():
    for status in (0, 7):
        code, out, err = run(PROGRAM, 4, "global_exit", status)
        # MPICH's launcher kills the others, and may tell the status of one of those
        is_right = code == status if NAME == "openmpi" else code != 0 or status == 0
        assert is_right and "done" not in out, f"{status}: {code} {out} {err}"
        assert not re.search("Assertion|Internal error", err), err


if __name__ == "__main__":
    if LAUNCHER == "none":
        print(f"no launcher of {NAME}")
        sys.exit(77)
    sys.exit(main([communicators, example, many_in_a_row, mpi_of_the_plug_in, wrong_numbers,
                   wrong_communicator, tls_is_refused, late_process, life_of_mpi, threads,
                   sudden_ends, global_exit]))
