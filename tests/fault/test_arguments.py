# SPDX-License-Identifier: BSD-3-Clause
"""Wrong arguments of collectives, teams, contexts, signals, waits and locks end the job with one
line that names the PE, the function, the argument, its value and what was expected. Arguments:
launcher, program with wrong use of groups, program with that of words, program for SHMEM_DEBUG."""
import re
import sys
from concurrent.futures import ThreadPoolExecutor

from job import main, run

LAUNCHER, GROUPS, WORDS, DEBUG = sys.argv[1:5]
del sys.argv[3:5]

STRANGE = r"0x\w+ is not symmetric, expected an address from the symmetric heap \(0x\w+ to 0x\w+\)"
HUGE = r"0x\w+ with 2\^64 - 1 or more bytes reaches past the end of symmetric memory$"
ODD = r"0x\w+ is not aligned to its 8 bytes$"
NO_TEAM = r"0x\w+ is no team: it was destroyed, or never made by a split$"
NO_CONTEXT = r"0x\w+ is no context: it was destroyed, or never created$"
NO_PLACE = "NULL, expected a place for the handle$"
COMPARISON = r"expected SHMEM_CMP_EQ \(0\) to SHMEM_CMP_LE \(5\)$"


def past_end(count):
    return rf"0x\w+ with {count} bytes reaches past the end of symmetric memory$"


def expect(command, pattern, environment=None):
    code, out, err = run([LAUNCHER, *command], environment)
    case = " ".join(command[2:])
    assert code == 1, f"{case}: exit status {code}, expected 1; {err}"
    assert err.count("\n") == 1, f"{case}: expected one line, got: {err}"
    assert re.match(pattern, err), f"{case}: {err!r} does not match {pattern!r}"


def expect_all(cases, command, who, environment=None):
    """Rows of a case and of what follows the number of the PE."""
    def one(row):
        expect([*command, *row[0].split()], rf"PE {who}: {row[1]}", environment)

    with ThreadPoolExecutor(max_workers=3) as pool:
        list(pool.map(one, cases))


def of_one(*cases):
    """PE 1 makes the mistake, PE 0 waits in a barrier."""
    expect_all(cases, ["-n", "2", GROUPS], 1)


def of_all(*cases):
    """Both make it."""
    expect_all([(f"{case} all", pattern) for case, pattern in cases], ["-n", "2", GROUPS], r"\d")


# ---- collectives ----

def arrays():
    of_one(("broadcast_dest", f"shmem_long_broadcast: dest = {STRANGE}"),
           ("broadcast_source", f"shmem_long_broadcast: source = {STRANGE}"),
           ("broadcast_null", r"shmem_broadcastmem: dest = \(nil\) is not symmetric, expected"),
           ("broadcast_huge", f"shmem_long_broadcast: dest = {HUGE}"),
           ("collect_dest", f"shmem_long_collect: dest = {STRANGE}"),
           ("collect_source", f"shmem_long_collect: source = {STRANGE}"),
           ("collect_huge", f"shmem_long_collect: dest = {HUGE}"),
           ("fcollect_dest", f"shmem_long_fcollect: dest = {STRANGE}"),
           ("fcollect_end", f"shmem_long_fcollect: dest = {past_end(16)}"),
           ("fcollect_huge", f"shmem_long_fcollect: dest = {HUGE}"),
           ("alltoall_source", f"shmem_long_alltoall: source = {STRANGE}"),
           ("alltoall_end", f"shmem_long_alltoall: dest = {past_end(16)}"),
           ("alltoall_huge", f"shmem_alltoallmem: dest = {HUGE}"),
           ("alltoalls_end", f"shmem_long_alltoalls: source = {past_end(48)}"),
           ("alltoalls_huge", f"shmem_long_alltoalls: dest = {HUGE}"))
    of_all(("collect_end", r"shmem_long_collect: dest = 0x\w+, expected room for the 16 bytes of "
            r"all PEs in symmetric memory$"),
           ("broadcast_dest", f"shmem_long_broadcast: dest = {STRANGE}"))


