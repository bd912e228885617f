#!/usr/bin/env python3
"""Checks growth.py with programs that only print: its table, its picture, its errors."""

import os
import subprocess
import tempfile
import unittest

from program import write

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "growth.py")

# A PE's step of 1000 cycles takes a ns for each of the wafer's PEs.
BENCH = """#!/bin/bash
pes=$(($3 * $4))
echo '{"pes": '$pes', "cycles": 1000, "peak_rss_bytes": 3145728, "threads": '$6',
"pe_cycles_per_cpu_second": '$((1000 * 1000000000 / pes))'}' | tr '\\n' ' '
"""
# Its picture is the words that it was asked for with.
GRIDLOOM = """#!/bin/bash
all="$*"
while (($# > 1)); do
    if [[ $1 == -o ]]; then echo "$all" >"$2"; fi
    shift
done
"""


class GrowthTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.build, self.out = f"{scratch.name}/build", f"{scratch.name}/out"
        write(f"{self.build}/tools/gridloom", GRIDLOOM)
        write(f"{self.build}/tests/bench/bench_wse", BENCH)

    def call(self, *words, code=0):
        done = subprocess.run([SCRIPT, *words], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def test_a_table_and_a_picture_by_size(self):
        text, _ = self.call(self.build, self.out, "--turns", "1")
        self.assertIn("| 45 x 45 | 2.03 us | 1.00 | 3 MiB |", text)
        self.assertIn("| 200 x 200 | 40 us | 19.75 | 3 MiB |", text)
        self.assertIn("Largest over least: 370", text)
        with open(f"{self.out}/growth.svg", encoding="utf-8") as file:
            words = file.read()
        self.assertIn("plot scaling", words)
        self.assertIn("growth_45x45.json", words)
        self.assertTrue(os.path.exists(f"{self.out}/growth_755x994.json"))

    def test_what_cannot_be_measured_is_said_in_a_line(self):
        write(f"{self.build}/tests/bench/bench_wse", "#!/bin/bash\necho no >&2; exit 1\n")
        self.assertRegex(self.call(self.build, self.out, code=1)[1], "bench_wse --case .*: no\n$")
        write(f"{self.build}/tests/bench/bench_wse", "#!/bin/bash\n")
        self.assertIn("does not know --case", self.call(self.build, self.out, code=1)[1])
        self.assertIn("No such file", self.call("nowhere", self.out, code=1)[1])
        self.assertIn("from 1", self.call(self.build, self.out, "--turns", "0", code=2)[1])


if __name__ == "__main__":
    unittest.main()
