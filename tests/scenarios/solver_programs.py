"""Workloads that also exist as tt-metal programs, beside the scripts."""
import json
import os

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


class SolverPrograms(gridloom.Scenario):
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

    def assertSolvesAlike(self, *words):
        script = self.of_script(self.write("spy.lua", SPY), *words)
        metrics, lines = self.of_program("pcg", *words, "hex=" + self.path("solution"))
        solution = [int(line, 16) for line in self.read("solution").split()]
        ratio = metrics["device_cycles"] / (script["device_seconds"] * 1e9)

        self.assertEqual(solution, script["solution"])
        self.assertEqual([float(norm) for norm in lines["norms"].split()], script["residual_history"])
        self.assertTrue(0.9 < ratio < 1.1, ratio)