def arrays_of_reductions():
    of_one(("reduce_dest", f"shmem_long_sum_reduce: dest = {STRANGE}"),
           ("reduce_source", f"shmem_double_max_reduce: source = {STRANGE}"),
           ("reduce_huge", f"shmem_long_sum_reduce: dest = {HUGE}"),
           ("scan_dest", f"shmem_long_sum_exscan: dest = {STRANGE}"),
           ("scan_end", f"shmem_long_sum_inscan: source = {past_end(16)}"))


def numbers():
    of_one(("root", "shmem_long_broadcast: PE_root = 2, expected 0 to 1$"),
           ("negative_root", "shmem_broadcastmem: PE_root = -1, expected 0 to 1$"),
           ("dst", "shmem_long_alltoalls: dst = 0, expected 1 or more$"),
           ("sst", "shmem_alltoallsmem: sst = -2, expected 1 or more$"))


def no_teams():
    calls = (("broadcast", "shmem_int_broadcast"), ("collect", "shmem_long_collect"),
             ("fcollect", "shmem_fcollectmem"), ("alltoall", "shmem_long_alltoall"),
             ("alltoalls", "shmem_long_alltoalls"), ("reduce", "shmem_long_sum_reduce"),
             ("scan", "shmem_long_sum_exscan"), ("team_sync", "shmem_team_sync"))
    of_one(*[(f"invalid:{case}", f"{call}: team = SHMEM_TEAM_INVALID, expected a team$")
             for case, call in calls])
    of_one(*[(f"gone:{case}", f"{call}: team = {NO_TEAM}") for case, call in calls])
    of_all(*[(f"garbage:{case}", f"{call}: team = {NO_TEAM}") for case, call in calls[4:]])


# ---- active sets ----

def active_sets():
    of_one(("set_start", "shmem_barrier: PE_start = 2, expected 0 to 1$"),
           ("set_negative", "shmem_sync: PE_start = -1, expected 0 to 1$"),
           ("set_stride", "shmem_broadcast32: logPE_stride = -1, expected 0 to 30$"),
           ("set_large_stride", "shmem_broadcast64: logPE_stride = 31, expected 0 to 30$"),
           ("set_size", "shmem_collect64: PE_size = 0, expected 1 to 2$"),
           ("set_large_size", "shmem_fcollect64: PE_size = 3, expected 1 to 2$"),
           ("set_past_end", "shmem_alltoall64: PE_start = 0, logPE_stride = 1, PE_size = 2: the "
            "last PE is 2, expected at most 1$"),
           ("set_not_member", "shmem_alltoalls64: PE_start = 0, logPE_stride = 0, PE_size = 1: "
            "this PE is not in the active set$"),
           ("sync_local", f"shmem_long_sum_to_all: pSync = {STRANGE}"),
           ("sync_null", r"shmem_barrier: pSync = \(nil\) is not symmetric"),
           ("sync_misaligned", f"shmem_long_sum_to_all: pSync = {ODD}"),
           ("nreduce", "shmem_long_sum_to_all: nreduce = -1, expected 0 or more$"),
           ("nreduce_world", "shmem_int_and_to_all: nreduce = -7, expected 0 or more$"),
           ("set_dest", f"shmem_long_max_to_all: dest = {STRANGE}"),
           ("set_root", "shmem_broadcast64: PE_root = 1, expected 0 to 0$"))


# ---- teams ----

