"""The progress line: on a terminal only."""
import json
import os
import re
import time
import unittest

import gridloom
from gridloom import INTERRUPTED, STOPPED, kernel

BODY = "host.sleep(1e-3) host.progress(0.25)\n" + kernel("while true do core.delay(1) end")
LIMITS = ("1.2", "12", "120")
LIMIT = ["--limit-seconds", LIMITS[0]]

# A run that is over by then has no line.
SHORT_SECONDS = 0.2

# Commands that take minutes. long_trace() writes the trace.
LONG = {
    "traffic": ["--rate", "0.3", "--window", "1000000000"],
    "transfer": ["--pattern", "all-to-all", "--grid", "8x8", "--bytes", "8192", "--count",
                 "900"],
    "replay": ["long.json"],
}


class Progress(gridloom.Scenario):
    def show(self, *words, line, end="", **options):
        """The output up to a limit, which a slow machine may reach before it shows a line."""
        def attempt(seconds):
            shown, status = self.on_terminal(*words, "--limit-seconds", seconds, **options)

            self.assertEqual(status, STOPPED)
            self.assertRegex(shown, line)
            self.assertRegex(shown, r"(\r\x1b\[K|\n)gridloom: wall-clock limit of "
                             rf"{seconds} s reached[^\r\n]*{end}\r\n\Z")
            return shown
        return self.try_each(LIMITS, attempt)

    def test_a_long_run_shows_time_rate_percent_and_time_to_go(self):
        self.show("run", self.script(BODY),
                  line=r"\r\x1b\[Kscript: cycle [\d,]+, [\d.]+ m?s simulated, [\d.]+ [kMG]?events/s, 25 %, [\d.]+ m?s elapsed, ETA [\d.]+ m?s")

    def test_the_line_is_gone_when_the_watchdog_ends_the_run(self):
        script = self.script(BODY.replace("core.delay(1)", "if core.now() > 1100000 then "
                                          f"{gridloom.ENDLESS_MATCH} end core.delay(1)"))

        # If that is reached before there is a line, no line can disappear.
        self.show("run", script, line="wall-clock", end=r"inside a library call [^\r\n]*")

    def test_without_a_fraction_there_is_no_percent(self):
        shown = self.show("run", self.script(BODY.replace("host.progress(0.25)", "")),
                          line=r"\x1b\[Kscript: cycle [\d,]+, [\d.]+ m?s simulated, [\d.]+ [kMG]?events/s, [\d.]+ m?s elapsed\r")

        self.assertNotIn("%", shown)

    def test_the_line_gives_way_to_what_the_script_prints(self):
        self.show("run", self.script("""
            local word = 0
            while true do
                host.sleep(1e-6)
                word = word + 1
                if word % 20000 == 0 then print("printed") end
            end"""), "--livelock-cycles", "0", line=r"elapsed\r\x1b\[Kprinted\r\n")

    def test_a_wafer_shows_the_cycle_it_has_reached(self):
        script = self.write("wafer.lua", """
            local function layout(l)
                l:set_tile_code({ 0, 0, 7, 7 }, "p", function(pe)
                    local turn = pe:variable { name = "turn", value = 0 }
                    pe:bind_local_task(8, "again", function()
                        pe:add(turn, 1)
                        pe:activate(8)
                    end)
                    pe:activate(8)
                end)
            end
            return { summary = "turns", chips = { "wse" }, parameters = {}, run = function(host, p)
                host.wafer { columns = 8, rows = 8, layout = layout }:launch()
            end }""")

        self.show("run", script, line=r"wafer: cycle [\d,]{7,}, [\d.]+ [mu]?s simulated, .* elapsed\r")

    def test_a_comparison_shows_percent_and_elapsed_time(self):
        shown, status = self.on_terminal("compare", "dot", "--chips", "wormhole_n300", "rows=1",
                                         "cols=1", "tiles=1", "--timing-only")

        self.assertEqual(status, 0, shown)
        self.assertRegex(shown, r"\r\x1b\[Kcompare: 1 of 1, dot on wormhole_n300 *, 0 %, "
                                r"[\d.]+ [mun]?s elapsed\r\x1b\[K")

    def test_a_comparison_goes_on_counting_while_a_run_does(self):
        script = self.script("while true do host.sleep(1e-9) end")

        def attempt(seconds):
            shown, status = self.on_terminal("compare", script, "--chips", "wormhole_n300",
                                             "--limit-seconds", seconds)

            self.assertEqual(status, STOPPED, shown)
            self.assertGreater(len(set(re.findall(r"script on wormhole_n300 , 0 %, ([\d.]+ m?s) elapsed",
                                                  shown))), 2, shown)
        self.try_each(LIMITS, attempt)

    def test_commands_that_read_runs_show_which_one(self):
        self.succeed("run", "dot", "--chip", "wormhole_n300", "rows=1", "cols=1", "tiles=1", "--out", "out", "-q")
        result, path = self.read("out/result.json"), self.path("out/result.json")
        self.write("out.json", result)
        os.unlink(path)
        os.mkfifo(path)         # reading it takes until something is written

        def let_go():
            with open(path, "w", encoding="utf-8") as file:
                file.write(result)
        for command in (["report", "out", "-o", "r.html"], ["export", "out", "--to", "csv", "-o", "o.csv"],
                        ["plot", "timeline", "out", "-o", "t.svg"], ["diff", "out", "out.json"], ["roofline", "out", "-o", "r.svg"]):
            with self.subTest(command[0]):
                shown, status = self.on_terminal(*command, act=let_go)

                self.assertEqual(status, 0, shown)
                self.assertRegex(shown, rf"\r\x1b\[K{command[0]}: 1 of [12], (reading )?out, 0 %, "
                                        r"[\d.]+ m?s elapsed")
                self.assertNotRegex(shown, r"elapsed[^\r]*\Z")

    def test_a_survey_of_chains_shows_percent_and_time_to_go(self):
        def attempt(chains):
            shown, status = self.on_terminal("model", "chain", "--random-chains", chains)

            self.assertEqual(status, 0, shown)
            self.assertRegex(shown, r"\r\x1b\[Kmodel chain: 1 of 1, random chains, [1-9]\d? %, "
                                    r"[\d.]+ m?s elapsed, ETA [\d.]+ m?s\r")
        self.try_each(("1000", "10000"), attempt)

    def test_quiet_shows_no_line(self):
        shown, _ = self.on_terminal("run", self.script(BODY), *LIMIT, "-q")

        self.assertNotIn("simulated", shown)

    def test_a_pipe_gets_no_line(self):
        self.assertFails(STOPPED, ["wall-clock limit"], "run", self.script(BODY), *LIMIT)

    def long_trace(self):
        """A core that reads gigabytes from its neighbour."""
        events = [{"proc": "NCRISC", "noc": "NOC_0", "vc": -1, "sx": 1, "sy": 1, "dx": 2,
                   "dy": 2, "type": "READ", "num_bytes": 1 << 20, "timestamp": 100 + i}
                  for i in range(4000)]
        return self.write("long.json", json.dumps(events))

    def test_networks_show_simulated_time_and_rate(self):
        self.long_trace()
        for command, words in LONG.items():
            with self.subTest(command):
                self.show("noc", command, *words, end=r"stopped at cycle \d+",
                          line=rf"\r\x1b\[Knoc {command}( at 1 GHz)?: cycle [\d,]+, [\d.]+ [num]?s simulated, "
                               r"[\d.]+ [kMG]?events/s")

    def test_ctrl_c_ends_networks(self):
        self.long_trace()
        before = self.files()
        for command, words in LONG.items():
            with self.subTest(command):
                shown, status = self.on_terminal(
                    "noc", command, *words, "--json", "r.json", "--heatmap", "m.svg",
                    keys=b"\x03")

                self.assertEqual(status, INTERRUPTED)
                self.assertRegex(shown, r"\r\x1b\[Kgridloom: interrupted\r\n\Z")
                self.assertEqual(self.files(), before)

    def test_several_traces_show_percent_and_time_to_go(self):
        self.long_trace()
        self.write("short.json", json.dumps([{
            "proc": "NCRISC", "noc": "NOC_0", "vc": -1, "sx": 1, "sy": 1, "dx": 2, "dy": 2,
            "type": "READ", "num_bytes": 32, "timestamp": 100}]))

        self.show("noc", "replay", "short.json", "long.json",
                  line=r"events/s, 50 %, [\d.]+ m?s elapsed, ETA [\d.]+ m?s")

    def test_quiet_networks_show_no_line(self):
        self.long_trace()
        for command, words in LONG.items():
            with self.subTest(command):
                shown, _ = self.on_terminal("noc", command, *words, *LIMIT, "-q")

                self.assertNotIn("simulated", shown)

    def test_a_short_run_shows_no_line(self):
        script = self.script("host.sleep(1)")
        for _ in range(20):
            start = time.monotonic()
            shown, status = self.on_terminal("run", script)
            self.assertEqual(status, 0)
            if time.monotonic() - start < SHORT_SECONDS:
                self.assertNotIn("\x1b", shown)
                return
        self.skipTest("no run is short on this machine")


