"""The workloads that also exist as tt-metal programs: the same bits, nearly the same cycles."""
import json
import os
import struct
import unittest

import gridloom
from gridloom import DONE, SOURCE

PROGRAMS = os.path.join(SOURCE, "workloads", "metal", "programs")


class MetalSolvers(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = self.path("cache")

    def of_script(self, name, *words):
        done = self.gridloom("run", name, *words, "--json", "script.json", "-q")
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        return json.loads(self.read("script.json"))["metrics"]

    def of_program(self, name, *words):
        """Its metrics, and the values of its lines by their first word."""
        done = self.gridloom("metal", os.environ["GRIDLOOM_METAL_" + name.upper()], "--kernels", PROGRAMS,
                             "--json", "program.json", "-q", "--", *words)
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))
        self.assertIn("Test Passed\n", done.stdout)
        lines = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
        return json.loads(self.read("program.json"))["metrics"], lines

    def test_dot_products_have_the_bits_and_nearly_the_cycles_of_the_script(self):
        for words in ("dtype=bf16 rows=2 cols=3 tiles=3",
                      "dtype=fp32 rows=3 cols=4 tiles=2 routing=center granularity=tile"):
            with self.subTest(words):
                script = self.of_script("dot", *words.split())
                metrics, lines = self.of_program("dot", *words.split())
                (bits,) = struct.unpack("<I", struct.pack("<f", script["total"]))
                ratio = metrics["device_cycles"] / script["device_cycles_per_iteration"]

                self.assertEqual(lines["bits"], f"0x{bits:08x}")
                self.assertTrue(0.9 < ratio < 1.1, ratio)


if __name__ == "__main__":
    unittest.main()