def teams():
    mask = r"expected 0 or SHMEM_TEAM_NUM_CONTEXTS \(0x1\)$"
    of_one(("destroy_world", "shmem_team_destroy: team = SHMEM_TEAM_WORLD, expected a team made "
            "by a split$"),
           ("destroy_shared", "shmem_team_destroy: team = SHMEM_TEAM_SHARED, expected a team"),
           ("destroy_twice", f"shmem_team_destroy: team = {NO_TEAM}"),
           ("my_pe", f"shmem_team_my_pe: team = {NO_TEAM}"),
           ("translate", f"shmem_team_translate_pe: dest_team = {NO_TEAM}"),
           ("team_ptr", f"shmem_team_ptr: team = {NO_TEAM}"),
           ("split", f"shmem_team_split_strided: parent_team = {NO_TEAM}"),
           ("split_2d", f"shmem_team_split_2d: parent_team = {NO_TEAM}"),
           ("split_mask", f"shmem_team_split_strided: config_mask = 0x20, {mask}"),
           ("split_config", "shmem_team_split_strided: config = NULL with config_mask = 0x1, "),
           ("split_x_mask", rf"shmem_team_split_2d: xaxis_mask = 0xf{{16}}, {mask}"),
           ("split_y_config", "shmem_team_split_2d: yaxis_config = NULL with yaxis_mask = 0x1, "),
           ("split_null", f"shmem_team_split_strided: new_team = {NO_PLACE}"),
           ("split_x_null", f"shmem_team_split_2d: xaxis_team = {NO_PLACE}"),
           ("split_y_null", f"shmem_team_split_2d: yaxis_team = {NO_PLACE}"),
           ("get_config", f"shmem_team_get_config: team = {NO_TEAM}"),
           ("get_config_mask", f"shmem_team_get_config: config_mask = 0x20, {mask}"),
           ("get_config_null", "shmem_team_get_config: config = NULL with config_mask = 0x1, "))
    assert run([LAUNCHER, "-n", "2", GROUPS, "answers"]) == (0, "", "")


# ---- contexts ----

def no_contexts():
    operations = (("put", "shmem_ctx_long_put"), ("g", "shmem_ctx_long_g"),
                  ("iget", "shmem_ctx_long_iget"), ("atomic", "shmem_ctx_long_atomic_inc"),
                  ("fetch_nbi", "shmem_ctx_uint64_atomic_fetch_nbi"),
                  ("signal", "shmem_ctx_long_put_signal"))
    others = [(name, f"shmem_ctx_{name}") for name in (
        "fence", "quiet", "pe_quiet", "get_team", "session_start", "session_stop", "destroy")]
    of_one(*[(f"invalid:ctx_{case}", f"{call}: ctx = SHMEM_CTX_INVALID, expected a context$")
             for case, call in operations])
    of_one(*[(f"gone:ctx_{case}", f"{call}: ctx = {NO_CONTEXT}")
             for case, call in (*operations, *others)])
    of_all(*[(f"garbage:ctx_{case}", f"{call}: ctx = {NO_CONTEXT}")
             for case, call in (operations[0], *others[-2:])])
    of_one(*[(f"orphan:ctx_{case}", f"{call}: ctx = {NO_CONTEXT}")
             for case, call in (operations[1], others[1])])


def contexts():
    of_one(("ctx_pe", "shmem_ctx_long_p: pe = 1, expected 0 to 0, the PEs of the context's team$"),
           ("ctx_negative_pe", "shmem_ctx_long_atomic_fetch: pe = -1, expected 0 to 0, the PEs "),
           ("ctx_default_pe", "shmem_ctx_long_p: pe = 2, expected 0 to 1$"),
           ("ctx_stack", f"shmem_ctx_long_p: dest = {STRANGE}"),
           ("ctx_quiet_pes", r"shmem_ctx_pe_quiet: target_pes\[1\] = 1, expected 0 to 0$"),
           ("ctx_quiet_default", r"shmem_ctx_pe_quiet: target_pes\[2\] = 2, expected 0 to 1$"),
           ("quiet_pes", r"shmem_pe_quiet: target_pes\[2\] = 2, expected 0 to 1$"),
           ("quiet_null", "shmem_pe_quiet: target_pes = NULL with npes = 2, expected PEs$"),
           ("ctx_destroy_default", "shmem_ctx_destroy: ctx = SHMEM_CTX_DEFAULT, expected a "
            "context that was created$"),
           ("ctx_of_team", f"shmem_team_create_ctx: team = {NO_TEAM}"),
           ("ctx_null", f"shmem_ctx_create: ctx = {NO_PLACE}"),
           ("ctx_of_team_null", f"shmem_team_create_ctx: ctx = {NO_PLACE}"),
           ("ctx_get_team_null", f"shmem_ctx_get_team: team = {NO_PLACE}"),
           ("ctx_session_config", "shmem_ctx_session_start: config = NULL with config_mask = 0x"))
    expect(["-n", "2", GROUPS, "ctx_private"], r"PE 1: shmem_ctx_long_p: ctx = 0x\w+ has "
           r"SHMEM_CTX_PRIVATE and belongs to another thread$", {"SHMEM_DEBUG": "1"})


