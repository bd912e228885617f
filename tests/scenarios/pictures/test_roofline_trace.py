"""Rooflines from traces: a whole trace agrees with its result, and its parts with the whole."""
import csv
import json
import os
import unittest

import gridloom

WORMHOLE = ["pcg", "rows=2", "cols=2", "tiles=2", "iterations=3"]
RUNS = {
    "pcg": WORMHOLE,
    "split": ["pcg", "rows=2", "cols=1", "tiles=2", "iterations=2", "variant=split", "dtype=fp32"],
    "matmul": ["matmul"],
    "stencil25": ["stencil25", "--chip", "wse2", "nx=10", "ny=9", "nz=8", "steps=3"],
    "wafer": ["pcg", "--chip", "wse2", "nx=4", "ny=3", "nz=8", "iterations=3"],
    "streams": ["pcg", "--chip", "wse2", "nx=4", "ny=3", "nz=8", "iterations=3", "grain=stream"],
    "fpga": ["hdiff", "--chip", "nero_ad9h7"],
    "gemv": ["gemv", "--chip", "wse2", "m=32", "n=32", "width=4", "height=4"],
    "levels_wafer": ["multigrid", "--chip", "wse2", "nx=7", "ny=7", "nz=7", "cycles=3"],
    "levels": ["multigrid", "nx=127", "ny=31", "nz=7", "levels=3", "cycles=2"],
}
COUNTED = ("flops", "sram_bytes", "received_bytes", "noc_bytes")


