# SPDX-License-Identifier: BSD-3-Clause
"""Engines that are asked for and cannot work: one line says what is missing. Arguments: launcher,
program, shmem-info."""
import re
import sys

from job import main, run

LAUNCHER, PROGRAM, INFO = sys.argv[1:4]
del sys.argv[3]


def job(when, engines, pes=3, **environment):
    code, out, err = run([LAUNCHER, "-n", str(pes), PROGRAM, when],
                         dict(environment, SHMEM_ENGINES=engines))
    return code, out, err


def works_here():
    """True when the kernel copies between processes of this machine."""
    _, out, _ = run([LAUNCHER, "-n", "2", INFO, "--topo"], {"SHMEM_ENGINES": "any"})
    return "udma: PEs 0-1" in out


def unknown_engines():
    for text in ("mtx", "", "mte,", "mte sdma", "1"):
        code, out, err = job("", text)
        assert (code, out) == (1, ""), f"{text}: {code} {out}"
        assert re.fullmatch(rf'PE \d: shmem_init: SHMEM_ENGINES: "{text}"; expected any, or a list '
                            r"of mte, sdma, udma and roce, such as mte,sdma\n", err), err


def unknown_threshold():
    for text in ("0", "-1", "much"):
        code, out, err = job("", "mte,sdma", SHMEM_SDMA_THRESHOLD=text)
        assert (code, out, err.count("\n")) == (1, "", 1), f"{text}: {code} {out} {err}"
        assert f'SHMEM_SDMA_THRESHOLD: "{text}"' in err, err


def no_network():
    for text in ("roce", "mte,roce"):
        code, out, err = job("", text)
        assert (code, out) == (1, ""), f"{text}: {code} {out}"
        assert re.fullmatch(r"PE \d: shmem_init: engine roce was asked for, and this build has no "
                            r"network between nodes; expected mte, sdma or udma\n", err), err
    assert job("", "any") == (0, "done\n" * 3, "")


def refused_at_init():
    for engines in ("udma", "mte,udma"):
        code, out, err = job("before", engines)
        assert (code, out) == (1, ""), f"{code} {out}"
        assert re.fullmatch(r"PE \d: shmem_init: engine udma was asked for, and the kernel refuses "
                            r"PE 1 to copy memory of PE 0 \(process_vm_readv, process_vm_writev: "
                            r"Operation not permitted\): .*\n", err), err
    assert job("before", "any") == (0, "done\n" * 3, "")
    assert job("before", "sdma") == (0, "done\n" * 3, "")


def refused_later():
    code, out, err = job("after", "udma")
    assert (code, out) == (1, ""), f"{code} {out}"
    assert err == ("PE 1: shmem_putmem: engine udma: the kernel no longer copies to PE 0: "
                   "Operation not permitted\n"), err
    for engines in ("mte,udma", "sdma,udma", "any"):
        assert job("after", engines) == (0, "done\n" * 3, ""), engines


def peer_dies():
    for engines in ("udma", "sdma"):
        code, out, err = job("dies", engines)
        assert (code, out) == (137, ""), f"{engines}: {code} {out}"
        assert re.match(r"shmemrun: PE 1 was killed by signal 9 .*\n\Z", err), f"{engines}: {err}"


HAS_COPIES = works_here()
sys.exit(main([unknown_engines, unknown_threshold, no_network] +
              ([refused_at_init, refused_later, peer_dies] if HAS_COPIES else []),
              [] if HAS_COPIES else [("udma", "the kernel refuses copies between processes")]))
