#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every page is used, and explains exactly the parameters of its functions; shmem(7) lists all.

check_pages.py API_FOLDER
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import manpages  # noqa: E402  (the folder is an argument)
import tables  # noqa: E402


def parameters_of(family):
    """Names of the parameters; numbers 3 and 8 and so on of patterns are no names."""
    names = {"ctx"} if family.context != "-" else set()
    for arguments in (family.arguments, family.aclshmem_arguments):
        if arguments not in ("-", "=", "void"):
            names |= {re.search(r"\w+$", a).group() for a in arguments.split(", ") if a != "..."}
    return names


def problems_of(data, page):
    families = [f for f in data.families if f.page == page.name]
    if not families:
        return ["no family of families.tsv uses it"]
    used = set().union(*(parameters_of(f) for f in families))
    explained = {n.strip() for names in page.parameters() for n in names.split(",")}
    found = [f"does not explain {name}" for name in sorted(used - explained)]
    found += [f"explains {name}, which no function has" for name in sorted(explained - used)]
    for name in page.sections["SEE ALSO"].split(", "):
        if name not in data.pages:
            found.append(f"refers to {name}, which is no page")
    if "COLLECTIVE" not in page.sections or "DESCRIPTION" not in page.sections:
        found.append("lacks DESCRIPTION or COLLECTIVE")
    if any(f.returns.split()[-1] != "void" for f in families) and "RETURNS" not in page.sections:
        found.append("lacks RETURNS")
    return found


def problems_of_index(data):
    index = manpages.index_source(data).replace("\\", "")
    words = set(re.findall(r"[\w\[\]]+", index))
    found = [f"lists {mark}" for mark in re.findall(r"@\w+@", index)]
    found += [f"does not list {page}" for page in data.pages if f"*{page}*(3)" not in index]
    for family in data.families:
        for face in tables.FACES:
            name = manpages.name_in_index(family, face)
            if name is not None and name not in words:
                found.append(f"does not list {name}")
    return found


def main():
    data = tables.load(here=pathlib.Path(sys.argv[1]))
    problems = [f"pages/{page.name}.txt {problem}" for page in data.pages.values()
                for problem in problems_of(data, page)]
    problems += [f"shmem.7.scd.in {problem}" for problem in problems_of_index(data)]
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(data.pages)} pages agree with the tables")


if __name__ == "__main__":
    main()
