"""Processors that lack what the program was compiled for."""

import os
import platform
import re
import shutil
import subprocess
import sys
import unittest

EMULATOR = "qemu-x86_64"
SKIPPED = 77


def run_on(processor):
    command = [EMULATOR, "-cpu", processor, os.environ["GRIDLOOM"], "--version"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def needs_avx2():
    path = os.path.join(os.environ["GRIDLOOM_BUILD"], "CMakeCache.txt")
    with open(path, encoding="utf-8") as file:
        return "\nGRIDLOOM_HAS_AVX2:INTERNAL=1\n" in file.read()


class Processors(unittest.TestCase):

    def test_new_ones_run_it(self):
        self.assertEqual(run_on("max").returncode, 0)

    def test_old_ones_run_a_portable_program_and_refuse_another(self):
        old = run_on("Nehalem")
        if needs_avx2():
            self.assertEqual((old.returncode, old.stdout), (1, ""))
            self.assertRegex(old.stderr, re.compile(
                r"\Agridloom: this processor lacks AVX2, .*tools/run .*\n\Z"))
        else:
            self.assertEqual((old.returncode, old.stdout), (0, run_on("max").stdout))


if __name__ == "__main__":
    if platform.machine() != "x86_64" or shutil.which(EMULATOR) is None:
        sys.exit(SKIPPED)
    unittest.main()
