"""Ctrl-C and a request to terminate, and nothing half-written."""
import ctypes
import os
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


def watchdog_of(pid):
    """The thread of a process that watches its script; None before it has started."""
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/comm", encoding="utf-8") as file:
            if file.read() == "watchdog\n":
                return int(thread)
    return None


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

    def test_ctrl_c_ends_a_command_that_looks_at_a_script(self):
        """Whichever thread gets it: while a thread starts, the first takes no signals."""
        looked_at = self.script("", before="while true do end")
        for words in (("describe", looked_at), ("tune", looked_at, "--window", "x")):
            with self.subTest(words[0]):
                process = self.start(*words, after_seconds=0)
                while watchdog_of(process.pid) is None:
                    self.assertIsNone(process.poll())
                ctypes.CDLL(None).tgkill(process.pid, watchdog_of(process.pid), signal.SIGINT)

                self.assertEqual(
                    (*process.communicate(timeout=PATIENCE), process.returncode),
                    (b"", b"gridloom: interrupted\n", INTERRUPTED))

    def test_a_result_from_before_stays_as_it_was(self):
        self.write("r.json", "old")
        self.write("t.paje", "old")

        self.assertInterrupted(signal.SIGINT, self.script(ENDLESS["kernel"]))


if __name__ == "__main__":
    unittest.main()
