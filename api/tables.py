# SPDX-License-Identifier: BSD-3-Clause
"""Reads the tables and pages of this folder; README.md describes them."""
import pathlib
import re
import textwrap
from typing import NamedTuple

HERE = pathlib.Path(__file__).parent
FACES = ("openshmem", "aclshmem")
SECTIONS = ("DESCRIPTION", "PARAMETERS", "RETURNS", "ERRORS", "COLLECTIVE", "ACLSHMEM", "SEE ALSO")
CONTEXT_ARGUMENT = "shmem_ctx_t ctx"
ATOMIC_TYPES = {"u32": "uint32_t", "u64": "uint64_t", "f32": "float", "f64": "double"}


class Type(NamedTuple):
    name: str
    c_type: str
    bytes: str
    representation: str
    same_as: tuple
    sets: tuple

    def words(self):
        """What the placeholders of a family mean for this type."""
        atomic = self.representation
        if atomic[0] in "iu":
            atomic = "u" + atomic[1:]
        element = "CHAR" if self.name == "char" else self.representation.upper()
        return {"name": self.name, "T": self.c_type, "bytes": self.bytes,
                "R": self.representation, "A": atomic, "a": ATOMIC_TYPES.get(atomic, ""),
                "E": f"SHM_ELEMENT_{element}", "W": f"SHM_WORD_{element}",
                "B": "shm_bits_of_f32" if self.representation == "f32" else "(uint64_t)"}


class Family(NamedTuple):
    id: str
    set: str
    openshmem: str
    context: str
    aclshmem: str
    returns: str
    arguments: str
    aclshmem_arguments: str
    body: str
    generic: str
    section: str
    page: str

    def pattern(self, face):
        return getattr(self, face)

    def arguments_of(self, face):
        if face == "openshmem":
            return self.arguments
        if self.aclshmem_arguments == "=":
            return self.arguments.replace("const ", "")
        return self.aclshmem_arguments

    def on_context(self):
        """The same operation on a context, whose team numbers the PEs."""
        return self._replace(
            openshmem=self.context, context="-", aclshmem="-",
            arguments=f"{CONTEXT_ARGUMENT}, {self.arguments}",
            body="pe = face_context_pe(__func__, ctx, pe); " + self.body)

    def forms(self, face):
        """The family itself and, where there is one, its form on contexts."""
        if face == "openshmem" and self.context != "-":
            return [self, self.on_context()]
        return [self]


class Function(NamedTuple):
    """One public function: a family filled in for one type (`type` is None in untyped ones)."""
    family: Family
    type: Type
    name: str
    returns: str
    arguments: str
    body: str

    def prototype(self):
        space = "" if self.returns.endswith("*") else " "
        return f"{self.returns}{space}{self.name}({self.arguments})"


class Constant(NamedTuple):
    face: str
    kind: str
    name: str
    value: str
    type: str
    group: str
    meaning: str


class LegacyName(NamedTuple):
    kind: str
    legacy: str
    name: str


class Page(NamedTuple):
    name: str
    purpose: str
    sections: dict

    def parameters(self):
        """PARAMETERS as {name or "name, name": text}."""
        found = {}
        for line in self.sections.get("PARAMETERS", "").splitlines():
            start = re.match(r"([\w, ]+): (.*)", line) if not line.startswith(" ") else None
            if start:
                name = start.group(1)
                found[name] = start.group(2)
            else:
                found[name] += " " + line.strip()
        return found


def fill(family, type_, face):
    """The function of a family for a type."""
    words = type_.words() if type_ else {}
    texts = [text.format(**words) for text in (
        family.pattern(face), family.returns, family.arguments_of(face), family.body)]
    return Function(family, type_, *texts)


class Tables(NamedTuple):
    types: list
    families: list
    constants: list
    legacy_names: list
    pages: dict

    def types_of(self, family, face):
        wanted = family.set if face == "openshmem" else f"{face}:{family.set}"
        return [t for t in self.types if wanted in t.sets]

    def functions(self, face, families=None):
        """All functions of one face, in the order of the tables."""
        found = []
        for family in self.families if families is None else families:
            if family.pattern(face) == "-":
                continue
            types = [None] if family.set == "-" else self.types_of(family, face)
            found += [fill(form, type_, face) for form in family.forms(face) for type_ in types]
        return found

    def legacy(self):
        """[(legacy name, name)] of the functions and types that there are."""
        families = {family.aclshmem: family for family in self.families}
        found = []
        for row in self.legacy_names:
            if row.kind != "function":
                found.append((row.legacy, row.name))
            elif row.name in families:
                family = families[row.name]._replace(aclshmem=row.legacy)
                found += zip((f.name for f in self.functions("aclshmem", [family])),
                             (f.name for f in self.functions("aclshmem", [families[row.name]])))
        return found

    def by_page(self, face):
        """[(page, functions)] in the order of the tables."""
        groups = {}
        for function in self.functions(face):
            groups.setdefault(function.family.page, []).append(function)
        return [(self.pages[name], functions) for name, functions in groups.items()]


def wrap_after_commas(text, width, indent="    "):
    """Lines of at most `width` columns where that is possible; `indent` from the second on."""
    kept = re.sub(r"(?<!,) ", "\0", text)
    lines = textwrap.wrap(kept, width, subsequent_indent=indent.replace(" ", "\0"),
                          break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def read_rows(path, row_type):
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    columns = tuple(lines[0].split("\t"))
    if columns != row_type._fields:
        raise SystemExit(f"{path}: columns are {columns}, expected {row_type._fields}")
    rows = []
    for line in lines[1:]:
        cells = line.split("\t")
        if len(cells) != len(columns) or "" in cells:
            raise SystemExit(f"{path}: {len(columns)} cells, none empty, expected in: {line}")
        rows.append(row_type(*cells))
    return rows


def read_page(path):
    purpose, _, rest = path.read_text().partition("\n")
    parts = re.split(r"^(%s)$" % "|".join(SECTIONS), rest, flags=re.MULTILINE)
    if parts[0].strip():
        raise SystemExit(f"{path}: text before the first of the sections {SECTIONS}")
    texts = [text.strip("\n") for text in parts[2::2]]
    return Page(path.stem, purpose, dict(zip(parts[1::2], texts)))


def load(types=None, families=None, here=HERE):
    """Tables, cut down to the given names of types and ids of families."""
    all_types = read_rows(here / "types.tsv", Type)
    all_types = [t._replace(same_as=tuple(t.same_as.split()), sets=tuple(t.sets.split()))
                 for t in all_types if types is None or t.name in types]
    all_families = [f for f in read_rows(here / "families.tsv", Family)
                    if families is None or f.id in families]
    pages = {path.stem: read_page(path) for path in sorted((here / "pages").glob("*.txt"))}
    missing = {f.page for f in all_families} - set(pages)
    if missing:
        raise SystemExit(f"{here / 'pages'}: no page {', '.join(sorted(missing))}")
    return Tables(all_types, all_families, read_rows(here / "constants.tsv", Constant),
                  read_rows(here / "legacy_names.tsv", LegacyName), pages)
