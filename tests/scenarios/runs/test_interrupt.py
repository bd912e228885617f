"""Ctrl-C and a request to terminate, and nothing half-written."""
import signal
import subprocess
import unittest

import gridloom
from gridloom import ENDLESS_MATCH, INTERRUPTED, PATIENCE, kernel

ENDLESS = {
    "kernel": kernel("while true do core.delay(1000) end"),
    "host program": "while true do host.sleep(1e-9) end",
    "pattern match": ENDLESS_MATCH,
    "pattern match in a kernel": kernel(ENDLESS_MATCH),
    "loop": "while true do end",
    "loop that catches errors": "while true do pcall(error) end",
}


class Interrupt(gridloom.Scenario):
    def assertInterrupted(self, number, script):
        before = self.files()
        process = self.start("run", script, "--json", "r.json", "--out", "out",
                             "--system-trace", "t.paje", "--limit-steps", "1" + "0" * 15)

        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)

        self.assertEqual((process.returncode, out, err),
                         (INTERRUPTED, b"", b"gridloom: interrupted\n"))
        self.assertEqual(self.files(), before)

    def test_ctrl_c_ends_every_kind_of_endless_run(self):
        for name, body in ENDLESS.items():
            with self.subTest(name):
                self.assertInterrupted(signal.SIGINT, self.script(body))

    def test_requests_to_terminate_end_a_run_as_ctrl_c_does(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            for name in ("kernel", "pattern match"):
                with self.subTest(name, number=number):
                    self.assertInterrupted(number, self.script(ENDLESS[name]))

    def test_a_run_that_ignores_hangups_outlives_its_terminal(self):
        process = self.start(
            "run", self.script(ENDLESS["kernel"]),
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))

        process.send_signal(signal.SIGHUP)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.send_signal(signal.SIGTERM)

        self.assertEqual(process.wait(PATIENCE), INTERRUPTED)

    def test_ctrl_c_ends_a_script_that_never_finishes_loading(self):
        self.assertInterrupted(
            signal.SIGINT, self.script("", before="while true do end"))

    def test_a_result_from_before_stays_as_it_was(self):
        self.write("r.json", "old")
        self.write("t.paje", "old")

        self.assertInterrupted(signal.SIGINT, self.script(ENDLESS["kernel"]))


if __name__ == "__main__":
    unittest.main()