# ---- words ----

def of_words(*cases):
    """PE 0 makes the mistake, PE 1 waits in a barrier."""
    expect_all(cases, ["-n", "2", WORDS], 0)


def signals():
    of_words(("signal_stack", f"shmem_signal_set: sig_addr = {STRANGE}"),
             ("signal_unaligned", f"shmem_signal_add: sig_addr = {ODD}"),
             ("signal_pe", "shmem_signal_add: pe = -2, expected 0 to 1$"),
             ("signal_fetch", f"shmem_signal_fetch: sig_addr = {STRANGE}"),
             ("signal_wait", f"shmem_signal_wait_until: sig_addr = {STRANGE}"),
             ("signal_wait_unaligned", f"shmem_signal_wait_until: sig_addr = {ODD}"),
             ("signal_cmp", f"shmem_signal_wait_until: cmp = 6, {COMPARISON}"),
             ("put_signal_op", r"shmem_long_put_signal: sig_op = 9, expected SHMEM_SIGNAL_SET \(0\)"
              r" or SHMEM_SIGNAL_ADD \(1\)$"),
             ("put_signal_word", f"shmem_putmem_signal: sig_addr = {STRANGE}"),
             ("put_signal_dest", f"shmem_long_put_signal_nbi: dest = {STRANGE}"),
             ("put_signal_pe", "shmem_put64_signal: pe = 2, expected 0 to 1$"))


def waits():
    of_words(("all_stack", f"shmem_long_wait_until_all: ivars = {STRANGE}"),
             ("any_unaligned", r"shmem_int_wait_until_any: ivars = 0x\w+ is not aligned to its 4"),
             ("some_cmp", f"shmem_long_wait_until_some: cmp = -1, {COMPARISON}"),
             ("some_indices", "shmem_long_wait_until_some: indices = NULL, expected room for 4 "),
             ("all_vector_huge", f"shmem_long_wait_until_all_vector: ivars = {HUGE}"),
             ("test_all_stack", f"shmem_long_test_all: ivars = {STRANGE}"),
             ("test_any_cmp", f"shmem_long_test_any: cmp = 7, {COMPARISON}"),
             ("test_some_indices", "shmem_long_test_some: indices = NULL, expected room for 4 "),
             ("test_some_vector", f"shmem_long_test_some_vector: ivars = {STRANGE}"))


def locks():
    free = r"shmem_clear_lock: lock = 0x\w+ is not held by any PE$"
    of_words(("lock_stack", f"shmem_set_lock: lock = {STRANGE}"),
             ("lock_unaligned", f"shmem_set_lock: lock = {ODD}"),
             ("test_lock", f"shmem_test_lock: lock = {STRANGE}"),
             ("clear_stack", f"shmem_clear_lock: lock = {STRANGE}"),
             ("clear_lock", free), ("clear_twice", free))


def wrong_time():
    """Without a launcher, which makes it quick."""
    for family, call in (
            ("p", "long_p"), ("ctx_p", "ctx_long_p"), ("team_my_pe", "team_my_pe"),
            ("split", "team_split_strided"), ("ctx_create", "ctx_create"),
            ("ctx_destroy", "ctx_destroy"), ("session", "ctx_session_start"),
            ("put_signal", "long_put_signal"), ("signal_wait", "signal_wait_until"),
            ("pe_quiet", "pe_quiet"), ("sync_all", "sync_all"), ("team_sync", "team_sync"),
            ("broadcast", "long_broadcast"), ("sum_reduce", "long_sum_reduce"),
            ("sum_to_all", "long_sum_to_all"), ("set_lock", "set_lock"),
            ("test_lock", "test_lock"), ("wait_until_any", "long_wait_until_any"),
            ("test_all", "long_test_all"), ("pcontrol", "pcontrol"), ("udcflush", "udcflush")):
        for when, text in (("before", "before shmem_init"), ("after", "after shmem_finalize")):
            result = run([WORDS, when, family])
            assert result == (1, "", f"PE 0: shmem_{call}: called {text}\n"), result


