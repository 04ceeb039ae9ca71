#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares two files of figures, lines "PEs<TAB>name<TAB>size<TAB>value<TAB>unit" in the order of
their runs: prints the medians of both and the median of the ratios of runs that belong together.
A ratio above 1 means that the first is better: a shorter time or a higher rate.

usage: ratios.py OURS OTHER
"""
import statistics
import sys

TIMES = {"us", "ms", "s"}


def read(path):
    """{(PEs, name, size, unit): [values]}"""
    figures = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 5 and not fields[1].startswith("#"):
                n_pes, name, size, value, unit = fields
                figures.setdefault((int(n_pes), name, int(size), unit), []).append(float(value))
    return figures


def ratios(ours, other, unit):
    pairs = [(a, b) for a, b in zip(ours, other) if a > 0 and b > 0]
    return [b / a if unit in TIMES else a / b for a, b in pairs]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    ours, other = read(sys.argv[1]), read(sys.argv[2])
    print(f"{'PEs':>4} {'name':<20} {'size':>9} {'ours':>12} {'other':>12} {'unit':<10} "
          "ratio (least to most)")
    for key in sorted(ours, key=lambda key: key[0]):
        n_pes, name, size, unit = key
        line = f"{n_pes:>4} {name:<20} {size:>9} {statistics.median(ours[key]):>12.4f}"
        found = ratios(ours[key], other.get(key, []), unit)
        if not found:
            print(f"{line} {'none':>12} {unit}")
            continue
        print(f"{line} {statistics.median(other[key]):>12.4f} {unit:<10} "
              f"{statistics.median(found):.2f} ({min(found):.2f} to {max(found):.2f})")


if __name__ == "__main__":
    main()