class RooflineOfTraces(gridloom.Scenario):
    MADE = {}

    def trace(self, name):
        if name not in self.MADE:
            self.succeed("run", *RUNS[name], "-q", "--trace", "m.pftrace", "--json", "m.json")
            with open(self.path("m.pftrace"), "rb") as file:
                self.MADE[name] = file.read(), self.read("m.json")
        trace, result = self.MADE[name]
        with open(self.path(name + ".pftrace"), "wb") as file:
            file.write(trace)
        self.write(name + ".json", result)
        return json.loads(result)

    def succeed(self, *words, **options):
        done = self.gridloom(*words, **options)
        self.assertEqual((done.returncode, done.stderr), (gridloom.DONE, ""), words)
        return done

    def machines(self, *words):
        self.succeed("roofline", *words, "-q", "--json", "r.out")
        return json.loads(self.read("r.out"))["metrics"]["machines"]

    def roofs(self, machine):
        return {roof["name"]: roof for roof in machine["roofs"]}

    def refused(self, code, text, *words):
        done = self.gridloom("roofline", *words)
        self.assertEqual((done.returncode, done.stdout), (code, ""), words)
        self.assertEqual(done.stderr, f"gridloom: {text}\n")

    def test_whole_traces_agree_with_their_results(self):
        for name in RUNS:
            with self.subTest(name):
                self.trace(name)
                by_trace, = self.machines(name + ".pftrace")
                by_result, = self.machines(name + ".json")
                self.assertTrue(by_trace["part"]["is_all"])
                self.assertAlmostEqual(by_trace["part"]["share"], 1, places=9)
                self.assertAlmostEqual(by_trace["rate"] / by_result["rate"], 1, places=6)
                given = self.roofs(by_result)
                for roof in by_trace["roofs"]:
                    self.assertAlmostEqual(roof["value"] / given[roof["name"]]["value"], 1, places=9)
                    if given[roof["name"]]["achieved"]:
                        self.assertAlmostEqual(roof["achieved"] / given[roof["name"]]["achieved"], 1, places=6)

    def test_windows_add_up(self):
        for name in ("pcg", "wafer"):
            self.trace(name)
            whole, = self.machines(name + ".pftrace")
            begin, end = whole["part"]["from"], whole["part"]["to"]
            third = (end - begin) // 3
            sums, shares = {}, 0
            for first, last in ((begin, begin + third), (begin + third, begin + 2 * third),
                                (begin + 2 * third, end)):
                part, = self.machines(name + ".pftrace", "--window", f"{first}:{last}")
                self.assertFalse(part["part"]["is_all"])
                shares += part["part"]["share"]
                for roof in part["roofs"]:
                    sums[roof["name"]] = sums.get(roof["name"], 0) \
                        + (roof["achieved"] or 0) * (last - first) / (end - begin)
            self.assertAlmostEqual(shares, 1, places=9)
            for roof in whole["roofs"]:
                if roof["achieved"]:
                    self.assertAlmostEqual(sums[roof["name"]] / roof["achieved"], 1, places=6)

    def test_a_trace_of_a_window_is_that_window(self):
        self.trace("pcg")
        self.succeed("run", *WORMHOLE, "-q", "--trace", "w.pftrace", "--trace-window", "60000:70000")
        part, = self.machines("w.pftrace")
        same, = self.machines("pcg.pftrace", "--window", "60000:70000")
        self.assertEqual((part["part"]["from"], part["part"]["to"]), (60000, 70000))
        self.assertAlmostEqual(part["rate"] / same["rate"], 1, places=9)
        self.assertIn("cycles 60000:70000", part["detail"])
        self.assertIn("cycles 60000:70000, cores 4, ", self.succeed("roofline", "w.pftrace").stdout)
        self.refused(gridloom.INPUT, "w.pftrace: what it holds of programs lasts from cycle 60000 to 70000",
                     "w.pftrace", "--window", "80000:")

    def test_a_trace_of_a_core_is_that_core(self):
        self.trace("pcg")
        self.succeed("run", *WORMHOLE, "-q", "--trace", "c.pftrace", "--trace-cores", "1,0")
        part, = self.machines("c.pftrace")
        same, = self.machines("pcg.pftrace", "--cores", "1,0")
        whole, = self.machines("pcg.pftrace")
        self.assertEqual(part["rate"], same["rate"])
        self.assertEqual(part["part"]["cores"], 1)
        self.assertAlmostEqual(self.roofs(whole)["L1"]["value"] / self.roofs(part)["L1"]["value"], 4)
        self.assertIsNone(self.roofs(part)["NoC links"]["achieved"])
        each = [self.machines("pcg.pftrace", "--cores", f"{x},{y}")[0] for x in (0, 1) for y in (0, 1)]
        self.assertAlmostEqual(sum(one["rate"] for one in each) / whole["rate"], 1, places=9)

    def test_zones_are_points_of_their_own(self):
        for name, zones in (("pcg", ["axpy", "dot", "spmv"]),
                            ("wafer", ["all_reduce", "axpy", "dot", "halo", "product"])):
            result = self.trace(name)
            whole, *parts = self.machines(name + ".pftrace", "--by", "zone")
            self.assertEqual([part["part"]["zone"] for part in parts if part["part"]["zone"] != "none"], zones)
            self.assertAlmostEqual(sum(part["part"]["share"] for part in parts), 1, places=2)
            self.assertTrue(whole["part"]["is_all"])
            for part in parts:
                self.assertGreater(part["rate"], 0)
                zone = part["part"]["zone"]
                if name == "wafer" and zone in result["zones"]:
                    seconds = part["part"]["share"] * result["counters"]["flops"] / part["rate"]
                    self.assertAlmostEqual(seconds / result["zones"][zone], 1, places=6)

    def test_a_zone_of_some_cores_is_of_these(self):
        self.trace("levels")
        zones = {part["part"].get("zone"): part for part in self.machines("levels.pftrace", "--by", "zone")}
        own = {part["part"].get("zone"): part
               for part in self.machines("levels.pftrace", "--by", "zone", "--cores", "0,0")}
        self.assertEqual((zones["restrict0"]["part"]["cores"], zones["restrict1"]["part"]["cores"]), (4, 1))
        self.assertAlmostEqual(zones["restrict1"]["rate"] / own["restrict1"]["rate"], 1, places=9)
        self.assertEqual(*(self.roofs(each["restrict1"])["L1"]["value"] for each in (zones, own)))

    def test_hardly_any_time_of_v_cycles_is_outside_of_zones(self):
        for name, most in (("levels", 0.2), ("levels_wafer", 0.02)):
            self.trace(name)
            _, *parts = self.machines(name + ".pftrace", "--by", "zone")
            shares = {part["part"]["zone"]: part["part"]["share"] for part in parts}
            self.assertLess(shares.get("none", 0), most)
            self.assertLessEqual({"smooth0", "coarse", "norm"}, set(shares))

    def test_zones_without_operations_are_named(self):
        self.trace("gemv")
        self.assertNotIn("without operations", self.succeed("roofline", "gemv.pftrace").stdout)
        whole, *parts = self.machines("gemv.pftrace", "--by", "zone")
        idle = {zone["zone"]: zone["time"] for zone in whole["part"]["idle_zones"]}
        self.assertIn("spread", idle)
        self.assertFalse(set(idle) & {part["part"]["zone"] for part in parts})
        self.assertTrue(0 < sum(idle.values()) < 1)
        self.assertRegex(self.succeed("roofline", "gemv.pftrace", "--by", "zone").stdout,
                         r"A: zones without operations, with their share of the time of cores: (.*, )?spread [0-9.]+ %")

    def test_iterations_are_a_path(self):
        for name, count in (("pcg", 2), ("wafer", 3), ("stencil25", 3), ("levels", 2), ("levels_wafer", 3)):
            self.trace(name)
            machine, = self.machines(name + ".pftrace", "--by", "iteration")
            path = machine["path"]
            self.assertEqual([step["iteration"] for step in path], list(range(1, count + 1)), name)
            if name.startswith("levels"):
                self.assertAlmostEqual((path[0]["to"] - path[0]["from"]) / (path[1]["to"] - path[1]["from"]), 1, delta=0.05, msg=name)
            self.assertEqual([step["to"] for step in path[:-1]], [step["from"] for step in path[1:]])
            part, = self.machines(name + ".pftrace", "--window", f"{path[1]['from']}:{path[1]['to']}")
            self.assertAlmostEqual(path[1]["rate"] / part["rate"], 1, places=5)
            text = self.succeed("roofline", name + ".pftrace", "--by", "iteration").stdout
            self.assertRegex(text, rf"A +2 +{path[1]['from']}:{path[1]['to']} ")

    def test_files_have_the_path(self):
        self.trace("wafer")
        self.succeed("roofline", "wafer.pftrace", "--by", "iteration", "--memory", "sram", "-q",
                     "-o", "p.csv", "-o", "p.svg", "-o", "p.html")
        rows = list(csv.DictReader(self.read("p.csv").splitlines()))
        self.assertEqual([row["iteration"] for row in rows], ["", "1", "2", "3"])
        self.assertEqual(self.read("p.svg").count('class="roof-step"'), 3)
        self.assertIn('"path":[{"from":', self.read("p.html"))
        self.assertLess(os.path.getsize(self.path("p.html")), 2_000_000)
        self.succeed("report", "wafer.pftrace", "-q", "-o", "r.html")
        self.assertIn('"path":[{"from":', self.read("r.html"))

    def test_what_a_trace_does_not_say(self):
        self.trace("pcg")
        self.trace("matmul")
        self.succeed("run", *WORMHOLE, "-q", "--trace", "b.pftrace", "--trace-level", "blocks")
        why = ("b.pftrace: it holds use by time of blocks of cores, not what they computed; "
               "see --trace-level, --trace-cores and --trace-window")
        self.assertIn("the whole run, as its result says: " + why, self.succeed("roofline", "b.pftrace").stdout)
        self.refused(2, why, "b.pftrace", "--by", "zone")
        self.refused(2, "matmul.pftrace: iterations are not known: none is marked, and no zone is opened "
                     "once in each of them", "matmul.pftrace", "--by", "iteration")
        self.refused(gridloom.INPUT, "matmul.pftrace: no zone is open in this part of it",
                     "matmul.pftrace", "--by", "zone")
        self.refused(gridloom.INPUT, "pcg.pftrace: none of these cores did anything in it",
                     "pcg.pftrace", "--cores", "7,7")
        for spec, core in (("0,0;9,8", "9,8"), ("0:1,0:7", "0,2"), ("0:2147483647,0", "2,0")):
            self.refused(gridloom.INPUT, f"pcg.pftrace: --cores: {core} is not in it",
                         "pcg.pftrace", "--cores", spec)
        self.refused(gridloom.INPUT, "pcg.json: a result without a trace has no parts; --window, --cores and "
                     "--by are for traces", "pcg.json", "--by", "zone")

    def test_bad_traces(self):
        self.trace("pcg")
        with open(self.path("pcg.pftrace"), "rb") as file:
            whole = file.read()
        for name, data, text in (
                ("empty", b"", "empty, no trace"),
                ("foreign", b"hello world" * 10, None),
                ("cut", whole[:len(whole) // 2], "cut.pftrace: cut off, the ")):
            with open(self.path(name + ".pftrace"), "wb") as file:
                file.write(data)
            for words in ([], ["--by", "zone"], ["--window", "1:2"]):
                done = self.gridloom("roofline", name + ".pftrace", *words)
                self.assertEqual(done.returncode, gridloom.INPUT)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                if text:
                    self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
