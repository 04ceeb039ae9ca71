#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Installs the build, moves the installed tree, and uses it as a user would.

usage: test_install.py SOURCE BUILD
"""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

SOURCE, BUILD = (Path(argument).resolve() for argument in sys.argv[1:3])
HERE = Path(__file__).resolve().parent
WORK = BUILD / "tests" / "install" / "work"
MOVED = WORK / "moved here"  # a blank in the path, as users have it

DROPPED = ("LD_LIBRARY_PATH", "LD_PRELOAD", "DESTDIR", "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR",
           "CMAKE_PREFIX_PATH", "CPATH", "LIBRARY_PATH", "MAKEFLAGS")
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name not in DROPPED and not name.startswith("SHMEM_")}
PUBLIC = re.compile(r"(p?shmemx?_|util_get_ffts_config$|aclshmemx?_|acl(rt)?[A-Z]|_shmem_|SHMEM|_my_pe$|_num_pes$|"
                    r"start_pes$|my_pe$|num_pes$|shmalloc$|shfree$|shrealloc$|shmemalign$)")
SYSTEM = re.compile(r"(lib(c|m|dl|rt|pthread|gcc_s|shmem|shmem_utils)\.so\.\d|ld-linux.*\.so\.\d)$")


def run(*command, **options):
    """Runs a command and returns what it printed; a failure shows all of it."""
    result = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, check=False, timeout=120,
                            **{"env": ENVIRONMENT, "cwd": WORK, **options})
    if result.returncode != 0:
        raise AssertionError(f"{command} ended with {result.returncode}:\n{result.stdout}")
    return result.stdout


def setting(name):
    options = json.loads(run("meson", "introspect", "--buildoptions", BUILD))
    return next(option["value"] for option in options if option["name"] == name)


def dynamic_entries(path, kind):
    return re.findall(rf"\({kind}\)[^\[]*\[([^\]]*)\]", run("readelf", "--dynamic", path))


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        WORK.mkdir(parents=True)
        prefix = setting("prefix")
        run("meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", WORK / "root")
        cls.installed = sorted(path for path in (WORK / "root").rglob("*") if not path.is_dir())
        cls.prefix = WORK / "root" / prefix.lstrip("/")
        cls.prefix.rename(MOVED)
        cls.libdir = MOVED / setting("libdir")
        cls.bindir = MOVED / setting("bindir")
        shutil.copy(HERE / "hello.c", WORK / "hello.c")
        shutil.copy(HERE / "hello.c", WORK / "hello.cpp")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(WORK)

    def check_hello(self, program):
        """Runs the program alone and by the launcher under both of its names."""
        launcher, other_name = self.bindir / "shmemrun", self.bindir / "oshrun"
        for n_pes, command in ((1, []), (3, [launcher, "-n", 3]), (2, [other_name, "-np", 2])):
            lines = sorted(run(*command, program).splitlines())
            self.assertEqual(lines, [f"PE {pe} of {n_pes} heard from {(pe - 1) % n_pes}"
                                     for pe in range(n_pes)])

    def test_nothing_outside_the_prefix(self):
        self.assertGreater(len(self.installed), 10)
        for path in self.installed:
            self.assertIn(self.prefix, path.parents)

    def test_programs_have_man_pages(self):
        programs = {path.name for path in self.bindir.iterdir()}
        self.assertLessEqual({"oshcc", "oshc++", "shmemrun", "oshrun", "shmem-info"}, programs)
        if not (BUILD / "docs" / "oshcc.1").exists():
            self.skipTest("man pages were not built, scdoc is missing")
        for name in programs:
            page = MOVED / setting("mandir") / "man1" / f"{name}.1"
            self.assertIn(".TH", page.read_text(), f"man page of {name}")
        for name in ("shmem", "aclshmem", "shmem_guarantees", "shmem_moving"):
            page = MOVED / setting("mandir") / "man7" / f"{name}.7"
            self.assertIn(".TH", page.read_text(), f"man page of {name}")

    def test_text_files_name_no_folder_of_the_build(self):
        for path in (path for path in MOVED.rglob("*") if path.is_file()):
            text = path.read_bytes()
            if not text.startswith(b"\x7fELF"):
                self.assertNotIn(str(BUILD).encode(), text, path)
                self.assertNotIn(str(self.prefix).encode(), text, path)

    def test_libraries(self):
        for name in ("libshmem", "libshmem_utils"):
            library = self.libdir / f"{name}.so"
            self.assertEqual(dynamic_entries(library, "SONAME"), [f"{name}.so.0"])
            for needed in dynamic_entries(library, "NEEDED"):
                self.assertRegex(needed, SYSTEM)

    def test_only_plug_ins_for_mpi_need_one(self):
        for path in self.libdir.glob("*.so*"):
            needs_mpi = any(re.match("lib(mpi|open-)", name)
                            for name in dynamic_entries(path, "NEEDED"))
            self.assertEqual(needs_mpi, path.name.startswith("aclshmem_bootstrap_mpi"), path)

    def test_only_the_plug_in_with_tls_needs_openssl(self):
        for path in self.libdir.glob("*.so*"):
            if any(re.match("lib(ssl|crypto)", name) for name in dynamic_entries(path, "NEEDED")):
                self.assertEqual(path.name, "aclshmem_bootstrap_config_store_tls.so")

    def test_mpi_without_its_plug_in(self):
        names = [f"aclshmem_bootstrap_mpi{suffix}.so" for suffix in ("", "_openmpi", "_mpich")]
        (self.libdir / "away").mkdir()
        for path in self.libdir.glob("aclshmem_bootstrap_mpi*.so"):
            path.rename(self.libdir / "away" / path.name)
        run(self.bindir / "oshcc", HERE / "without_mpi.c", "-o", "without_mpi")
        self.assertEqual(run(WORK / "without_mpi").splitlines()[-1], "-2")
        for name in names:
            run("sh", "-c", f"{ENVIRONMENT.get('CC', 'cc')} -shared -x c /dev/null -o '{name}'",
                cwd=self.libdir)
        self.assertEqual(run(WORK / "without_mpi").splitlines()[-1], "-4")
        for name in names:
            (self.libdir / name).unlink()
        for path in (self.libdir / "away").iterdir():
            path.rename(self.libdir / path.name)
        (self.libdir / "away").rmdir()

    def test_run_paths_move_along(self):
        objects = [path for path in MOVED.rglob("*") if path.is_file() and not path.is_symlink()
                   and path.read_bytes()[:4] == b"\x7fELF"]
        self.assertGreater(len(objects), 2)
        for path in objects:
            for run_path in dynamic_entries(path, "RUNPATH") + dynamic_entries(path, "RPATH"):
                for folder in run_path.split(":"):
                    self.assertTrue(folder.startswith("$ORIGIN"), f"{path}: {run_path}")

    def test_only_public_names_are_exported(self):
        lines = run("nm", "--dynamic", "--defined-only", self.libdir / "libshmem.so").splitlines()
        names = [line.split()[-1].split("@")[0] for line in lines]
        self.assertIn("shmem_init", names)
        self.assertEqual([name for name in names if not PUBLIC.match(name)], [])

    def test_oshcc(self):
        run(self.bindir / "oshcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "hello.c", "-o", "c11")
        self.check_hello(WORK / "c11")

    def test_oshcxx(self):
        run(self.bindir / "oshc++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "hello.cpp",
            "-o", "cpp17")
        self.check_hello(WORK / "cpp17")

    def test_oshcc_brings_mathematical_functions(self):
        (WORK / "power.c").write_text("#include <math.h>\n#include <shmem.h>\n"
                                      "int main(int argc, char **argv)\n"
                                      "{ (void)argv; return powl(argc, 2.5L) != 1.0L; }\n")
        run(self.bindir / "oshcc", "power.c", "-o", "power")
        run(WORK / "power")

    def test_oshcc_in_two_steps(self):
        output = run(self.bindir / "oshcc", "-c", "hello.c", "-o", "two.o")
        self.assertEqual(output, "")
        run(self.bindir / "oshcc", "two.o", "-o", "two")
        self.check_hello(WORK / "two")

    def test_oshcc_through_a_link(self):
        (WORK / "elsewhere").symlink_to(self.bindir / "oshcc")
        run(WORK / "elsewhere", "hello.c", "-o", "linked")
        self.check_hello(WORK / "linked")

    def test_oshcc_shows_its_command(self):
        for option in ("-show", "-showme", "--showme"):
            shown = run(self.bindir / "oshcc", option, "hello.c", env={**ENVIRONMENT, "CC": "one"})
            self.assertEqual(shown, f"one hello.c -I{MOVED}/{setting('includedir')} "
                                    f"-L{self.libdir} -Wl,-rpath,{self.libdir} -lshmem "
                                    f"-lshmem_utils -Wl,--push-state,--as-needed -lm "
                                    f"-Wl,--pop-state\n")
        shown = run(self.bindir / "oshcc", "-show", "-c", "hello.c")
        self.assertNotIn("-l", shown)

    def test_choice_of_the_compiler(self):
        def chosen(wrapper, **variables):
            environment = {name: value for name, value in ENVIRONMENT.items()
                           if name not in ("CC", "CXX", "OSHCC_CC", "OSHCXX_CXX")}
            shown = run(self.bindir / wrapper, "-show", "-c", "x.c",
                        env={**environment, **variables})
            return shown.partition(" -c")[0]

        self.assertEqual(chosen("oshcc"), "cc")
        self.assertEqual(chosen("oshcc", CC="one -m64"), "one -m64")
        self.assertEqual(chosen("oshcc", CC="one", OSHCC_CC="two"), "two")
        self.assertEqual(chosen("oshcc", CC=f"cache {self.bindir}/oshcc"), "cc")
        self.assertEqual(chosen("oshc++"), "c++")
        self.assertEqual(chosen("oshc++", CXX="oshc++"), "c++")
        self.assertEqual(chosen("oshc++", CXX="one", OSHCXX_CXX="two"), "two")

    def pkg_config(self, package):
        environment = {**ENVIRONMENT, "PKG_CONFIG_PATH": str(self.libdir / "pkgconfig")}
        return run("pkg-config", "--cflags", "--libs", package, env=environment).strip()

    def test_pkg_config(self):
        run("sh", "-c", f"{ENVIRONMENT.get('CC', 'cc')} -std=c11 hello.c -o pkg "
                        f"{self.pkg_config('shmem')}")
        self.check_hello(WORK / "pkg")

    def test_pkg_config_of_aclshmem(self):
        run("sh", "-c", f"{ENVIRONMENT.get('CC', 'cc')} -std=c11 '{HERE}/aclshmem.c' -o aclshmem "
                        f"{self.pkg_config('aclshmem')}")
        self.assertEqual(run(WORK / "aclshmem"), "1\n")

    def test_pkg_config_of_cann_shmem(self):
        run("sh", "-c", f"{ENVIRONMENT.get('CXX', 'c++')} -std=c++17 -Wall -Wextra -Werror "
                        f"'{HERE}/cann.cpp' -o cann {self.pkg_config('aclshmem')}")
        self.assertEqual(run(WORK / "cann"), "0 120\n")

    @unittest.skipUnless(shutil.which("cmake"), "cmake is not installed")
    def test_cmake(self):
        shutil.copy(HERE / "CMakeLists.txt", WORK)
        shutil.copy(HERE / "cann.cpp", WORK)
        run("cmake", "-S", WORK, "-B", WORK / "cmake", f"-DCMAKE_PREFIX_PATH={MOVED}")
        run("cmake", "--build", WORK / "cmake")
        self.check_hello(WORK / "cmake" / "hello_c")
        self.check_hello(WORK / "cmake" / "hello_cpp")
        self.assertEqual(run(WORK / "cmake" / "cann"), "0 120\n")

    def test_program_of_the_readme(self):
        program = re.search(r"```c\n(.*?)```", (SOURCE / "README.md").read_text(), re.DOTALL)
        (WORK / "readme.c").write_text(program.group(1))
        run(self.bindir / "oshcc", "-Wall", "-Wextra", "-Werror", "readme.c", "-o", "readme")
        self.assertEqual(run(self.bindir / "shmemrun", "-n", 4, WORK / "readme"),
                         "4 PEs, sum of their numbers 6\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
