"""The workloads that also exist as tt-metal programs: the same bits, nearly the same cycles."""
import json
import os
import struct
import unittest

import gridloom
from gridloom import DONE, SOURCE

# PCG as it is, which also tells the bits of its solution.
SPY = """
local solver = require("cores/pcg_solver")
return {
    summary = "PCG", chips = { "tensix" }, parameters = solver.parameters, kernels = solver.kernels,
    run = function(host, p)
        local function check_equal(x, ...)
            local words = {}
            for i = 0, #x // 4 - 1 do
                words[i + 1] = x:get("uint32", i)
            end
            host.metric("solution", words)
            host.check_equal(x, ...)
        end
        solver.run(setmetatable({ check_equal = check_equal }, { __index = host }), p)
    end,
}
"""

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
        words = "dtype=fp32 rows=3 cols=4 tiles=2 routing=center".split()
        script = self.of_script("dot", *words)
        metrics, lines = self.of_program("dot", *words)
        (bits,) = struct.unpack("<I", struct.pack("<f", script["total"]))
        ratio = metrics["device_cycles"] / script["device_cycles_per_iteration"]

        self.assertEqual(lines["bits"], f"0x{bits:08x}")
        self.assertTrue(0.9 < ratio < 1.1, ratio)

    def test_pcg_has_the_bits_and_nearly_the_cycles_of_the_script(self):
        words = "rows=2 cols=3 tiles=2 iterations=5 tolerance=13".split()
        script = self.of_script(self.write("spy.lua", SPY), *words)
        metrics, lines = self.of_program("pcg", *words, "hex=" + self.path("solution"))
        solution = [int(line, 16) for line in self.read("solution").split()]
        ratio = metrics["device_cycles"] / (script["device_seconds"] * 1e9)

        self.assertEqual(solution, script["solution"])
        self.assertEqual([float(norm) for norm in lines["norms"].split()], script["residual_history"])
        self.assertTrue(0.9 < ratio < 1.1, ratio)


if __name__ == "__main__":
    unittest.main()
