"""Processors that lack what the program was compiled for."""

import os
import platform
import re
import shutil
import subprocess
import sys
import unittest

BUILD = os.environ["GRIDLOOM_BUILD"]
EMULATOR = "qemu-x86_64"
OLD = "Nehalem"
SKIPPED = 77


def run_on(processor, *command):
    return subprocess.run([EMULATOR, "-cpu", processor, *command], capture_output=True, text=True,
                          timeout=120, check=False)


def version_on(processor):
    return run_on(processor, os.environ["GRIDLOOM"], "--version")


def needs_avx2():
    path = os.path.join(BUILD, "CMakeCache.txt")
    with open(path, encoding="utf-8") as file:
        return "\nGRIDLOOM_HAS_AVX2:INTERNAL=1\n" in file.read()


class Processors(unittest.TestCase):

    def test_new_ones_run_it(self):
        self.assertEqual(version_on("max").returncode, 0)

    def test_old_ones_run_a_portable_program_and_refuse_another(self):
        old = version_on(OLD)
        if needs_avx2():
            self.assertEqual((old.returncode, old.stdout), (1, ""))
            self.assertRegex(old.stderr, re.compile(
                r"\Agridloom: this processor lacks AVX2, .*tools/run .*\n\Z"))
        else:
            self.assertEqual((old.returncode, old.stdout), (0, version_on("max").stdout))

    def test_old_ones_run_programs_of_others(self):
        done = run_on(OLD, os.path.join(BUILD, "tools/library/library_example"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\A\d+ cycles, ")

    def test_what_programs_of_others_are_linked_with_is_for_old_ones(self):
        for name in "tools/libgridloom.so", "workloads/metal/host/libgridloom_metal_client.a":
            code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", os.path.join(BUILD, name)],
                                  capture_output=True, text=True, check=True).stdout
            found = re.findall(r"\t((?:v\w+|s[ha][lr]x|rorx|mulx|bzhi|andn|blsr|lzcnt)\b.*)", code)
            self.assertEqual((name, found[:3]), (name, []))


if __name__ == "__main__":
    if platform.machine() != "x86_64" or shutil.which(EMULATOR) is None:
        sys.exit(SKIPPED)
    unittest.main()
