"""The progress line: on a terminal only."""
import os
import pty
import unittest

import gridloom
from gridloom import STOPPED, kernel

BODY = "host.sleep(1e-3) host.progress(0.25)\n" + kernel("while true do core.delay(1) end")
LIMIT = ["--limit-seconds", "1.2"]


class Progress(gridloom.Scenario):
    def on_terminal(self, *words):
        """What the program shows on a terminal, and its exit code."""
        master, slave = pty.openpty()
        process = self.start(*words, after_seconds=0, stdout=slave, stderr=slave)
        os.close(slave)
        shown = b""
        try:
            while data := os.read(master, 65536):
                shown += data
        except OSError:  # how Linux says that nobody has it open any more
            pass
        os.close(master)
        return shown.decode(), process.wait()

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

    def test_a_short_run_shows_no_line(self):
        shown, status = self.on_terminal("run", self.script("host.sleep(1)"))

        self.assertEqual(status, 0)
        self.assertNotIn("\x1b", shown)


if __name__ == "__main__":
    unittest.main()
