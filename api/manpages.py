#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes manual pages as scdoc sources from the tables and pages of this folder: one of section 3
for each page, and shmem(7), which lists them."""
import argparse
import pathlib
import re
import textwrap

import tables

HEADERS = {"openshmem": "shmem.h", "aclshmem": "aclshmem.h", "extension": "shmemx.h"}


def escape(text):
    return re.sub(r"([\\_*#<>\[\]~`])", r"\\\1", text)


def placeholder_words(family):
    if family.set.startswith("sized"):
        return {"name": "SIZE", "T": "void"}
    return {"name": "TYPENAME", "T": "TYPE"}


def declaration_of(family, face):
    words = placeholder_words(family)
    name = family.pattern(face).format(**words)
    returns = family.returns.replace("SHMEM_NORETURN", "_Noreturn").format(**words)
    space = "" if returns.endswith("*") else " "
    return f"{returns}{space}{name}({family.arguments_of(face).format(**words)});"


def is_deprecated(family):
    return family.section.startswith("Deprecated")


def synopsis(families, face):
    """What to use, the same on a context, and what is deprecated."""
    groups = {"": [], "/* on a context */": [], "/* deprecated */": []}
    plain, on_context, deprecated = groups.values()
    for form in [form for family in families for form in family.forms(face)]:
        has_context = form.arguments.startswith(tables.CONTEXT_ARGUMENT)
        group = deprecated if is_deprecated(form) else on_context if has_context else plain
        group.append(declaration_of(form, face))
    lines = []
    for comment, declarations in groups.items():
        if declarations:
            lines += ["", comment] if comment else [""]
        for declaration in dict.fromkeys(declarations):
            lines += tables.wrap_after_commas(declaration, 68)
    return lines


def generic_calls(families):
    """What C11 programs may write instead."""
    calls = []
    for form in [form for family in families for form in family.forms("openshmem")]:
        names = ", ".join(re.findall(r"\w+(?=,|$)", form.arguments))
        if form.generic not in ("-", form.openshmem):
            calls.append(f"{form.generic}({names})")
    return list(dict.fromkeys(calls))


def header_of(family, face):
    extension = face == "openshmem" and family.openshmem.startswith("shmemx_")
    return HEADERS["extension" if extension else face]


def synopsis_section(data, families):
    text = "# SYNOPSIS\n\n"
    for face in tables.FACES:
        offered = [f for f in families if f.pattern(face) != "-"]
        if not offered:
            continue
        lines = [f"#include <{header_of(offered[0], face)}>"] + synopsis(offered, face)
        generics = generic_calls(offered) if face == "openshmem" else []
        if generics:
            lines += ["", "/* C11, selected by the types of the arguments */"] + generics
        text += "```\n" + "\n".join(lines) + "\n```\n\n"
    return text + type_lists(data, families)


def type_lists(data, families):
    """Which TYPENAME (TYPE) each function takes; families with the same list share a line."""
    text = ""
    for face in tables.FACES:
        users = {}
        for family in families:
            if family.set != "-" and family.pattern(face) != "-":
                types = tuple(t.name if t.c_type in ("void", t.name) else f"{t.name} ({t.c_type})"
                              for t in data.types_of(family, face))
                name = family.pattern(face).format(**placeholder_words(family))
                users.setdefault(types, []).append(name)
        for types, names in users.items():
            names = list(dict.fromkeys(names))
            text += escape(f"{', '.join(names)}: {', '.join(types)}.") + "\n\n"
    return text


def page_source(data, page):
    families = [f for f in data.families if f.page == page.name]
    text = f"{page.name}(3)\n\n# NAME\n\n{escape(page.name)} - {escape(page.purpose)}\n\n"
    text += synopsis_section(data, families)
    for section, body in page.sections.items():
        text += f"# {section}\n\n"
        if section == "PARAMETERS":
            for names, meaning in page.parameters().items():
                text += f"*{escape(names)}*\n\t{escape(meaning)}\n\n"
        elif section == "SEE ALSO":
            text += ", ".join(f"*{escape(n)}*(3)" for n in body.split(", ")) + "\n\n"
        else:
            text += escape(body) + "\n\n"
    sources = dict.fromkeys(f"{standard_of(f)}: {f.section}" for f in families)
    return text + "# STANDARDS\n\n" + escape("; ".join(sources)) + "\n"


def standard_of(family):
    if family.openshmem == "-":
        return "ACLSHMEM 1.1"
    return "SHMEM" if family.section.startswith("Extension") else "OpenSHMEM 1.6"


def name_in_index(family, face):
    """None where the family is not offered; [ctx_] where it has a form on contexts."""
    pattern = family.pattern(face)
    if pattern == "-":
        return None
    if len(family.forms(face)) > 1:
        pattern = family.context.replace("ctx_", "[ctx_]", 1)
    return pattern.format(**placeholder_words(family))


def rank_of_section(section):
    """What programs should not start with comes last, the oldest first."""
    is_last = section.startswith("Deprecated")
    return is_last, section.startswith("Extension"), section if is_last else ""


def index_of(data, face):
    """All functions of a face, by section of its standard and by page."""
    sections = {}
    for family in data.families:
        name = name_in_index(family, face)
        if name is not None:
            pages = sections.setdefault(family.section, {})
            pages.setdefault(family.page, {})[name] = None
    text = ""
    seen = set()
    for section in sorted(sections, key=rank_of_section):
        text += f"## {escape(section)}\n\n"
        for page, names in sections[section].items():
            purpose = "" if page in seen else f" - {escape(data.pages[page].purpose)}"
            lines = textwrap.wrap(", ".join(names), 68, break_long_words=False)
            text += f"*{escape(page)}*(3){purpose}\n```\n" + "\n".join(lines) + "\n```\n\n"
            seen.add(page)
    return text.rstrip()


def index_source(data):
    text = (tables.HERE / "shmem.7.scd.in").read_text()
    for face in tables.FACES:
        text = text.replace(f"@{face}@", index_of(data, face))
    return text


def links(data):
    """(function or generic, page) for every name that needs a link to its page."""
    found = {}
    for face in tables.FACES:
        for page, functions in data.by_page(face):
            for function in functions:
                found[function.name] = page.name
                if function.family.generic != "-":
                    found[function.family.generic] = page.name
    return sorted((name, page) for name, page in found.items() if name != page)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list-pages", action="store_true", help="print the names of the pages")
    parser.add_argument("--list-links", action="store_true", help="print lines 'name page'")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, help="where the sources go")
    options = parser.parse_args()
    data = tables.load()
    if options.list_pages:
        print("\n".join(data.pages))
    if options.list_links:
        print("\n".join(f"{name} {page}" for name, page in links(data)))
    if options.folder:
        for page in data.pages.values():
            (options.folder / f"{page.name}.3.scd").write_text(page_source(data, page))
        (options.folder / "shmem.7.scd").write_text(index_source(data))


if __name__ == "__main__":
    main()
