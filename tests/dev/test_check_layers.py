#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""dev/check_layers.py accepts a good tree and names what is wrong in bad ones."""
import tempfile
import unittest
from pathlib import Path

import check_layers

TABLE = """
base:
heap:         base
heap/shared:  base      # a plug-in: does not know the heap
core:         base heap
tools/run:    base
examples:
"""
GOOD = {
    "src/base/list.h": "",
    "src/base/log.c": '#include "base/list.h"\n#include <stdio.h>\n',
    "src/heap/heap.h": '#include <shmem/status.h>\n#include "heap/heap_inline.h"\n',
    "src/heap/heap_inline.h": "",
    "src/heap/heap.c": '#include "heap/heap.h"\n#include "base/list.h"\n',
    "src/heap/shared/shared.c": '#include "base/list.h"\n',
    "src/core/core.c": '#include "heap/heap.h"\n  #  include "base/list.h"\n#include <shmem.h>\n',
    "tools/run/main.c": '#include "options.h"\n#include "base/list.h"\n',
    "tools/run/options.h": "",
    "examples/common/job.h": "",
    "examples/ring/main.c": '#include "../common/job.h"\n#include <shmem.h>\n',
}


class CheckLayers(unittest.TestCase):
    def faults(self, changes, table=TABLE):
        """What is wrong with the good tree after `changes` ({path: text})."""
        with tempfile.TemporaryDirectory() as folder:
            files = {"src/layers.txt": table, **GOOD, **changes}
            for name, text in files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check_layers.check_tree(Path(folder))[1]

    def check(self, changes, *expected):
        self.assertEqual(self.faults(changes), list(expected))

    def test_good_tree(self):
        self.check({})

    def test_layer_that_is_not_allowed(self):
        self.check({"src/heap/map.c": '\n#include "core/core.h"\n'},
                   "src/heap/map.c:2: core/core.h: heap may not use core")

    def test_angle_brackets_do_not_help(self):
        self.check({"src/heap/map.c": "#include <core/core.h>\n"},
                   "src/heap/map.c:1: core/core.h: heap may not use core")

    def test_header_that_is_not_the_door(self):
        self.check({"src/core/life.c": '#include "heap/heap_internal.h"\n'},
                   "src/core/life.c:1: heap/heap_internal.h: is not the door of heap")

    def test_inline_header_past_the_door(self):
        self.check({"src/core/life.c": '#include "heap/heap_inline.h"\n'},
                   "src/core/life.c:1: heap/heap_inline.h: is not the door of heap")

    def test_one_more_door_for_one_layer(self):
        table = TABLE.replace("core:         base heap", "core: base heap heap/heap_inline.h")
        table += "coll: base heap\n"
        user = '#include "heap/heap_inline.h"\n'
        self.assertEqual(self.faults({"src/core/life.c": user}, table), [])
        self.assertEqual(self.faults({"src/coll/coll.c": user}, table),
                         ["src/coll/coll.c:1: heap/heap_inline.h: is not the door of heap"])

    def test_door_in_the_table_that_does_not_exist(self):
        faults = self.faults({}, TABLE + "coll: base base/gone_inline.h\n")
        self.assertEqual(len(faults), 1)
        self.assertIn("coll may use base/gone_inline.h, which does not exist", faults[0])

    def test_path_by_dots(self):
        self.check({"src/core/life.c": '#include "../heap/heap_inline.h"\n'},
                   "src/core/life.c:1: ../heap/heap_inline.h: is not the door of heap")

    def test_plug_in_and_its_parent(self):
        self.check({"src/heap/shared/map.c": '#include "heap/heap.h"\n'},
                   "src/heap/shared/map.c:1: heap/heap.h: heap/shared may not use heap")
        self.check({"src/heap/map.c": '#include "heap/shared/shared.h"\n'},
                   "src/heap/map.c:1: heap/shared/shared.h: heap may not use heap/shared")

    def test_programs(self):
        self.check({"tools/run/job.c": '#include "heap/heap.h"\n'},
                   "tools/run/job.c:1: heap/heap.h: tools/run may not use heap")
        self.check({"examples/hello.c": '#include "base/list.h"\n'},
                   "examples/hello.c:1: base/list.h: examples may not use base")

    def test_folder_without_a_line(self):
        self.check({"src/team/team.c": ""}, "src/team/team.c: its folder has no line in the table")
        self.check({"tools/info/main.c": ""},
                   "tools/info/main.c: its folder has no line in the table")

    def test_use_of_a_folder_without_a_line(self):
        self.check({"src/team/notes.txt": "", "src/core/life.c": '#include "team/team.h"\n'},
                   "src/core/life.c:1: team/team.h: src/team/team.h belongs to no layer of the table")

    def test_circle(self):
        table = TABLE.replace("base:\n", "base: core\n", 1)
        self.assertEqual(self.faults({}, table),
                         ["the table runs in a circle: base -> core -> base"])

    def test_unknown_name_in_the_table(self):
        faults = self.faults({}, TABLE + "coll: base sinc\n")
        self.assertEqual(len(faults), 1)
        self.assertIn("coll may use sinc, which has no line of its own", faults[0])

    def test_line_that_is_no_rule(self):
        for line in ("heap base\n", "heap: base\n"):
            faults = self.faults({}, TABLE + line)
            self.assertEqual(len(faults), 1)
            self.assertIn(f"found '{line.strip()}'", faults[0])


if __name__ == "__main__":
    unittest.main()
