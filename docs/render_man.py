#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a manual page of a scdoc source, or of a Markdown text with one heading of the first level.

render_man.py SCDOC SOURCE PAGE, with PAGE as in shmem_guarantees.7; prints the page
"""
import pathlib
import re
import subprocess
import sys


def scdoc_of_line(line):
    line = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line)  # links
    pieces = line.split("`")
    pieces[::2] = [re.sub(r"([\\_*#<>\[\]~])", r"\\\1", text) for text in pieces[::2]]
    pieces[1::2] = ["*" + re.sub(r"([\\_*])", r"\\\1", code) + "*" for code in pieces[1::2]]
    return "".join(pieces)


def scdoc_of_row(line):
    cells = [scdoc_of_line(cell.strip()) for cell in line.strip("|").split("|")]
    return "\n".join(f"{'|:'[i > 0]}[ {cell}" for i, cell in enumerate(cells))


def scdoc_of_markdown(text, page):
    name, section = page.rsplit(".", 1)
    title, _, rest = text.partition("\n")
    purpose = title.lstrip("# ")
    lines = [f"{name}({section})", "", "# NAME", "",
             scdoc_of_line(f"{name} - {purpose[0].lower()}{purpose[1:]}"), "", "# DESCRIPTION"]
    is_code = False
    for line in rest.splitlines():
        heading = re.match(r"## (.*)", line)
        is_code ^= line.startswith("```")
        if line.startswith("```"):
            lines.append("```")
        elif is_code:
            lines.append(line)
        elif line.startswith("|"):
            lines += [] if line.startswith("|---") else [scdoc_of_row(line)]
        else:
            lines.append("# " + heading.group(1).upper() if heading else scdoc_of_line(line))
    return "\n".join(lines) + "\n"


def main():
    scdoc, source, page = sys.argv[1:]
    text = pathlib.Path(source).read_text()
    if source.endswith(".md"):
        text = scdoc_of_markdown(text, page)
    made = subprocess.run([scdoc], input=text, stdout=subprocess.PIPE, text=True, check=True).stdout
    # scdoc turns hyphenation off in front of the title, which turns it on again
    print(re.sub(r"^(\.TH .*)$", r"\1\n.nh", made, count=1, flags=re.MULTILINE), end="")


if __name__ == "__main__":
    main()
