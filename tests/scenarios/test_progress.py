"""The progress line: on a terminal only."""
import json
import unittest

import gridloom
from gridloom import INTERRUPTED, STOPPED, kernel

BODY = "host.sleep(1e-3) host.progress(0.25)\n" + kernel("while true do core.delay(1) end")
LIMIT = ["--limit-seconds", "1.2"]

# Commands that take minutes. The trace is one that long_trace() writes.
LONG = {
    "traffic": ["--rate", "0.3", "--window", "1000000000"],
    "transfer": ["--pattern", "all-to-all", "--grid", "8x8", "--bytes", "8192", "--count",
                 "900"],
    "replay": ["long.json"],
}


class Progress(gridloom.Scenario):
    def test_a_long_run_shows_time_rate_percent_and_time_to_go(self):
        shown, status = self.on_terminal("run", self.script(BODY), *LIMIT)

        self.assertEqual(status, STOPPED)
        self.assertRegex(
            shown, r"\r\x1b\[Kscript: [\d.]+ ms simulated, [\d.]+ [kM]?events/s, 25 %, "
            r"ETA [\d.]+ s")

    def test_the_line_is_gone_when_the_run_ends(self):
        shown, _ = self.on_terminal("run", self.script(BODY), *LIMIT)

        self.assertRegex(shown, r"\r\x1b\[Kgridloom: wall-clock limit [^\r\n]*\r\n\Z")

    def test_the_line_is_gone_when_the_watchdog_ends_the_run(self):
        script = self.script(BODY.replace("core.delay(1)", "if core.now() > 1100000 then "
                                          f"{gridloom.ENDLESS_MATCH} end core.delay(1)"))

        shown, _ = self.on_terminal("run", script, *LIMIT)

        self.assertRegex(shown, r"\r\x1b\[Kgridloom: wall-clock limit [^\r\n]*\r\n\Z")

    def test_without_a_fraction_there_is_no_percent(self):
        shown, _ = self.on_terminal(
            "run", self.script(BODY.replace("host.progress(0.25)", "")), *LIMIT)

        self.assertRegex(shown, r"\x1b\[Kscript: [\d.]+ ms simulated, [\d.]+ [kM]?events/s\r")
        self.assertNotIn("%", shown)

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
                shown, status = self.on_terminal("noc", command, *words, *LIMIT)

                self.assertEqual(status, STOPPED)
                self.assertRegex(shown, rf"\r\x1b\[Knoc {command}( at 1 GHz)?: "
                                 r"[\d.]+ [um]?s simulated, [\d.]+ [kM]?events/s")
                self.assertRegex(
                    shown, r"\r\x1b\[Kgridloom: wall-clock limit of 1.2 s reached: "
                    r"[^\r\n]*stopped at cycle \d+\r\n\Z")

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

        shown, _ = self.on_terminal("noc", "replay", "short.json", "long.json", *LIMIT)

        self.assertRegex(shown, r"events/s, 50 %, ETA [\d.]+ m?s")

    def test_quiet_networks_show_no_line(self):
        self.long_trace()
        for command, words in LONG.items():
            with self.subTest(command):
                shown, _ = self.on_terminal("noc", command, *words, *LIMIT, "-q")

                self.assertNotIn("simulated", shown)

    def test_a_short_run_shows_no_line(self):
        shown, status = self.on_terminal("run", self.script("host.sleep(1)"))

        self.assertEqual(status, 0)
        self.assertNotIn("\x1b", shown)


if __name__ == "__main__":
    unittest.main()
