#!/usr/bin/env python3
"""Checks ratio.sh with programs that only print: its table, its options, its errors."""

import os
import subprocess
import tempfile
import unittest

from program import write

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ratio.sh")

# Writes a result to the file after --json; refuses commands with a word that it lacks.
GRIDLOOM = """#!/bin/bash
case " $* " in *" {lacks}"*) exit 1 ;; esac
while (($# > 1)); do
    if [[ $1 == --json ]]; then
        echo '{{"cycles": {cycles}, "metrics": {{"runs": {cycles}}}}}' >"$2"
    fi
    shift
done
"""
BENCH = """#!/bin/bash
for threads in 1 2; do
    echo '{{"case": "{case}", "threads": '$threads', "cycles_per_second": '$threads'000,
"cycles_per_cpu_second": {rate}, "cycles": 4000}}' | tr '\\n' ' '; echo
done
"""


class RatioTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.old = self.build("old", 100, "vecadd, 56 cores, from l1", 1000)
        self.new = self.build("new", 100, "vecadd from L1, 56 cores", 3000)

    def build(self, name, cycles, case, rate, lacks="nothing"):
        folder = os.path.join(self.scratch.name, name)
        write(f"{folder}/tools/gridloom", GRIDLOOM.format(cycles=cycles, lacks=lacks))
        write(f"{folder}/tests/bench/bench_tensix", BENCH.format(case=case, rate=rate))
        return folder

    def call(self, *words, code=0):
        result = subprocess.run([SCRIPT, *words], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout, result.stderr

    def row(self, text, what):
        lines = [line for line in text.splitlines() if line.startswith(f"| {what}")]
        self.assertEqual(len(lines), 1, text)
        return [cell.strip() for cell in lines[0].strip("|").split("|")]

    def test_ratio_is_that_of_processor_time(self):
        text, _ = self.call(self.old, self.new, "--quick", "--rows", "l1,l1_2")
        cells = self.row(text, "vecadd from L1, 56 cores, 1 thread ")
        self.assertEqual(cells[1:], ["4 s", "4 s", "-", "1.33 s", "4 s", "-", "3.00", "4,000"])
        self.assertEqual(self.row(text, "from L1: 2 threads")[1:], ["2.00", "2.00"])

    def test_a_changed_model_is_said_and_fails_only_if_asked(self):
        new = self.build("changed", 200, "vecadd from L1", 1000)
        text, _ = self.call(self.old, new, "--quick", "--rows", "pcg")
        self.assertEqual(self.row(text, "PCG, 56 cores")[8], "model changed: 100 to 200")
        self.call(self.old, new, "--quick", "--rows", "pcg", "--same", code=3)
        self.call(self.old, self.new, "--quick", "--rows", "pcg", "--same")

    def test_a_side_runs_the_command_that_it_knows(self):
        new = self.build("later", 100, "vecadd from L1", 1000, lacks="unattributed=off")
        old = self.build("poor", 100, "vecadd from L1", 1000, lacks="reduce")
        text, _ = self.call(old, new, "--turns", "1", "--rows", "pcg,reduce")
        self.assertEqual(self.row(text, "PCG, 56 cores")[8], "100")
        cells = self.row(text, "reduce over 512")
        self.assertEqual(cells[1:4] + cells[7:], ["-", "-", "-", "-", "-"])
        self.assertRegex(cells[6], "^[0-9]+ MiB$")

    def test_validations_say_how_many_runs_they_did(self):
        new = self.build("more", 120, "vecadd from L1", 1000)
        text, _ = self.call(self.old, new, "--turns", "1", "--rows", "validate", "--same")
        self.assertEqual(self.row(text, "validate everything")[8], "100 to 120 runs")
        text, _ = self.call(self.old, self.new, "--quick", "--rows", "validate_wse2")
        self.assertEqual(self.row(text, "validate wse2")[8], "100 runs")

    def test_words_that_make_no_sense_are_refused(self):
        for words, what in ((["--rows"], "needs a value"), (["--fast"], "unknown option"),
                            ([self.old], "two commits"), ([self.old, "nowhere"], "neither"),
                            (["HEAD", "nowhere"], "nowhere is neither"),
                            ([self.old, self.new, "--rows", "x"], "no row 'x'; known: wafer")):
            self.assertIn(what, self.call(*words, code=1)[1])
        self.assertIn("usage:", self.call("--help")[0])
        self.assertIn("pcg_trace", self.call("--rows", "list")[0])


if __name__ == "__main__":
    unittest.main()
