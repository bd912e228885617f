"""Runs of a kernel on FPGA boards, and checks that hold for all of them."""
import json

import perfetto
from gridloom import CHECK
from workload_runs import WorkloadRuns

NAMES = {"BRAM", "URAM", "DSP", "FF", "LUT"}


class BoardRuns(WorkloadRuns):
    """Runs on the board with HBM unless words say otherwise."""
    CHIP = ("--chip", "nero_ad9h7")
    DDR4 = ("--chip", "nero_ad9v3")
    SMALL = ()      # words of a small run whose windows divide the grid
    POINTS = 0      # points of it, without the border
    FLOP = 0        # per point

    def time(self, *words):
        """Cycles of a run without data."""
        return self.outcome(*words, "--timing-only")["cycles"]

    def assertModesAreRight(self, *cases):
        """Both types are right with data anywhere, with these words, and on the other board."""
        self.assertAllRight([*((f"dtype={dtype}", f"data={data}") for dtype in ("fp32", "fp16")
                               for data in ("board", "host", "chip")), *cases], *self.SMALL)
        self.assertRight(*self.SMALL, *self.DDR4)

    def assertFindsErrors(self, library, changes):
        """The check finds wrong numbers, with one change of the library at a time."""
        self.assertRight(*self.CHANGED)
        for right, wrong in changes:
            self.assertEqual(self.run_with(library, right, wrong), CHECK, wrong)

    def assertReports(self):
        """Rates, resources and energy agree with each other."""
        result = self.assertRight(*self.SMALL)
        metrics, seconds = result["metrics"], result["seconds"]
        rounds = int(result["parameters"]["rounds"])

        self.assertEqual(result["iterations"], rounds)
        self.assertEqual((metrics["points"], metrics["flops_per_point"]), (self.POINTS, self.FLOP))
        self.assertAlmostEqual(metrics["gflops"] * seconds * 1e9 / (self.POINTS * self.FLOP * rounds),
                               1, places=6)
        self.assertAlmostEqual(metrics["watts"] * seconds / result["energy_joules"], 1, places=6)
        self.assertAlmostEqual(metrics["gflops_per_watt"] * metrics["watts"] / metrics["gflops"], 1)
        self.assertEqual(set(metrics["resources"]), NAMES)
        self.assertTrue(all(0 <= part <= 100 for part in metrics["resources"].values()))
        self.assertAlmostEqual(metrics["resource_percent"],
                               sum(metrics["resources"].values()) / len(NAMES))
        self.assertEqual(metrics["padded_points"], 0)
        return result

    def assertPartsAreAccountedFor(self, *parts):
        """Every cycle of each part of a PE has a reason; busy and stalls follow from these."""
        result = self.outcome(*self.SMALL)
        units = result["metrics"]["units"]

        self.assertEqual(set(units), set(parts))
        for name, reasons in units.items():
            self.assertAlmostEqual(result["busy"][name] * sum(reasons.values()), reasons["busy"])
        waits = {reason for reasons in units.values() for reason in reasons} - {"busy", "idle"}
        self.assertEqual(set(result["stalls"]), waits)

    def assertPadded(self, words, divided):
        """A padded window is reported in one line; a window that divides the grid is not."""
        text = self.succeed("run", self.SCRIPT, *self.CHIP, *words).stdout
        self.assertIn("pass", text)
        lines = [line for line in text.splitlines() if "padded" in line]
        self.assertEqual(len(lines), 1, text)
        self.assertGreater(self.outcome(*words)["metrics"]["padded_points"], 0)
        self.assertNotIn("padded", self.succeed("run", self.SCRIPT, *self.CHIP, *divided).stdout)

    def assertCompares(self, *words):
        """Boards, cores and a wafer run side by side, each with right results."""
        chips = ["nero_ad9h7", "nero_ad9v3", "wormhole_n300", "wse2"]
        self.succeed("compare", self.SCRIPT, "--chips", ",".join(chips), *words, "--json", "c.json")
        rows = json.loads(self.read("c.json"))["metrics"]["chips"]
        self.assertEqual([(row["chip"], row["check"]["status"]) for row in rows], [(chip, "pass") for chip in chips])
        self.assertTrue(all(row["energy_joules"] > 0 for row in rows if row["chip"].startswith("nero")))

    def assertTraced(self, *lanes):
        """The trace has a lane for each part."""
        self.succeed("run", self.SCRIPT, *self.CHIP, *self.SMALL, "--trace", "t.pftrace", "-q")
        with open(self.path("t.pftrace"), "rb") as file:
            trace = perfetto.Trace(file.read())
        for lane in lanes:
            self.assertTrue(trace.slices[lane], lane)
        return trace
