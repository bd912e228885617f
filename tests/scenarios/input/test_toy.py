"""A chip family that lives in tests/toy alone: one line registers it, and every command knows it."""
import json
import os
import unittest
import xml.etree.ElementTree as ElementTree

import gridloom
from gridloom import INPUT

PROGRAM = os.environ["GRIDLOOM_TOY"]
UNMODELLED = 2


class Toy(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        self.environment["GRIDLOOM_PATH"] = os.path.join(gridloom.SOURCE, "tests/toy")

    def gridloom(self, *words, program=PROGRAM, **options):
        return super().gridloom(*words, program=program, **options)

    def test_its_chips_are_listed_beside_the_others(self):
        rows = [line.split() for line in self.succeed("chips").stdout.splitlines()]

        self.assertIn(["toy1", "toy", "a", "toy", "that", "counts"], rows)
        self.assertIn("wormhole_n300", [row[0] for row in rows if row])

    def test_it_is_described_with_units_and_sources(self):
        text = self.succeed("describe", "toy1").stdout

        self.assertTrue(text.startswith("toy1 (toy): a toy that counts\n"))
        self.assertIn(["cycles", "3", "cycles", "documented", "-", "tests/toy"],
                      [line.split() for line in text.splitlines()])

    def test_a_script_runs_on_the_usual_chip(self):
        result = self.result("ticks", "n=70")

        self.assertEqual((result["chip"], result["metrics"]["cycles"]), ("toy1", 210))
        self.assertEqual(result["cycles"], 1210)  # a launch takes a microsecond
        self.assertEqual(result["check"]["status"], "pass")
        self.assertEqual((result["metrics"]["ticks"], result["energy_joules"]), (70, 70))
        self.assertEqual((result["counters"]["flops"], result["counters"]["sram_bytes"]),
                         (420, 840))

    def test_numbers_can_be_set_and_are_checked(self):
        slow = self.result("ticks", "n=10", "--set", "tick.cycles=7")

        self.assertEqual((slow["metrics"]["cycles"], slow["check"]["status"]), (70, "pass"))
        self.assertFails(INPUT, ["tick.cycles = 0", "1..1000 cycles"],
                         "run", "ticks", "--set", "tick.cycles=0")
        self.assertFails(INPUT, ["tick.cycle", "nearest is tick.cycles"],
                         "run", "ticks", "--set", "tick.cycle=1")

    def test_threads_change_nothing(self):
        texts = [gridloom.without_host(self.succeed("run", "ticks", "--json", "-", "--threads", n).stdout)
                 for n in "12"]

        self.assertEqual(*texts)

    def test_a_run_is_drawn_under_its_roofs(self):
        self.succeed("run", "ticks", "-q", "--json", "t.json")
        self.succeed("roofline", "t.json", "-q", "--json", "r.json", "-o", "r.svg")
        machine = json.loads(self.read("r.json"))["metrics"]["machines"][0]
        roofs = {roof["name"]: roof["value"] for roof in machine["roofs"]}

        self.assertEqual(roofs, {"adder": 2e9, "tape": 4e9})
        self.assertEqual((machine["chip"], machine["rate"], machine["bound"]),
                         ("toy1", 2e9, "adder"))
        self.assertIn("toy1", "".join(ElementTree.parse(self.path("r.svg")).getroot().itertext()))

    def test_its_call_refuses_chips_of_others(self):
        self.assertFails(INPUT, ["wormhole_n300 is no toy"], "run", "ticks", "--chip", "wormhole_n300",
                         traceback=True)

    def test_calls_of_others_refuse_it(self):
        for call, says in (("host.wafer {}", "toy1 is no wafer"), ("host.board {}", "toy1 is no FPGA board"),
                           ("host.program()", "toy1 has no Tensix cores"),
                           ("host.allocate(1)", "toy1 has no DRAM")):
            self.write("t.lua", gridloom.workload(call).replace('"tensix"', '"toy"'))
            self.assertFails(INPUT, [says], "run", "t.lua", traceback=True)

    def test_kernels_run_on_it_as_on_any_chip(self):
        self.write("t.lua", gridloom.workload(gridloom.kernel("core.delay(41)")).replace('"tensix"', '"toy"'))

        self.assertEqual(self.result("t.lua")["metrics"]["cycles"], 41)

    def test_scripts_may_name_it_and_no_family_that_is_none(self):
        self.write("t.lua", gridloom.workload("").replace('"tensix"', '"zz"'))
        self.assertFails(INPUT, ["chips[1] = 'zz', expected nero, tensix, toy or wse"], "run", "t.lua")
        self.assertFails(INPUT, ["runs on chips of family tensix, wse, toy1 is of family toy"],
                         "run", "pcg", "--chip", "toy1")

    def test_models_say_that_they_do_not_know_it(self):
        self.assertFails(UNMODELLED, ["the area of chips of family toy is not modelled"],
                         "model", "area", "--chip", "toy1")

    def test_the_program_without_it_knows_nothing_of_it(self):
        self.assertFails(INPUT, ["chip.family = toy, unknown family, expected one of tensix, wse, nero, gpu, cpu"],
                         "describe", "toy1", program=gridloom.PROGRAM)
        self.assertFails(INPUT, ["chips[1] = 'toy', expected nero, tensix or wse"], "run", "ticks",
                         program=gridloom.PROGRAM)


if __name__ == "__main__":
    unittest.main()
