"""Files that programs write: whole or not at all, whoever else writes there, and whatever ends
them."""
import json
import os
import resource
import signal
import subprocess
import time
import unittest

import gridloom
from gridloom import INPUT, INTERRUPTED, PATIENCE, SMALL, kernel

RUN = ["run", "transfer", *SMALL, "-q"]
ENDLESS = kernel("while true do core.delay(1000) end")
FULL = "No space left on device"
# Options of a run that write a file, with an ending that they accept.
OPTIONS = {"--json": "json", "--trace": "pftrace", "--system-trace": "paje", "--report": "html"}


def small_files():
    """A process may write 4 KiB into a file."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


class Outputs(gridloom.Scenario):
    def drafts(self):
        return [name for name in os.listdir(self.folder) if name.startswith(".gridloom-")]


class Full(Outputs):
    """No room is an error, and what was there stays."""

    def test_every_file_of_a_run_is_checked(self):
        for option, ending in OPTIONS.items():
            for old in (None, "old"):
                with self.subTest(option, old=old):
                    name = f"{old}.{ending}"
                    if old is not None:
                        self.write(name, old)
                    # The first file of a report is a trace.
                    shown = name if option != "--report" else "trace of --report"
                    self.assertFails(INPUT, [shown, "cannot be written, File too large"], *RUN, option,
                                     name, preexec_fn=small_files)

    def test_devices_are_checked(self):
        for option in OPTIONS:
            with self.subTest(option):
                self.assertFails(INPUT, [f"/dev/full: cannot be written, {FULL}"], *RUN, option, "/dev/full")

    def test_standard_output_is_checked(self):
        for words in ([*RUN, "--json", "-"], ["run", "transfer", *SMALL], ["describe", "wse2"], ["chips"],
                      ["help"], ["describe", "wse2", "--json", "/dev/stdout"]):
            with self.subTest(words), open("/dev/full", "wb") as full:
                done = self.gridloom(*words, stdout=full)
                self.assertEqual(done.returncode, INPUT)
                self.assertRegex(done.stderr, r"\Agridloom: [^\n]*cannot be written, [^\n]*\n\Z")

    def test_nothing_is_printed_into_a_file_where_standard_output_is_closed(self):
        done = self.gridloom("run", "transfer", *SMALL, "--json", "r.json", stdout=None,
                             preexec_fn=lambda: os.close(1))

        self.assertEqual((done.returncode, done.stderr), (
            INPUT, "gridloom: standard output cannot be written, Bad file descriptor\n"))
        self.assertEqual(json.loads(self.read("r.json"))["workload"], "transfer")
        self.succeed(*RUN, "--json", "r.json", stdout=None, preexec_fn=lambda: os.close(1))


class Shared(Outputs):
    """Others have files there."""

    def test_two_runs_write_one_file_one_after_the_other(self):
        runs = [self.start(*RUN, "--trace", "t.pftrace", "--system-trace", "t.paje", "--json", "r.json",
                           after_seconds=0) for _ in range(3)]
        for run in runs:
            self.assertEqual(run.communicate(timeout=PATIENCE), (b"", b""))
        self.succeed(*RUN, "--trace", "u.pftrace", "--system-trace", "u.paje", "--json", "r.json")

        found = self.files()
        self.assertEqual(found[self.path("t.pftrace")], found[self.path("u.pftrace")])
        self.assertEqual(found[self.path("t.paje")], found[self.path("u.paje")])
        self.assertEqual(len(found), 5)

    def test_a_link_with_a_likely_name_leads_nowhere(self):
        self.write("victim", "precious")
        for option, ending in OPTIONS.items():
            for more in ("partial", "tmp", "part"):
                os.symlink("victim", self.path(f"f.{ending}.{more}"))
            self.succeed(*RUN, option, f"f.{ending}")

        self.assertEqual(self.read("victim"), "precious")

    def test_a_link_stays_and_its_file_is_made_or_replaced(self):
        os.mkdir(self.path("there"))
        for option, ending in OPTIONS.items():
            with self.subTest(option):
                os.symlink(f"there/new.{ending}", self.path(f"f.{ending}"))
                for _ in range(2):
                    self.succeed(*RUN, option, f"f.{ending}")
                    self.assertTrue(os.path.islink(self.path(f"f.{ending}")))
                    self.assertGreater(os.path.getsize(self.path(f"there/new.{ending}")), 1000)

    def test_a_file_keeps_its_permissions(self):
        os.umask(0o022)
        self.write("r.json", "old")
        os.chmod(self.path("r.json"), 0o640)
        self.succeed(*RUN, "--json", "r.json", "--trace", "t.pftrace")

        self.assertEqual(os.stat(self.path("r.json")).st_mode & 0o777, 0o640)
        self.assertEqual(os.stat(self.path("t.pftrace")).st_mode & 0o777, 0o644)

    def test_standard_output_by_its_name_is_written_to(self):
        with open(self.path("out.txt"), "wb") as file:
            self.gridloom(*RUN, "--json", "/dev/stdout", stdout=file)

        self.assertEqual(json.loads(self.read("out.txt"))["workload"], "transfer")


class Ended(Outputs):
    """Processes that do not come to their end."""

    def start_endless(self):
        """A run that does not end, and its two drafts."""
        before = set(self.drafts())
        process = self.start("run", self.script(ENDLESS), "--trace", "t.pftrace", "--system-trace",
                             "t.paje", when=lambda: len(self.drafts()) == len(before) + 2)
        return process, set(self.drafts()) - before

    def test_what_a_kill_leaves_is_swept_by_the_next_run(self):
        living, its_drafts = self.start_endless()
        killed, drafts = self.start_endless()
        killed.kill()
        killed.wait(PATIENCE)
        self.assertEqual(set(self.drafts()), its_drafts | drafts)

        self.succeed(*RUN, "--json", "r.json")

        self.assertEqual(set(self.drafts()), its_drafts)
        living.send_signal(signal.SIGTERM)
        self.assertEqual(living.wait(PATIENCE), INTERRUPTED)
        self.assertEqual(self.drafts(), [])

    def test_nothing_lies_among_temporary_files(self):
        os.mkdir(self.path("tmp"))
        self.environment["TMPDIR"] = self.path("tmp")
        process = self.start("run", self.script(ENDLESS), "--report", "r.html", "--system", "n300")
        process.kill()
        process.wait(PATIENCE)

        self.assertEqual(os.listdir(self.path("tmp")), [])
        self.succeed(*RUN, "--report", "r.html", "--system", "n300")
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_commands_without_a_watchdog_are_interrupted_alike(self):
        os.mkfifo(self.path("pipe"))  # which nobody reads
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start("describe", "wse2", "--json", "pipe", after_seconds=0)
            while not self.handles(process, number):
                time.sleep(0.01)
            process.send_signal(number)
            self.assertEqual(process.communicate(timeout=PATIENCE), (b"", b"gridloom: interrupted\n"))
            self.assertEqual(process.returncode, INTERRUPTED)

    @staticmethod
    def handles(process, number):
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
            masks = dict(line.split(":", 1) for line in file)
        return int(masks["SigCgt"], 16) >> (number - 1) & 1 == 1

    def test_a_pipe_that_nobody_reads_ends_a_command_as_others(self):
        process = subprocess.Popen([gridloom.PROGRAM, "describe", "wse2"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdout.close()

        self.assertEqual(process.wait(PATIENCE), -signal.SIGPIPE)
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()


if __name__ == "__main__":
    unittest.main()
