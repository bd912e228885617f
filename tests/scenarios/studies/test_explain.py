"""What bounds a run: its critical path, runs without some costs, and what changed between two."""
import json
import os
import re
import unittest

import gridloom
import npy

PCG = ["pcg", "rows=2", "cols=2", "tiles=1", "iterations=2"]
WAFER = ["reduce", "width=4", "height=4"]
INPUT = 1
LINES = 30
CHIPS = {"tensix": ["vecadd", "wormhole_n150", "wormhole_n300"],
         "wse": ["reduce", "wse1", "wse2", "wse3"]}
PAGE_BYTES = 2000000
RUNS = [
    PCG,
    [*PCG, "variant=split"],
    ["dot", "rows=2", "cols=2", "tiles=2"],
    ["stencil7", "rows=2", "cols=2", "tiles=2"],
    ["vecadd"],
    ["stencil25", "--chip", "wse2", "nx=5", "ny=5", "nz=20", "steps=2"],
    ["pcg", "--chip", "wse2", "nx=4", "ny=4", "nz=8", "iterations=2"],
    ["reduce"],
]


class Explain(gridloom.Scenario):
    def run_traced(self, name, *words):
        """The result of a run, whose trace is in NAME.pftrace."""
        self.succeed("run", *words, "--trace", f"{name}.pftrace", "--json", f"{name}.json", "-q")
        return json.loads(self.read(f"{name}.json"))

    def explain(self, *words):
        """The explanations of runs, and what changed."""
        text = self.succeed("explain", *words, "--json", "-").stdout
        return json.loads(text)["metrics"]

    def refuse(self, *words, says):
        done = self.gridloom(*words)
        self.assertEqual((done.returncode, done.stdout), (INPUT, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(says, done.stderr)


class Path(Explain):
    def test_it_is_as_long_as_the_run_and_its_parts_add_up(self):
        for words in RUNS:
            with self.subTest(words=words):
                cycles = self.run_traced("t", *words)["cycles"]
                run = self.explain("t.pftrace", "--no-what-if")["runs"][0]
                self.assertEqual(run["path_cycles"], cycles)
                self.assertEqual(sum(part["cycles"] for part in run["parts"]), cycles)
                self.assertEqual(sum(part["steps"] for part in run["parts"]), run["steps"])
                work = sum(part["cycles"] for part in run["parts"] if part["is_work"])
                self.assertGreater(work, 0)

    def test_waits_come_first_and_have_places_in_scripts(self):
        self.run_traced("t", *PCG)
        parts = self.explain("t.pftrace", "--no-what-if")["runs"][0]["parts"]
        waits = [part for part in parts if not part["is_work"]]
        self.assertEqual(parts[:len(waits)], waits)
        self.assertEqual([part["cycles"] for part in waits],
                         sorted((part["cycles"] for part in waits), reverse=True))
        for part in waits:
            if part["part"] != "launch":
                self.assertRegex(part["where"], r"^\w+\.lua:\d+$")

    def test_who_waited_for_whom_does_not_depend_on_threads(self):
        for name, threads in (("a", "1"), ("b", "4")):
            self.run_traced(name, *PCG, "--threads", threads)
        self.assertEqual(self.explain("a.pftrace", "--no-what-if"),
                         self.explain("b.pftrace", "--no-what-if"))

    def test_it_is_drawn_on_the_timeline(self):
        self.run_traced("t", *PCG)
        for words, count in (([], 0), (["--critical-path"], 1)):
            self.succeed("plot", "timeline", "t.pftrace", *words, "-o", "t.svg")
            self.assertEqual(self.read("t.svg").count(".timeline-path"), count)
        self.assertIn('class="timeline-path"', self.read("t.svg"))


class WhatIf(Explain):
    def test_gains_are_those_of_runs(self):
        result = self.run_traced("t", *PCG)
        parts = self.explain("t.pftrace")["runs"][0]["parts"]
        tried = [part for part in parts if "without" in part]
        self.assertGreaterEqual(len(tried), 3)
        for part in tried:
            self.assertGreaterEqual(part["cycles"], result["cycles"] // 100)
            changed = [word for key in part["without"].split() for word in ("--set", key)]
            self.assertEqual(result["cycles"] - part["gain_cycles"],
                             self.run_traced("u", *PCG, *changed)["cycles"])
        launch = [part for part in tried if part["part"] == "launch"]
        self.assertEqual([part["gain_cycles"] for part in launch], [30000])

    def test_wishes_are_run_too(self):
        self.run_traced("t", *PCG, "--set", "noc.hop_cycles=20", "--seed", "3")
        wish = self.explain("t.pftrace", "--what-if", "noc.hop_cycles=9")["runs"][0]["what_if"]
        self.assertEqual(wish[0]["with"], "noc.hop_cycles=9")
        self.assertEqual(wish[0]["cycles"], self.run_traced("u", *PCG, "--seed", "3")["cycles"])

    def test_wishes_that_the_chip_does_not_take_are_refused(self):
        self.run_traced("t", *PCG)
        for wish, says in (("foo.bar=0", "no such section"), ("noc.hop=0", "expected noc.hop_cycles"),
                           ("noc.hop_cycles=-3", "noc.hop_cycles = -3"),
                           ("noc.hop_cycles=5,noc.hop_cycles=x", "noc.hop_cycles = x")):
            with self.subTest(wish=wish):
                self.refuse("explain", "t.pftrace", "--what-if", wish, "-q", says=says)

    def test_keys_are_those_of_the_chips(self):
        """All keys of parts are accepted by all chips of their family."""
        rows = re.findall(r'{"(\w+)", EXPLAIN_\w+,\s*((?:"[^"]*"\s*)+)}',
                          self.source("tools", "gridloom", "explain", "keys.c"))
        self.assertEqual({family for family, _ in rows}, set(CHIPS))
        for family, (script, *chips) in CHIPS.items():
            keys = {key for of, texts in rows if of == family
                    for key in "".join(re.findall('"([^"]*)"', texts)).split()}
            words = [word for key in sorted(keys) for word in ("--set", key)]
            self.assertGreaterEqual(len(keys), 10)
            for chip in chips:
                with self.subTest(chip=chip):
                    self.succeed("run", script, "--chip", chip, "--dry-run", *words)

    def test_work_of_wafers_is_run_again_without_set_up_and_dispatch(self):
        words = ["multigrid", "--chip", "wse2", "nx=3", "ny=3", "nz=3"]
        result = self.run_traced("t", *words)
        run = self.explain("t.pftrace")["runs"][0]
        work = run["parts"][-1]
        self.assertEqual(work["part"], "work of PEs")
        tried = {work["without"]: result["cycles"] - work["gain_cycles"]}
        tried.update((row["with"], row["cycles"]) for row in run["what_if"])
        self.assertEqual(sorted(keys.split("=")[0] for keys in tried),
                         ["dsd.setup_busy_cycles", "task.dispatch_cycles"])
        for keys, cycles in tried.items():
            changed = [word for key in keys.split() for word in ("--set", key)]
            self.assertEqual(self.run_traced("u", *words, *changed)["cycles"], cycles)
            self.assertLess(cycles, result["cycles"])

    def test_runs_that_cannot_be_repeated_are_refused(self):
        self.write("own.lua", self.source("workloads", "dot.lua"))
        self.run_traced("t", "own.lua")
        self.refuse("explain", "t.pftrace", "-q", says="cannot be repeated")
        self.succeed("explain", "t.pftrace", "--script", "own.lua", "-q")
        self.refuse("explain", "t.pftrace", "--script", "vecadd", "-q", says="cycles now, not")
        self.refuse("explain", "t.pftrace", "--what-if", "noc", says="--what-if = noc: expected")

    def test_runs_with_arrays_of_files_are_not_repeated(self):
        self.write("b.npy", npy.dump([[[1.0 + x + y * z for z in range(8)] for y in range(4)] for x in range(4)]))
        words = ["pcg", "--chip", "wse2", "nx=4", "ny=4", "nz=8", "iterations=2", "--in", "rhs=b.npy"]
        result = self.run_traced("t", *words)
        self.assertEqual(result["inputs"], {"rhs": "b.npy"})
        note = "the run had --in rhs=b.npy, what-if runs are left out"
        self.assertIn(note, self.succeed("explain", "t.pftrace", "-o", "t.html").stdout)
        self.assertIn(note, self.read("t.html"))
        self.assertEqual(self.explain("t.pftrace")["runs"][0]["note"], note)
        self.assertNotIn("note", self.explain("t.pftrace", "--no-what-if")["runs"][0])
        self.refuse("explain", "t.pftrace", "--what-if", "dsd.setup_busy_cycles=0", "-q",
                    says="the run had --in rhs=b.npy, it cannot be repeated")

    @staticmethod
    def source(*names):
        with open(os.path.join(os.environ["GRIDLOOM_SOURCE"], *names), encoding="utf-8") as file:
            return file.read()


class Two(Explain):
    def test_changes_add_up_to_the_difference(self):
        first = self.run_traced("a", *PCG)["cycles"]
        for words in (["--set", "noc.hop_cycles=36"], ["variant=split"], ["routing=center"]):
            with self.subTest(words=words):
                second = self.run_traced("b", *PCG, *words)["cycles"]
                found = self.explain("a.pftrace", "b.pftrace")
                changes = found["changes"]
                self.assertNotEqual(first, second)
                self.assertEqual(sum(row["change"] for row in changes), second - first)
                for row in changes:
                    self.assertEqual(row["change"], row["second"] - row["first"])

    def test_slower_hops_are_found(self):
        self.run_traced("a", *PCG)
        self.run_traced("b", *PCG, "--set", "noc.hop_cycles=36")
        changes = self.explain("a.pftrace", "b.pftrace")["changes"]
        self.assertEqual(changes[0]["part"], "wait for a neighbour")

    def test_runs_that_have_nothing_in_common_are_refused(self):
        self.run_traced("a", *WAFER, "--chip", "wse2")
        self.run_traced("b", *WAFER, "--chip", "wse3")
        self.run_traced("c", *PCG)
        self.refuse("explain", "a.pftrace", "b.pftrace", "-q", says="only cycles of one clock")
        self.refuse("explain", "a.pftrace", "c.pftrace", "-q", says="only runs of one workload")


class Text(Explain):
    def test_it_has_few_lines_and_a_small_page(self):
        self.run_traced("a", *PCG)
        self.run_traced("b", *PCG, "variant=split")
        for words in (["a.pftrace"], ["a.pftrace", "b.pftrace"]):
            text = self.succeed("explain", *words, "-o", "t.html").stdout
            self.assertLessEqual(text.count("\n"), LINES)
            self.assertIn("critical path", text)
            page = self.read("t.html")
            self.assertLess(len(page), PAGE_BYTES)
            self.assertEqual(page.count("<svg"), len(words))
            self.assertIn("timeline-path", page)

    def test_pages_of_long_traces_are_small(self):
        self.run_traced("a", "pcg", "rows=2", "cols=2", "tiles=4", "iterations=4", "--timing-only")
        for words in (["a.pftrace", "--no-what-if"], ["a.pftrace", "a.pftrace"]):
            self.succeed("explain", *words, "-o", "t.html", "-q")
            self.assertLess(len(self.read("t.html")), PAGE_BYTES)

    def test_a_folder_of_out_will_do(self):
        self.succeed("run", *PCG, "--out", "o", "-q")
        self.assertIn("critical path", self.succeed("explain", "o", "--no-what-if").stdout)

    def test_what_is_read_is_not_overwritten(self):
        self.run_traced("t", *WAFER)
        os.rename(self.path("t.pftrace"), self.path("t.html"))
        with open(self.path("t.html"), "rb") as file:
            whole = file.read()
        for words in (["explain", "--no-what-if", "-o"], ["explain", "--no-what-if", "--json"],
                      ["roofline", "--json"]):
            with self.subTest(words=words):
                self.refuse(words[0], "t.html", *words[1:], "t.html", "-q", says="it is what is read")
                with open(self.path("t.html"), "rb") as file:
                    self.assertEqual(file.read(), whole)
        self.refuse("explain", "t.html", "-o", "u.html", "--json", "./u.html", "-q", says="named by --output and by --json")

    def test_pages_are_html(self):
        self.run_traced("t", *WAFER)
        self.refuse("explain", "t.pftrace", "-o", "t.svg", "-q", says="expected a name with .html")


class Lacking(Explain):
    def test_traces_that_leave_something_out_are_refused(self):
        for words, says in ((["--trace-cores", "0,0"], "1 of 4 cores or PEs are in it"),
                            (["--trace-level", "blocks"], "no core or PE is traced in full"),
                            (["--trace-window", "50000:60000"], "needs all cycles"),
                            (["--trace-limit", "100000"], "write it again with --trace FILE --trace-limit")):
            with self.subTest(words=words):
                self.gridloom("run", *PCG, "--trace", "t.pftrace", "-q", *words)
                self.refuse("explain", "t.pftrace", "-q", says=says)

    def test_bad_files_are_refused(self):
        self.run_traced("t", *PCG)
        with open(self.path("t.pftrace"), "rb") as file:
            whole = file.read()
        self.write("half.pftrace", whole[:len(whole) // 2])
        self.write("empty.pftrace", b"")
        self.write("foreign.pftrace", b"GIF89a" * 100)
        for name in ("half", "empty", "foreign", "absent"):
            with self.subTest(name=name):
                self.refuse("explain", f"{name}.pftrace", "-q", says=f"{name}.pftrace: ")
        self.refuse("explain", "t.json", "-q", says="there is no trace in it")
        self.refuse("explain", "-q", says="no run")


if __name__ == "__main__":
    unittest.main()
