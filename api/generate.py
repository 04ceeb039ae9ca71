#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the typed API as ordinary C, from the tables of this folder.

No logic in what it emits: every body is one call of a face function, given by the table. The
outputs are the keys of OUTPUTS at the end.
"""
import argparse
import functools
import pathlib
import re
import textwrap

import tables

WIDTH = 100
FILES = 4
BANNER = "/* SPDX-License-Identifier: BSD-3-Clause */\n/* Made by api/generate.py. {what} */\n"


def guarded(file_name, what, body):
    guard = "SHMEM_" + re.sub(r"\W", "_", file_name).upper()
    return (BANNER.format(what=what)
            + f"#ifndef {guard}\n#define {guard}\n\n{body.rstrip()}\n\n#endif\n")


def doc_comment(page, face, functions):
    """The page as a doc comment; what only concerns the other face is left out."""
    taken = set(re.findall(r"\w+|\.{3}", " ".join(f.arguments for f in functions)))
    lines = [page.purpose[0].upper() + page.purpose[1:] + "."]
    for section, text in page.sections.items():
        if section == "SEE ALSO" or (section == "ACLSHMEM" and face != "aclshmem"):
            continue
        lines.append("")
        if section == "PARAMETERS":
            for names, meaning in page.parameters().items():
                names = ", ".join(name for name in names.split(", ") if name in taken)
                if not names:
                    continue
                lines += textwrap.wrap(f"{names}: {meaning}", WIDTH - 5, subsequent_indent="    ")
            continue
        title = "" if section == "DESCRIPTION" else section.capitalize() + ": "
        for paragraph in re.split(r"\n\n+", title + text):
            lines += textwrap.wrap(paragraph, WIDTH - 5) + [""]
        lines.pop()
    return "/**\n" + "".join(f" * {line}".rstrip() + "\n" for line in lines) + " */\n"


def for_headers(text):
    """The headers say what complex numbers are called in C and in C++, and what C++ may leave out."""
    text = re.sub(r"\b(float|double) _Complex\b", r"SHMEM_COMPLEX(\1)", text)
    return text.replace("aclshmem_mem_type_t mem_type)",
                        "aclshmem_mem_type_t mem_type ACLSHMEM_UNLESS_GIVEN(DEVICE_SIDE))")


def sections_of(functions):
    return "; ".join(dict.fromkeys(f.family.section for f in functions))


def is_extension(function):
    return function.name.startswith("shmemx_")


def prototypes(data, face, file_name, what, keep=lambda function: True):
    body = ""
    for page, functions in data.by_page(face):
        functions = [f for f in functions if keep(f)]
        if functions:
            body += f"/* {sections_of(functions)} */\n" + doc_comment(page, face, functions)
            body += for_headers("".join(f.prototype() + ";\n" for f in functions)) + "\n"
    return guarded(file_name, what, body)


def openshmem_functions_h(data):
    return prototypes(data, "openshmem", "openshmem_functions.h",
                      "Included by <shmem.h>, not by programs.", lambda f: not is_extension(f))


def shmemx_functions_h(data):
    return prototypes(data, "openshmem", "shmemx_functions.h",
                      "Included by <shmemx.h>, not by programs.", is_extension)


def aclshmem_functions_h(data):
    return prototypes(data, "aclshmem", "aclshmem_functions.h",
                      "Included by <shmem.h> and <aclshmem.h>, not by programs.")


def has_profiling_twin(function):
    return function.name.startswith("shmem_")


def pshmem_functions_h(data):
    body = "".join(f._replace(name="p" + f.name).prototype() + ";\n"
                   for f in data.functions("openshmem") if has_profiling_twin(f))
    return guarded("pshmem_functions.h", "Included by <pshmem.h>, not by programs.",
                   for_headers(body))


def complex_overload(function):
    """The function for arrays of std::complex, which have the layout of those of C."""
    complex_type = r"\b(float|double) _Complex\b"
    actual = [re.sub(rf"(.*{complex_type}.*\*)(\w+)", r"reinterpret_cast<\1>(\3)", declared)
              if "_Complex" in declared else name
              for declared, name in split_arguments(function.arguments)]
    call = f"{function.name}({', '.join(actual)});"
    if function.returns != "void":
        call = "return " + call
    cpp = function._replace(arguments=re.sub(complex_type, r"std::complex<\1>", function.arguments))
    return definition(cpp._replace(body=for_headers(call)), "inline ")


def openshmem_complex_h(data):
    body = "#include <complex>\n"
    for function in data.functions("openshmem"):
        if "_Complex" in function.arguments:
            body += "\n" + complex_overload(function)
    return guarded("openshmem_complex.h", "Included by <shmem.h> in C++, not by programs.", body)


def definition(function, attribute=""):
    head = tables.wrap_after_commas(attribute + function.prototype(), WIDTH)
    text = "\n".join(head) + "\n{\n"
    for statement in re.split(r"(?<=;) ", function.body):
        lines = tables.wrap_after_commas("    " + statement, WIDTH, "        ")
        text += "\n".join(lines) + "\n"
    return text + "}\n"


def size_checks(functions):
    types = dict.fromkeys(f.type for f in functions if f.type and f.type.c_type != "void")
    return "".join(f'_Static_assert(sizeof({t.c_type}) == {t.bytes}, "types.tsv: {t.name}");\n'
                   for t in types) + "\n"


def openshmem_functions_c(data, part):
    """One of FILES files, so that a build compiles them side by side."""
    functions = data.functions("openshmem")
    functions = functions[len(functions) * (part - 1) // FILES:len(functions) * part // FILES]
    text = BANNER.format(what="Each shmem_ function is weak and has a strong pshmem_ alias.")
    text += "#define SHMEM_NO_GENERICS /* a generic has the name of a function: shmem_wait_until */\n"
    text += '#include "openshmem/face.h"\n\n#include <pshmem.h>\n#include <shmem.h>\n'
    text += "#include <shmemx.h>\n\n" + size_checks(functions)
    for function in functions:
        text += definition(function, "__attribute__((weak)) ")
        if has_profiling_twin(function):
            name = function.name
            text += (f"extern __typeof__({name}) p{name}\n"
                     f'    __attribute__((alias("{name}")));\n')
        text += "\n"
    return text.rstrip() + "\n"


def aclshmem_functions_c(data):
    functions = data.functions("aclshmem")
    text = BANNER.format(what="The ACLSHMEM functions.")
    text += '#include "aclshmem/face.h"\n\n#include <aclshmem.h>\n\n' + size_checks(functions)
    return text + "\n".join(definition(f) for f in functions)


def split_arguments(arguments):
    """[(declaration, name)]"""
    return [(a, re.search(r"\w+$", a).group()) for a in arguments.split(", ")]


def generic_associations(functions, read_only):
    """A type that is surely the same as another one here is left out: C takes each only once."""
    present = {f.type.name for f in functions}
    found = []
    for f in functions:
        if f.type.same_as and present.issuperset(f.type.same_as):
            continue
        selectors = ["{}"] if read_only else ["{} *", "volatile {} *"]
        found += [f"{selector.format(f.type.c_type)}: {f.name}" for selector in selectors]
    return found


def typed_generic(name, functions):
    """The macro selects by one pointer: the last that is written through, else the first."""
    family = functions[0].family
    arguments = split_arguments(family.arguments)
    pointers = [(d, n) for d, n in arguments if d.startswith(("{T} *", "const {T} *"))]
    written = [n for d, n in pointers if not d.startswith("const")]
    selector = written[-1] if written else pointers[0][1]
    read = [n for d, n in pointers if d.startswith("const") and n != selector]
    actual = []
    for declared, n in arguments:
        cast = "(const void *)" if declared.startswith("const") else "(void *)"
        actual.append(f"{cast}({n})" if n == selector or n in read else n)
    checks = "".join(f"SHMEM_GENERIC_CHECK({selector}, {n}), " for n in read)
    by = f"({selector})" if written else f"*({selector})"
    lines = [f"#define {name}({', '.join(n for _, n in arguments)})",
             f"    ({checks}_Generic({by},"]
    lines += [f"        {line}," for line in generic_associations(functions, not written)]
    lines[-1] = lines[-1][:-1] + ")"
    lines.append(f"     ({', '.join(actual)}))")
    return " \\\n".join(lines) + "\n"


def overload(name, by_count):
    """One name for forms that differ in the number of their arguments."""
    text, targets = "", {}
    for count, functions in by_count.items():
        if functions[0].type is None:
            targets[count] = functions[0].name
            continue
        targets[count] = f"SHMEM_GENERIC_{name}_{count}"
        text += typed_generic(targets[count], functions)
    low, high = sorted(targets)
    candidates = [targets[high]] * (high - low) + [targets[low], "0"]
    macro = f"#define {name}(...) SHMEM_SELECT_{high}(__VA_ARGS__, {', '.join(candidates)})(__VA_ARGS__)"
    head, *rest = tables.wrap_after_commas(macro, WIDTH - 2)
    return text + " \\\n".join([head, *rest]) + "\n"


def selectors(counts):
    """SHMEM_SELECT_n(n arguments, x, ...) is x."""
    lines = ""
    for count in sorted(counts):
        names = ", ".join(f"a{i}" for i in range(1, count + 1))
        lines += f"#define SHMEM_SELECT_{count}({names}, name, ...) name\n"
    return lines


def generic_groups(data):
    """{name: {number of arguments: functions}}"""
    groups = {}
    for function in data.functions("openshmem"):
        if function.family.generic != "-":
            count = len(function.arguments.split(", "))
            by_count = groups.setdefault(function.family.generic, {})
            by_count.setdefault(count, []).append(function)
    return groups


def openshmem_generics_h(data):
    body = textwrap.dedent("""\
        /* The pointer that selects the function loses `volatile` in the call; that is sound because it
         * has been matched already. A pointer that is only read may be volatile too, and so is matched
         * against the first one here: compilers warn when the branches of ?: point to different types. */
        #define SHMEM_GENERIC_CHECK(selector, other) ((void)sizeof(1 ? (selector) : (other)))

        """)
    groups = generic_groups(data)
    body += "/* A form is chosen by the number of its arguments: on a context there is one more. */\n"
    body += selectors({max(by_count) for by_count in groups.values() if len(by_count) > 1}) + "\n"
    for name, by_count in groups.items():
        if len(by_count) == 1:
            body += typed_generic(name, next(iter(by_count.values()))) + "\n"
        else:
            body += overload(name, by_count) + "\n"
    return guarded("openshmem_generics.h", "Included by <shmem.h>, not by programs.", body)


def comment(meaning):
    return "" if meaning == "-" else f" /**< {meaning} */"


def macros(rows, suffix=""):
    return "".join(f"#define {c.name} {c.value}{suffix}{comment(c.meaning)}\n" for c in rows)


def enumeration(name, rows):
    """ISO C keeps enumerators in the range of int: an unsigned enum is one in C++ only."""
    base = rows[0].type
    listed = "".join(f"    {c.name} = {c.value},{comment(c.meaning)}\n" for c in rows)
    listed = re.sub(r",([^,]*\n)\Z", r"\1", listed)
    if base == "int":
        return f"typedef enum {name} {{\n{listed}}} {name};\n"
    return (f"#ifdef __cplusplus\ntypedef enum {name} : {base} {{\n{listed}}} {name};\n#else\n"
            f"typedef {base} {name};\n{macros(rows, 'u')}#endif\n")


def constants_h(data, face, what):
    body, rows = "", [c for c in data.constants if c.face == face]
    groups = []
    for row in rows:
        if not groups or row.group not in ("=", groups[-1][0].group):
            groups.append([])
        groups[-1].append(row)
    for group in groups:
        if group[0].kind == "enum":
            body += enumeration(group[0].group, group) + "\n"
        else:
            body += f"/* {group[0].group} */\n" + macros(group) + "\n"
    return guarded(f"{face}_constants.h", what, body)


def legacy_names_h(data):
    body = "".join(f"#define {legacy} {name}\n" for legacy, name in data.legacy())
    return guarded("legacy_names.h", "Included by <aclshmem/shmem.h>, not by programs.", body)


def exported_names(data):
    names = []
    for face in tables.FACES:
        for f in data.functions(face):
            names += [f.name] + (["p" + f.name] if has_profiling_twin(f) else [])
    return sorted(names)


def acl_names():
    """Functions of <acl/acl.h>, which is written by hand."""
    return (tables.HERE / "acl-functions.txt").read_text().split()


def version_map(names):
    names = "".join(f"        {name};\n" for name in names)
    return f"SHMEM_0 {{\n    global:\n{names}    local:\n        *;\n}};\n"


OUTPUTS = {
    "openshmem_constants.h": lambda data: constants_h(
        data, "openshmem", "Included by <shmem.h>, not by programs."),
    "openshmem_functions.h": openshmem_functions_h,
    "openshmem_generics.h": openshmem_generics_h,
    "openshmem_complex.h": openshmem_complex_h,
    "pshmem_functions.h": pshmem_functions_h,
    "shmemx_functions.h": shmemx_functions_h,
    "aclshmem_constants.h": lambda data: constants_h(
        data, "aclshmem", "Included by <shmem.h> and <aclshmem.h>, not by programs."),
    "aclshmem_functions.h": aclshmem_functions_h,
    "legacy_names.h": legacy_names_h,
    **{f"openshmem_functions_{part}.c": functools.partial(openshmem_functions_c, part=part)
       for part in range(1, FILES + 1)},
    "aclshmem_functions.c": aclshmem_functions_c,
    "faces.map": lambda data: version_map(exported_names(data)),
    "shmem.map": lambda data: version_map(exported_names(data) + acl_names()),
    "shmem.symbols": lambda data: "".join(name + "\n" for name in exported_names(data)),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--types", help="only these names of types.tsv, separated by commas")
    parser.add_argument("--families", help="only these ids of families.tsv")
    parser.add_argument("folder", type=pathlib.Path, help="where the outputs go")
    parser.add_argument("outputs", nargs="+", choices=OUTPUTS, metavar="output")
    options = parser.parse_args()
    data = tables.load(options.types and options.types.split(","),
                       options.families and options.families.split(","))
    for name in options.outputs:
        (options.folder / name).write_text(OUTPUTS[name](data))


if __name__ == "__main__":
    main()
