#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds the programs of this folder with this library and with another implementation of OpenSHMEM,
# runs them in turns, and prints for each figure both medians and the median of the ratios.
#
# usage: bench/compare.sh [--pes LIST] [--rounds N] [--programs LIST] [--limits] OTHER_CC OTHER_RUN
#   OTHER_CC, OTHER_RUN   the other's oshcc and oshrun, the latter with its options
#   --pes LIST            numbers of PEs (default: 2,8,32)
#   --rounds N            times that each program runs with each library (default: 3)
#   --programs LIST       default: start_up,osh_micro,bucket_sort,random_updates,jacobi; an
#                         argument for one follows a colon, as in jacobi:128
#   --limits              runs limits.c in each round, too: what this machine can do with no library
#                         in between, beside our figures for 2 PEs
#
# Open MPI of Debian (openmpi-bin, libopenmpi-dev), as root:
#   bench/compare.sh /usr/bin/oshcc \
#       "/usr/bin/oshrun --allow-run-as-root --mca btl ^uct --oversubscribe"
set -eu
cd "$(dirname "$0")/.."

pes=2,8,32 rounds=3 limits=false
programs=start_up,osh_micro,bucket_sort,random_updates,jacobi
while [ $# -gt 0 ]; do
    case $1 in
    --pes) pes=$2; shift 2 ;;
    --rounds) rounds=$2; shift 2 ;;
    --programs) programs=$2; shift 2 ;;
    --limits) limits=true; shift ;;
    --help) sed -n '3,/^set/s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "compare.sh: unknown option $1, see --help" >&2; exit 2 ;;
    *) break ;;
    esac
done
[ $# -eq 2 ] || { echo "compare.sh: expected OTHER_CC and OTHER_RUN, see --help" >&2; exit 2; }
other_cc=$1 other_run=$2
for command in "${other_cc%% *}" "${other_run%% *}"; do
    command -v "$command" >/dev/null ||
        { echo "compare.sh: $command: no such command" >&2; exit 2; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/ours" "$work/other"

make --no-print-directory install PREFIX="$work/install" >"$work/build.log" 2>&1 ||
    { cat "$work/build.log" >&2; exit 1; }
for program in $(echo "$programs" | tr , ' '); do
    program=${program%%:*}
    "$work/install/bin/oshcc" -O2 -std=gnu11 "bench/$program.c" -o "$work/ours/$program"
    $other_cc -O2 -std=gnu11 "bench/$program.c" -o "$work/other/$program"
done

# shellcheck disable=SC2086
${CC:-cc} -O2 -std=gnu11 bench/limits.c -o "$work/limits"

# run LIBRARY PROGRAM[:ARGUMENT] N COMMAND...: adds the figures to a file; a failed run is told and
# left out
run()
{
    library=$1 program=${2%%:*} argument=${2#"${2%%:*}"} n=$3
    shift 3
    set -- "$@" -np "$n" "$work/$library/$program"
    [ -z "$argument" ] || set -- "$@" "${argument#:}"
    [ "$program" != osh_micro ] || [ "$n" -le 2 ] || set -- "$@" -r 5 -t 5000
    start=$(date +%s%N)
    if ! SHMEM_SYMMETRIC_SIZE=256M timeout 300 "$@" >"$work/out" 2>"$work/err"; then
        echo "$program with $n PEs, $library: failed: $(tail -n 1 "$work/err")" >&2
    elif [ "$program" = start_up ]; then
        printf 'start_up\t0\t%d\tus\n' $((($(date +%s%N) - start) / 1000)) >>"$work/out"
    fi
    sed "s/^/$n	/" "$work/out" >>"$work/$library.tsv"
}

: >"$work/ours.tsv"
: >"$work/other.tsv"
: >"$work/limits.tsv"
round=0
while [ "$round" -lt "$rounds" ]; do
    ! "$limits" || "$work/limits" | sed "s/^/2	/" >>"$work/limits.tsv"
    for n in $(echo "$pes" | tr , ' '); do
        for call in $(echo "$programs" | tr , ' '); do
            run ours "$call" "$n" "$work/install/bin/oshrun"
            # shellcheck disable=SC2086
            run other "$call" "$n" $other_run
        done
    done
    round=$((round + 1))
done
python3 bench/ratios.py "$work/ours.tsv" "$work/other.tsv"
if "$limits"; then
    printf '\nwith no library in between (below 1: so much of it is reached)\n'
    python3 bench/ratios.py "$work/ours.tsv" "$work/limits.tsv" | grep -v ' none '
    echo "limits without a figure of ours beside them:"
    grep -E '	(switch|put_fence_lat)	' "$work/limits.tsv" | cut -f 2-
fi
