"""gridloom report and gridloom run --report: pages of runs, and files that are not runs."""
import json
import os
import re
import unittest

import gridloom
from gridloom import INPUT, SMALL

HOSTILE = "</script><script>alert(1)</script>"


class Report(gridloom.Scenario):
    def data(self, name):
        """The data that a page carries."""
        found = re.findall(r'<script type="application/json" id="data">(.*)</script>',
                           self.read(name))
        self.assertEqual(len(found), 1)
        self.assertNotIn("<", found[0])
        return json.loads(found[0])

    def run_small(self, *words):
        return self.succeed("run", "transfer", *SMALL, *words)

    def test_a_folder_a_trace_and_a_result_are_runs(self):
        self.run_small("--out", "out", "--json", "one.json", "--trace", "one.pftrace")

        done = self.succeed("report", "out", "one.json", "one.pftrace", "-o", "page.html")

        runs = self.data("page.html")["runs"]
        self.assertRegex(done.stdout, r"^page.html: 3 runs, \d+ kB\n$")
        self.assertEqual([run["name"] for run in runs], ["out", "one.json", "one.pftrace"])
        self.assertEqual(["timeline" in run for run in runs], [False, False, True])
        for run in runs:
            self.assertTrue(run["is_whole"])
            self.assertEqual(run["result"]["workload"], "transfer")
            self.assertGreater(len(run["result"]["chip_parameters"]), 50)

    def test_run_writes_reports_and_leaves_no_trace_behind(self):
        self.environment["TMPDIR"] = self.path("scratch")
        os.mkdir(self.path("scratch"))

        done = self.run_small("--report", "page.html")

        self.assertIn("\nresult files: page.html\n", done.stdout)
        self.assertEqual(sorted(os.listdir(self.folder)), ["page.html", "scratch"])
        self.assertEqual(os.listdir(self.path("scratch")), [])
        run, = self.data("page.html")["runs"]
        self.assertIn("timeline", run)
        self.assertEqual(run["name"], "gridloom run transfer " + " ".join(SMALL))

    def test_a_trace_that_stopped_says_so(self):
        done = self.gridloom("run", "vecadd", "-q", "--report", "page.html",
                             "--trace-limit", "5000")

        run, = self.data("page.html")["runs"]
        self.assertRegex(done.stderr, "^gridloom: trace of --report: its limit is reached")
        self.assertRegex(run["timeline"]["warning"],
                         r"^trace: .*missing, its limit was reached$")

    def test_out_has_the_report_of_its_trace(self):
        self.run_small("--out", "out")
        self.succeed("report", "out", "-o", "page.html", "-q")

        ours, = self.data("out/report.html")["runs"]
        theirs, = self.data("page.html")["runs"]
        self.assertEqual(ours["timeline"], theirs["timeline"])
        self.assertEqual(ours["result"], theirs["result"])

    def test_no_trace_leaves_the_timeline_out(self):
        self.run_small("--no-trace", "--report", "page.html", "--out", "out")

        run, = self.data("page.html")["runs"]
        self.assertNotIn("timeline", run)
        self.assertNotIn("report.html", os.listdir(self.path("out")))

    def test_a_page_stands_alone(self):
        self.run_small("--report", "page.html")
        page = self.read("page.html")

        self.assertNotRegex(page, r'<(script|img|iframe)[^>]*\ssrc=')
        self.assertEqual(re.findall(r'<link[^>]*href="([^"]*)"', page), ["data:,"])
        self.assertNotRegex(page, r"@import|url\(\s*['\"]?http")
        self.assertIn("Mike Bostock", page)
        self.assertIn("Redistribution and use in source and binary forms", page)

    def test_names_full_of_html_stay_text(self):
        self.run_small("--json", "one.json")
        result = json.loads(self.read("one.json"))
        result["workload"] = result["chip"] = HOSTILE
        result["parameters"] = {HOSTILE: HOSTILE}
        name = self.write("hostile.json", json.dumps(result))

        self.succeed("report", name, "-o", "page.html", "-q")

        self.assertNotIn(HOSTILE, self.read("page.html"))
        run, = self.data("page.html")["runs"]
        self.assertEqual(run["result"]["parameters"], {HOSTILE: HOSTILE})

    def test_numbers_survive(self):
        self.run_small("--json", "one.json")
        result = json.loads(self.read("one.json"))
        result["metrics"].update(tiny=1e-8, large=1.7e308, count=2**62, none=None)
        name = self.write("numbers.json", json.dumps(result))

        self.succeed("report", name, "-o", "page.html", "-q")

        self.assertEqual(self.data("page.html")["runs"][0]["result"], result)

    def test_what_is_no_run_is_named(self):
        os.mkdir(self.path("empty"))
        self.run_small("--json", "one.json")
        newer = dict(json.loads(self.read("one.json")), schema_version=99)
        for name, text, says in (
                ("missing.json", None, ["missing.json", "No such file"]),
                ("empty", None, ["empty", "neither result.json nor trace.pftrace"]),
                ("nothing.pftrace", b"", ["nothing.pftrace"]),
                ("noise.pftrace", bytes(range(1, 200)) * 50, ["noise.pftrace"]),
                ("broken.json", '{"schema_version": 1', ["broken.json"]),
                ("other.json", '{"a": 1}', ["other.json", "no schema_version"]),
                ("list.json", "[1, 2]", ["list.json", "no result of gridloom"]),
                ("deep.json", "[" * 1000000, ["deep.json", "too deep"]),
                ("newer.json", json.dumps(newer), ["newer.json", "newer gridloom"])):
            with self.subTest(name):
                if text is not None:
                    self.write(name, text)
                self.assertFails(INPUT, says, "report", name, "-o", "page.html")

    def test_runs_are_not_replaced_by_what_is_made_of_them(self):
        self.run_small("--out", "out", "--json", "r.json", "--trace", "t.pftrace")
        self.run_small("--out", "folder")
        os.symlink("t.pftrace", self.path("link"))

        for run, output in (("t.pftrace", "t.pftrace"), ("link", "./t.pftrace"),
                            ("r.json", "r.json"), ("folder", "folder/trace.pftrace"),
                            ("folder", "folder/result.json")):
            says = [f"{output}: cannot be written, it is what is read"]
            self.assertFails(INPUT, says, "report", "out", run, "-o", output)
            self.assertFails(INPUT, says, "export", run, "--to", "csv", "-o", output)

    def test_a_folder_with_the_trace_of_an_earlier_run_is_refused(self):
        self.run_small("--out", "out")
        self.run_small("--out", "out", "--no-trace")
        self.succeed("report", "out", "-o", "same.html")
        self.run_small("--out", "out", "--no-trace", "--seed", "2")

        self.assertFails(INPUT, ["out: ", "of two runs"], "report", "out", "-o", "page.html")
        self.assertFails(INPUT, ["out: ", "of two runs"], "export", "out", "--to", "csv")

    def test_words_that_are_wrong(self):
        self.run_small("--json", "one.json")
        for says, words in (
                (["report: no run"], ["-o", "page.html"]),
                (["report: no page", "-o FILE.html"], ["one.json"]),
                (["at most 16"], ["one.json"] * 17 + ["-o", "page.html"]),
                (["nowhere/page.html", "folder does not exist"],
                 ["one.json", "-o", "nowhere/page.html"])):
            self.assertFails(INPUT, says, "report", *words)
        for says, words in (
                (["--report", "standard output"], ["--report", "-"]),
                (["named by --json and by --report"], ["--json", "a", "--report", "a"]),
                (["named by --trace and by --report"], ["--trace", "a", "--report", "a"]),
                (["x/page.html", "folder does not exist"], ["--report", "x/page.html"]),
                (["--trace-level", "no trace is written"],
                 ["--report", "a", "--no-trace", "--trace-level", "full"])):
            self.assertFails(INPUT, says, "run", "transfer", *SMALL, *words)


if __name__ == "__main__":
    unittest.main()
