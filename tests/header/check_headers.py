#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each public header alone, and twice, compiles without a warning in one language edition.

check_headers.py COMPILER STANDARD INCLUDE_FOLDER...
"""
import subprocess
import sys

HEADERS = ["shmem.h", "shmemx.h", "pshmem.h", "aclshmem.h", "mpp/shmem.h", "mpp/shmemx.h",
           "shmem/plugin.h", "shmem/status.h", "aclshmem/shmem.h",
           "aclshmem/host/shmem_host_def.h", "aclshmem/host/init/shmem_host_init.h",
           "aclshmem/host/mem/shmem_host_heap.h", "aclshmem/host/team/shmem_host_team.h",
           "aclshmem/host/data_plane/shmem_host_rma.h", "aclshmem/host/data_plane/shmem_host_so.h",
           "aclshmem/host/data_plane/shmem_host_p2p_sync.h",
           "aclshmem/host/data_plane/shmem_host_cc.h", "aclshmem/host/utils/shmem_log.h",
           "aclshmem/host_device/shmem_common_types.h", "aclshmem/acl/acl.h",
           "aclshmem/acl/acl_base.h", "aclshmem/acl/acl_rt.h"]
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
    for header in HEADERS:
        source = f"#include <{header}>\n#include <{header}>\nextern int not_empty;\n"
        done = subprocess.run(command, input=source, text=True, capture_output=True)
        if done.returncode != 0:
            print(done.stderr)
            failed.append(header)
    if failed:
        sys.exit(f"{compiler} -std={standard}: {', '.join(failed)}")


if __name__ == "__main__":
    main()
