#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each public header alone, and twice, compiles without a warning in one language edition.

check_headers.py COMPILER STANDARD INCLUDE_FOLDER...
"""
import subprocess
import sys

HEADERS = ["shmem.h", "shmemx.h", "pshmem.h", "aclshmem.h", "mpp/shmem.h", "mpp/shmemx.h",
           "shmem/plugin.h", "shmem/status.h", "aclshmem/shmem.h"]
# each is another name of aclshmem/shmem.h: once is enough for all
FORWARDS = ["host/shmem_host_def.h", "host/init/shmem_host_init.h", "host/mem/shmem_host_heap.h",
            "host/team/shmem_host_team.h", "host/data_plane/shmem_host_rma.h",
            "host/data_plane/shmem_host_so.h", "host/data_plane/shmem_host_p2p_sync.h",
            "host/data_plane/shmem_host_cc.h", "host/utils/shmem_log.h",
            "host_device/shmem_common_types.h"]
FLAGS = ["-Wall", "-Wextra", "-Wshadow", "-Wundef", "-pedantic", "-Werror", "-fsyntax-only"]
# old-fashioned prototypes exist in C only
C_FLAGS = ["-Wstrict-prototypes"]


def main():
    compiler, standard, *folders = sys.argv[1:]
    language = "c++" if "++" in standard else "c"
    command = [compiler, f"-std={standard}", "-x", language, *FLAGS]
    command += C_FLAGS if language == "c" else []
    command += [f"-I{folder}" for folder in folders] + ["-"]
    failed = []
    for header in [*HEADERS, "aclshmem/" + ">\n#include <aclshmem/".join(FORWARDS)]:
        source = f"#include <{header}>\n#include <{header}>\nextern int not_empty;\n"
        done = subprocess.run(command, input=source, text=True, capture_output=True)
        if done.returncode != 0:
            print(done.stderr)
            failed.append(header)
    if failed:
        sys.exit(f"{compiler} -std={standard}: {', '.join(failed)}")


if __name__ == "__main__":
    main()
