"""What differs between two runs: which numbers, in which order, and the exit code."""
import json
import unittest

import gridloom
from gridloom import CHECK, DONE, INPUT

DOT = ["dot", "--chip", "wormhole_n300", "rows=1", "cols=2", "tiles=1"]
WAFER = ["stencil7", "--chip", "wse2", "nx=3", "ny=3", "nz=4"]


class Diff(gridloom.Scenario):
    def make(self, name, *words):
        self.succeed("run", *words, "--out", name, "-q")
        return name

    def diff(self, *words):
        """The exit code, and the lines."""
        done = self.gridloom("diff", *words)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout.splitlines()

    def found(self, *words):
        """Differences by name, in order, and what runs were given."""
        done = self.gridloom("diff", *words, "--json", "-")
        self.assertEqual(done.stderr, "")
        result = json.loads(done.stdout)
        self.assertEqual(result["check"]["status"], "fail" if done.returncode == CHECK else "pass")
        return {item["name"]: item for item in result["metrics"]["differences"]}, result["metrics"]

    def change(self, name, **members):
        """A copy of a result with other members."""
        result = json.loads(self.read("a/result.json"))
        for path, value in members.items():
            at = result
            *folders, last = path.split("__")
            for folder in folders:
                at = at[folder]
            at[last] = value
        return self.write(name, json.dumps(result))

    def test_a_run_again_is_the_same_number_by_number(self):
        for words in (DOT, WAFER):
            with self.subTest(words[0]):
                self.make("a", *words)
                self.make("b", *words)
                code, lines = self.diff("a", "b")
                self.assertEqual((code, len(lines)), (DONE, 1), lines)
                self.assertRegex(lines[0], rf"\A{words[0]}: \d\d+ numbers, 0 differ, 0 above")
                self.assertEqual(self.diff("a", "b", "-q", "--by", "place"), (DONE, []))

    def test_another_chip_number_shows_in_results_and_traces(self):
        self.make("a", *DOT)
        self.make("b", *DOT, "--set", "noc.hop_cycles=90")
        differences, metrics = self.found("a", "b")
        self.assertEqual(metrics["unlike"], [{"name": "noc.hop_cycles", "a": "9", "b": "90"}])
        self.assertEqual(metrics["above"], len(differences))
        sizes = [float("inf") if item["relative"] is None else abs(item["relative"])
                 for item in differences.values()]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        for name in ("cycles", "zones.reduction", "stalls.noc", "trace.cycles",
                     "trace.core.writer.stalled", "trace.core.writer.stalled.noc.cycles"):
            item = differences[name]
            self.assertGreater(item["b"], item["a"], name)
            self.assertAlmostEqual(item["relative"], (item["b"] - item["a"]) / item["a"], delta=1e-12)
        # The same numbers from the files of the run.
        for name in ("a", "b"):
            result = json.loads(self.read(name + "/result.json"))
            self.assertEqual(differences["cycles"][name], result["cycles"])
            self.assertEqual(differences["trace.core.writer.stalled.noc.cycles"][name],
                             result["metrics"]["units"]["writer"]["noc"])
        code, lines = self.diff("a/trace.pftrace", "b/trace.pftrace", "--by", "place")
        self.assertEqual(code, CHECK)
        self.assertEqual(lines[0], "given differently: noc.hop_cycles: 9 in A, 90 in B")
        self.assertTrue(any(line.startswith("trace.core[1,0].writer.stalled.noc.cycles ") for line in lines))

    def test_tolerances_decide(self):
        self.make("a", *DOT)
        cycles = json.loads(self.read("a/result.json"))["cycles"]
        b = self.change("b.json", cycles=round(cycles * 1.02), metrics__device_seconds=0)
        a = "a/result.json"
        for words, code in (([], CHECK), (["--tolerance", "3%"], CHECK),
                            (["--tolerance", "cycles=3%"], CHECK),
                            (["--tolerance", "cycles=0.03", "--tolerance", "metrics=1"], DONE),
                            (["--tolerance", "cycles=0.01", "--tolerance", "metrics.*=inf"], CHECK),
                            (["--tolerance", "inf", "--tolerance", "cycles=1%"], CHECK),
                            (["--tolerance", "inf", "--tolerance", "check=0"], DONE)):
            with self.subTest(words):
                self.assertEqual(self.diff(a, b, *words, "-q"), (code, []))
        code, lines = self.diff(a, b, "--tolerance", "metrics=1")
        self.assertEqual((code, len(lines)), (CHECK, 4))
        self.assertRegex(lines[1], r"\Acycles +\d+ +[\d.]+ +\+2 % +0 %\Z")
        self.assertRegex(lines[3], r"2 differ, 1 above its tolerance\Z")
        self.assertEqual(len(self.diff(a, b, "--tolerance", "metrics=1", "--all")[1]), 5)

    def test_a_failed_check_and_numbers_of_one_run_differ(self):
        self.make("a", *DOT)
        b = self.change("b.json", check__status="fail", metrics__more=3, energy_joules=None)
        differences, _ = self.found("a/result.json", b)
        self.assertEqual(list(differences), ["energy_joules", "metrics.more", "check.pass"])
        self.assertEqual((differences["metrics.more"]["a"], differences["metrics.more"]["b"]), (None, 3))
        _, lines = self.diff("a/result.json", b)
        self.assertRegex("\n".join(lines), r"energy_joules .* only in A .*\nmetrics.more .* only in B ")
        code, lines = self.diff("a", b)
        self.assertEqual((code, lines[0]), (CHECK, "not compared: traces, only one of the runs has one"))

    def test_a_check_that_was_skipped_has_not_failed(self):
        self.make("a", *DOT)
        b = self.change("b.json", check__status="skipped")
        _, lines = self.diff("a/result.json", b)
        self.assertRegex(lines[1], r"\Acheck.pass +1 .* only in A ")

    def test_other_parameters_and_chips_are_told(self):
        self.make("a", "dot", "--chip", "wse2", "nx=4", "ny=4", "nz=4")
        self.make("b", "dot", "--chip", "wse3", "nx=8", "ny=4", "nz=4")
        _, lines = self.diff("a", "b")
        self.assertEqual(lines[0], "given differently: chip: wse2 in A, wse3 in B")
        self.assertIn("  and parameters.nx: 4 in A, 8 in B", lines)

    def test_bad_input_is_one_line(self):
        self.make("a", *DOT)
        self.make("other", *WAFER)
        result = self.read("a/result.json")
        with open(self.path("a/trace.pftrace"), "rb") as file:
            self.write("cut.pftrace", file.read()[:3000])
        self.write("cut.json", result[:300])
        self.write("empty.json", "")
        self.write("foreign.json", "{}")
        self.write("foreign.bin", b"\x89PNG\r\n")
        for words, says in (
                ((), "no runs, give two"), (("a",), "one run is not enough"),
                (("a", "a", "a"), "a"),
                (("a", "none"), "none: No such file"), (("a", "cut.json"), "cut.json: "),
                (("cut.pftrace", "a"), "cut.pftrace: cut off"), (("a", "empty.json"), "empty.json: empty"),
                (("a", "foreign.json"), "foreign.json: no result of gridloom"),
                (("a", "foreign.bin"), "foreign.bin: "),
                (("a", "other"), "a is a run of dot and other of stencil7: only runs of one workload"),
                (("a", "a", "--tolerance", "cyles=1"), "--tolerance cyles: neither run has a number"),
                (("a", "a", "--tolerance", "-1"), "--tolerance"),
                (("a", "a", "--tolerance", "cycles=much"), "allowed is VALUE or NAME=VALUE"),
                (("a", "a", "--by", "core"), "unit, place"),
                (("a", "cut.json", "--json", "cut.json"), "cut.json")):
            with self.subTest(words):
                self.assertFails(INPUT, [says], "diff", *words)
        self.assertEqual(self.read("cut.json"), result[:300])


if __name__ == "__main__":
    unittest.main()