# ---- SHMEM_DEBUG ----

def of_debug(*cases):
    expect_all(cases, ["-n", "3", DEBUG], r"\d", {"SHMEM_DEBUG": "1"})


def differing_arguments():
    def rows(group, *cases):
        return [(f"{group}:{case}", rf"shmem_\w+: PE 1 differs from PE 0 in {text}$")
                for case, text in cases]

    of_debug(*rows("team", ("root", "PE_root: 1 instead of 0"),
                   ("nelems", "nelems, in bytes: 16 instead of 8"),
                   ("element", "nelems, in bytes: 4 instead of 8"),
                   ("dest", r"dest: static data \+ \d+ instead of static data \+ \d+"),
                   ("source", r"source: static data \+ \d+ instead of static data \+ \d+"),
                   ("strides", "sst: 2 instead of 1"),
                   ("alltoalls_nelems", "nelems: 1 instead of 0"),
                   ("nreduce", "nreduce: 4 instead of 3"),
                   ("operation", "the operation: min of int64 instead of max of int64"),
                   ("type", "the operation: sum of double instead of sum of int64"),
                   ("scan", "the operation: exclusive sum of int64 instead of inclusive sum of "
                    "int64"),
                   ("scan_nelems", "nelems: 2 instead of 3")),
             *rows("set", ("root", "PE_root: 1 instead of 0"),
                   ("nelems", "nelems, in bytes: 16 instead of 8"),
                   ("nreduce", "nreduce: 4 instead of 3")),
             ("split:triplet", r"shmem_team_split_strided: start, stride, size = 0, 1, 2 on PE 1, "
              r"expected 0, 1, 3 as on PE 0$"),
             ("split:xrange", "shmem_team_split_2d: xrange = 2 on PE 1, expected 1 as on PE 0$"))


def differing_kinds():
    kinds = {"barrier_all": "barrier or sync", "team_sync": "barrier or sync",
             "set_barrier": "barrier or sync", "set_broadcast": "broadcast", "reduce": "reduction",
             "split_2d": "split into 2d"}
    pairs = (("broadcast", "fcollect"), ("broadcast", "barrier_all"), ("barrier_all", "broadcast"),
             ("reduce", "split"), ("split", "reduce"), ("team_sync", "split"),
             ("split", "split_2d"), ("destroy", "team_sync"), ("team_sync", "destroy"),
             ("fcollect", "destroy"), ("set_barrier", "set_broadcast"),
             ("set_broadcast", "set_barrier"))
    of_debug(*[(f"kinds:{first} {second}", r"shmem_\w+: PE 1 differs from PE 0 in the kind of "
                f"collective: {kinds.get(second, second)} instead of {kinds.get(first, first)}$")
               for first, second in pairs])


def overlaps():
    def row(case, call, source, dest, also=""):
        return (f"overlap:{case}", rf"shmem_long_{call}: source = 0x\w+ \({source} bytes\) and "
                rf"dest = 0x\w+ \({dest} bytes\) overlap, expected {also}no byte in common$")

    same = "the same address or "
    of_debug(row("broadcast", "broadcast", 16, 16, same), row("collect", "collect", 16, 16),
             row("fcollect", "fcollect", 8, 24), row("fcollect_same", "fcollect", 8, 24),
             row("alltoall", "alltoall", 24, 24), row("alltoalls", "alltoalls", 24, 24),
             row("reduce", "sum_reduce", 16, 16, same), row("scan", "sum_exscan", 16, 16, same),
             row("to_all", "sum_to_all", 24, 24, same))
    result = run([LAUNCHER, "-n", "3", DEBUG, "apart"], {"SHMEM_DEBUG": "1"})
    assert result == (0, "", ""), result


if __name__ == "__main__":
    sys.exit(main([arrays, arrays_of_reductions, numbers, no_teams, active_sets, teams, no_contexts,
                   contexts, signals, waits, locks, wrong_time, differing_arguments,
                   differing_kinds, overlaps]))