class Lines(gridloom.Scenario):
    """--progress FILE."""

    BODY = """host.progress(0.25)
        for i = 1, 4000000 do host.sleep(1e-6) if i == 2 then host.progress(0.5) end end"""

    def test_a_file_gets_lines_in_order(self):
        self.succeed("run", self.script("host.sleep(1e-3) host.progress(0.5) host.sleep(1e-3)"),
                     "-q", "--progress", "p")
        lines = [json.loads(line) for line in self.read("p").splitlines()]

        self.assertGreater(len(lines), 0)
        for earlier, later in zip(lines, lines[1:]):
            self.assertLessEqual(earlier["cycles"], later["cycles"])
            self.assertLessEqual(earlier.get("fraction", 0), later["fraction"])
        self.assertLessEqual(set(lines[-1]), {"cycles", "seconds", "fraction"})

    def test_a_run_ends_when_its_pipe_has_lost_the_reader(self):
        os.mkfifo(self.path("p"))
        pipe = os.open(self.path("p"), os.O_RDONLY | os.O_NONBLOCK)
        process = self.start("run", self.script(self.BODY), "-q", "--livelock-cycles", "0",
                             "--progress", "p", "--json", "r.json")
        os.set_blocking(pipe, True)
        self.assertIn("cycles", json.loads(os.read(pipe, 4096).splitlines()[0]))
        os.close(pipe)

        self.assertNotEqual(process.wait(gridloom.PATIENCE), 0)
        self.assertFalse(os.path.exists(self.path("r.json")))

    def test_what_cannot_be_told_is_refused_before_the_run(self):
        script = self.script("host.sleep(1)")
        os.mkfifo(self.path("p"))
        for says, *words in (("nobody reads this pipe", "p"), ("does not exist", "no/p"),
                             ("standard output cannot take it", "-"),
                             ("named by --json and by --progress", "r.json", "--json", "r.json")):
            with self.subTest(says):
                self.assertFails(gridloom.INPUT, [says], "run", script, "--progress", *words)


if __name__ == "__main__":
    unittest.main()
