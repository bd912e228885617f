"""gridloom sweep: many runs into one database, and refusals."""
import json
import os
import resource
import signal
import sqlite3
import subprocess
import unittest

import gridloom
import sweeps
from gridloom import CHECK, DONE, INPUT, INTERRUPTED, PATIENCE, STOPPED
from sweeps import sweep

ONE = '{ name = "us", values = { 1, 2, 3 } }'


class Sweep(sweeps.Sweeps):
    def sweep(self, *words, status=DONE, says=""):
        """Standard output; `says` is in its complaints."""
        done = self.gridloom("sweep", "s.lua", *words)
        self.assertEqual((done.returncode, sweeps.complaints(done.stderr)), (status, says))
        return done.stdout

    def alone(self, *words):
        """The JSON object of a run whose script may print."""
        return json.loads(self.gridloom("run", *words, "--json", "-").stdout)

    def test_a_row_for_each_run_has_parameters_and_what_is_recorded(self):
        self.write("s.lua", sweep(
            '{ name = "us", values = { 5, 7 } }, { name = "chip", values = { "wormhole_n300", "wse2" } }',
            'record = { "seconds", "chip_digest", twice = "2*metrics.words" }'))
        self.sweep()

        rows = self.named("run", "status", "error", "us", "chip", "seconds", "twice")
        self.assertEqual([row[:5] for row in rows],
                         [(1, "done", None, 5, "wormhole_n300"), (2, "done", None, 5, "wse2"),
                          (3, "done", None, 7, "wormhole_n300"), (4, "done", None, 7, "wse2")])
        for row in rows:
            self.assertAlmostEqual(row[5], row[3] * 1e-6, delta=1e-12)
            self.assertEqual(row[6], 6 * row[3])
        digests = [row[0] for row in self.named("chip_digest")]
        self.assertEqual(digests[:2], digests[2:])
        self.assertNotEqual(digests[0], digests[1])

    def test_numbers_are_those_of_a_single_run(self):
        self.write("s.lua", sweep(
            '{ name = "noc.hop_cycles", values = { 9, 11 } }, { name = "tiles", values = { 1, 3 } },'
            '{ name = "seed", values = { 2 } }',
            'fixed = { rows = 2, cols = 2 }, record = { "seconds", "cycles" }').replace("timed.lua", "dot"))
        self.sweep()

        for hop, tiles, seconds, cycles in self.named("noc.hop_cycles", "tiles", "seconds", "cycles"):
            alone = self.alone("dot", "rows=2", "cols=2", f"tiles={tiles}", "--seed", "2",
                                "--set", f"noc.hop_cycles={hop}")
            self.assertEqual((seconds, cycles), (alone["seconds"], alone["cycles"]))
        self.assertEqual(len(set(self.named("cycles"))), 4)

    def test_the_table_is_the_same_for_any_number_of_jobs(self):
        self.write("s.lua", sweep(
            '{ name = "us", from = 1, to = 9000 }, { name = "mode", values = { "right", "wrong", "refuse" } }',
            'combine = "latin", samples = 30, seed = 3, record = { "seconds", "metrics.words" }'))
        self.gridloom("sweep", "s.lua", "--jobs", "1")
        self.gridloom("sweep", "s.lua", "--jobs", "5", "--db", "other.sqlite")

        self.assertEqual(self.dump(), self.dump("other.sqlite"))
        self.assertEqual(sorted(set(self.named("status"))), [("done",), ("failed",)])

    def test_a_run_that_fails_has_its_line_and_stops_nothing(self):
        self.write("s.lua", sweep('{ name = "mode", values = { "refuse", "wrong", "right", "endless" } }',
                                  'record = { "seconds" }'))
        def attempt(seconds):
            """Attempts that end by themselves do not take so long."""
            text = self.sweep("--limit-seconds", seconds, "--db", f"{seconds}.sqlite", status=CHECK)
            rows = self.named("status", "error", "seconds", database=f"{seconds}.sqlite")
            self.assertEqual([row[0] for row in rows], ["failed", "failed", "done", "failed"])
            self.assertIn(f"{seconds}.sqlite: 4 runs, 1 done, 3 failed, 0 lost\n", text)
            self.assertIn("not today", rows[0][1])
            return rows
        rows = self.try_each(("2", "20", "200"), attempt)

        self.assertIn("check failed, max error 2 above tolerance 1", rows[1][1])
        self.assertIn("limit", rows[3][1])
        self.assertEqual([row[2] is None for row in rows], [True, True, False, True])

    def test_what_is_there_is_not_run_again(self):
        self.write("s.lua", sweep('{ name = "mode", values = { "refuse", "right" } }'))
        self.sweep(status=CHECK)
        times = self.rows("SELECT * FROM timing")

        text = self.sweep(status=CHECK)
        self.assertEqual(text, "s.sqlite: 2 runs, 1 done, 1 failed, 0 lost\n")
        self.assertEqual(self.rows("SELECT * FROM timing"), times)

        base = sqlite3.connect(self.path("s.sqlite"))
        base.execute("UPDATE timing SET worker = 'before'")
        base.commit()
        base.close()
        self.sweep("--retry-failed", status=CHECK)
        self.assertEqual([row[0] == "before" for row in self.rows("SELECT worker FROM timing ORDER BY run")],
                         [False, True])

    def crash_and_kill(self, work):
        self.write("s.lua", sweep('{ name = "us", values = { 1, 2, 3, 4 } }', f"fixed = {{ work = {work} }}"))
        process = self.start("sweep", "s.lua", "--jobs", "2", after_seconds=0)

        found = []

        def has_two_runs():
            """Dry runs are over once there is a table."""
            is_begun = self.rows("SELECT count(*) FROM runs") != []
            names = sweeps.processes_of(os.path.realpath(self.folder))
            found[:] = sorted(pid for pid, (name, _) in names.items() if name == "gridloom-run")
            return process.poll() is not None or (is_begun and len(found) == 2)
        self.assertTrue(sweeps.wait_until(has_two_runs))
        if process.poll() is not None:
            raise sweeps.Over
        crashed, killed = found
        sweeps.kill(crashed, signal.SIGABRT)  # sanitizers turn others into exit codes
        sweeps.kill(killed)
        out, err = process.communicate(timeout=PATIENCE)
        if process.returncode == DONE:
            raise sweeps.Over
        return process.returncode, out, sweeps.complaints(err.decode())

    def test_a_run_that_crashes_failed_and_one_that_is_killed_is_tried_again(self):
        status, out, err = self.in_time(self.crash_and_kill)

        self.assertEqual((status, err), (CHECK, ""), out)
        self.assertEqual(sorted(self.named("status", "error"), key=str),
                         [("done", None)] * 3 + [("failed", "the run was ended by signal 6")])

    def test_a_metric_that_runs_do_not_have_is_told_of_once(self):
        self.write("s.lua", sweep('{ name = "mode", values = { "right", "sometimes" } }, { name = "us", values = { 1, 2 } }',
                                  'record = { "seconds", "metrics.extra" }'))
        self.sweep("--jobs", "1", says="gridloom: run 1 has no metrics.extra; its cell stays empty\n")

        self.assertEqual(self.named("status", "metrics.extra"),
                         [("done", None), ("done", None), ("done", 1), ("done", 1)])

    def interrupt(self, work):
        """The sweep's output when it is interrupted."""
        self.write("s.lua", sweep('{ name = "us", from = 1, to = 16, step = 1 }', f"fixed = {{ work = {work} }}"))
        process = self.start("sweep", "s.lua", "--jobs", "2", after_seconds=0)
        self.assertTrue(sweeps.wait_until(lambda: len(self.rows()) >= 2))

        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        if process.returncode == DONE:
            raise sweeps.Over
        self.assertEqual((process.returncode, out), (INTERRUPTED, b""))
        return sweeps.complaints(err.decode())

    def test_ctrl_c_stops_it_and_it_goes_on_later(self):
        err = self.in_time(self.interrupt)

        self.assertRegex(err, r"^gridloom: s.sqlite: stopped; \d+ of 16 runs are in it, "
                              r"start it again to go on\n$")
        before = self.rows("SELECT * FROM timing")
        self.assertLess(len(before), 16)
        self.sweep()
        self.assertEqual(self.named("status"), [("done",)] * 16)
        self.assertLessEqual(set(before), set(self.rows("SELECT * FROM timing")))

    def test_a_sweep_that_ignores_hangups_outlives_its_terminal(self):
        self.write("s.lua", sweep('{ name = "us", from = 1, to = 6, step = 1 }', "fixed = { work = 5000000 }"))
        process = self.start("sweep", "s.lua", "-q", after_seconds=0,
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.assertTrue(sweeps.wait_until(lambda: len(self.rows()) >= 1))
        process.send_signal(signal.SIGHUP)

        self.assertEqual(process.wait(PATIENCE), DONE)

    def test_a_dry_run_shows_the_first_runs_and_makes_no_file(self):
        self.write("s.lua", sweep('{ name = "us", from = 1, to = 1000, step = 1 }, '
                                  '{ name = "threads", values = { 1, 2 } }', "timing_only = true"))
        before = self.files()

        text = self.sweep("--dry-run")

        self.assertEqual(text.splitlines(),
                         ["a sweep: 2,000 runs; everything is in order, nothing was run",
                          "  us: 1000 values", "  threads: 2 values",
                          *(f"gridloom run timed.lua us={us} --threads={threads} --timing-only"
                            for us, threads in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1))), "..."])
        self.assertEqual(self.files(), before)

    def test_a_dry_runs_line_can_be_typed(self):
        self.write("s.lua", sweep(ONE))
        line = self.sweep("--dry-run").splitlines()[2]

        self.assertEqual(line.split()[0], "gridloom")
        self.succeed(*line.split()[1:])

    def test_the_result_as_json_says_how_much_time_was_inside_runs(self):
        self.write("s.lua", sweep(ONE))
        result = json.loads(self.sweep("--json", "-", "--jobs", "2"))

        self.assertEqual({key: result[key] for key in ("runs", "done", "failed", "lost", "script", "database")},
                         {"runs": 3, "done": 3, "failed": 0, "lost": 0,
                          "script": "timed.lua", "database": "s.sqlite"})
        host = result["host"]
        self.assertEqual((host["runs"], host["jobs"], host["ranks"]), (3, 2, 1))
        self.assertLess(host["work_seconds"], host["wall_seconds"])
        self.assertLess(host["run_seconds"], 2 * host["work_seconds"])

    def test_quiet_says_nothing(self):
        self.write("s.lua", sweep(ONE))
        self.assertEqual(self.sweep("-q"), "")

    def test_the_progress_line_has_rate_and_time_to_go(self):
        def attempt(work):
            self.write("s.lua", sweep('{ name = "us", from = 1, to = 12, step = 1 }', f"fixed = {{ work = {work} }}"))
            shown, status = self.on_terminal("sweep", "s.lua", "--jobs", "2", "--db", f"{work}.sqlite")

            self.assertEqual(status, DONE)
            self.assertRegex(shown, r"sweep: \d+ of 12, \d+ done, 0 failed, 0 lost, [\d.e+]+/s, \d+ %, [\d.]+ m?s elapsed, ETA [\d.]+ m?s")
        self.try_each(sweeps.WORK, attempt)  # so that there is time for a line

    def test_a_database_of_another_sweep_is_refused(self):
        self.write("s.lua", sweep(ONE))
        self.sweep()
        other = self.write("other.lua", sweep('{ name = "us", values = { 1, 2 } }').replace("a sweep", "another"))

        self.assertFails(INPUT, ["s.sqlite: holds another sweep, 'a sweep', or this one before its file changed; "
                                 "give another file with --db"], "sweep", other, "--db", "s.sqlite")

    def test_a_database_of_something_else_is_refused_and_left_alone(self):
        self.write("s.lua", sweep(ONE))
        self.write("text.sqlite", "no database at all, but a text of some length\n" * 50)
        base = sqlite3.connect(self.path("alien.sqlite"))
        base.execute("CREATE TABLE runs(run)")
        base.commit()
        base.close()

        for name in ("text.sqlite", "alien.sqlite"):
            self.assertFails(INPUT, [f"{name}: is no database of a sweep"], "sweep", "s.lua", "--db", name)

    def test_a_script_that_has_changed_gives_no_more_runs(self):
        self.write("s.lua", sweep('{ name = "mode", values = { "right", "refuse" } }'))
        self.sweep(status=CHECK)
        self.write("timed.lua", sweeps.SCRIPT + "\n")

        self.sweep(status=CHECK, says="gridloom: s.sqlite: its runs are from before timed.lua changed\n")
        self.assertFails(INPUT, ["s.sqlite: its runs are from before timed.lua changed, new ones would not go with them"],
                         "sweep", "s.lua", "--retry-failed")

    def write_twice(self, work):
        """The second one's complaint when two sweeps write the same database."""
        self.write("s.lua", sweep('{ name = "us", from = 1, to = 40, step = 1 }', f"fixed = {{ work = {work} }}"))
        process = self.start("sweep", "s.lua", "--jobs", "1", after_seconds=0)
        self.assertTrue(sweeps.wait_until(lambda: len(self.rows()) >= 1))

        done = self.gridloom("sweep", "s.lua")
        if process.poll() is not None:
            raise sweeps.Over
        return done.returncode, done.stdout, done.stderr

    def test_a_database_is_written_by_one_at_a_time(self):
        self.assertEqual(self.in_time(self.write_twice),
                         (INPUT, "", "gridloom: s.sqlite: another gridloom sweep is writing it\n"))

    def test_a_database_that_cannot_be_written_is_refused(self):
        self.write("s.lua", sweep(ONE))
        os.mkdir(self.path("folder"))

        for name in ("nowhere/s.sqlite", "folder", "s.lua/s.sqlite"):
            self.assertFails(INPUT, [name, "cannot be written"], "sweep", "s.lua", "--db", name)

    def test_a_database_is_a_file_whatever_it_is_called(self):
        self.write("s.lua", sweep(ONE))

        for name in (":memory:", "file:s.sqlite?mode=ro", "o'dd %s \"name\".sqlite"):
            self.sweep("--db", name)
            self.assertEqual(self.named("us", database=name), [(1,), (2,), (3,)])

    def test_a_full_disk_stops_it_cleanly_and_it_goes_on_later(self):
        self.write("s.lua", sweep('{ name = "us", from = 1, to = 100, step = 1 }',
                                  'record = { "seconds", "chip_digest", "metrics.words" }'))

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (128 << 10, 128 << 10))
        done = self.gridloom("sweep", "s.lua", preexec_fn=limit)

        self.assertEqual((done.returncode, done.stdout), (INPUT, ""))
        self.assertRegex(sweeps.complaints(done.stderr), r"^gridloom: s.sqlite: cannot be written, .*; \d+ of 100 runs are in it, "
                                      r"start it again to go on\n$")
        before = self.rows("SELECT * FROM timing")
        self.assertGreater(len(before), 0)
        self.assertLess(len(before), 100)
        self.sweep()
        self.assertEqual(self.named("status"), [("done",)] * 100)
        self.assertLessEqual(set(before), set(self.rows("SELECT * FROM timing")))

    def remove(self, work):
        """The sweep's complaint when its database is gone."""
        self.write("s.lua", sweep('{ name = "us", from = 1, to = 300, step = 1 }', f"fixed = {{ work = {work} }}"))
        process = self.start("sweep", "s.lua", "--jobs", "2", after_seconds=0)
        self.assertTrue(sweeps.wait_until(self.rows))

        os.remove(self.path("s.sqlite"))
        out, err = process.communicate(timeout=PATIENCE)
        if process.returncode == DONE:
            raise sweeps.Over
        return process.returncode, out, sweeps.complaints(err.decode())

    def test_a_database_that_is_removed_stops_it(self):
        self.assertEqual(self.in_time(self.remove),
                         (INPUT, b"", "gridloom: s.sqlite: somebody has removed or replaced it\n"))

    def test_very_many_runs_want_a_yes(self):
        self.write("s.lua", sweep('{ name = "us", from = 1, to = 1000, step = 1 }, '
                                  '{ name = "seed", from = 1, to = 1000, step = 1 }'))

        self.assertFails(INPUT, ["s.lua: 1,000,000 runs, more than 100000 are done with --yes only"], "sweep", "s.lua")
        self.assertIn("1,000,000 runs", self.sweep("--dry-run"))

    def test_unknown_names_and_values_are_found_before_anything_runs(self):
        for axes, more, says in (
                ('{ name = "su", values = { 1 } }', "", "run 1 (su=1): timed on tensix: no parameter 'su'; known: us, work, mode"),
                ('{ name = "us", values = { 1, 2, 0 } }', "", "run 3 (us=0): timed on tensix: us = 0"),
                ('{ name = "noc.hops", values = { 1 } }', "", "noc.hops"),
                ('{ name = "us", values = { 1 } }', 'fixed = { ["no.such"] = 1 }', "no.such"),
                ('{ name = "us", values = { 1 } }', 'chip = "wormhole"', "wormhole: no such chip"),
                ('{ name = "chip", values = { "wse2", "wse9" } }', "", "wse9: no such chip"),
                ('{ name = "system", values = { "nowhere" } }', "", "nowhere: no such system"),
                ('{ name = "threads", values = { 0 } }', "", "--threads = 0, allowed is a whole number in 1..256"),
                ('{ name = "us", values = { 1 } }', 'record = { "a+" }', "s.lua: record a+: "),
                ('{ name = "us", values = {} }', "", "s.lua: axes[1]: us: has no values")):
            with self.subTest(axes=axes, more=more):
                self.write("s.lua", sweep(axes, more))
                self.assertFails(INPUT, [says], "sweep", "s.lua")

    def test_a_value_that_goes_with_some_others_is_not_refused(self):
        """Chips of two families, one of which accepts less."""
        self.write("timed.lua", sweeps.SCRIPT.replace("max = 10000,", "max = { tensix = 10, wse = 10000 },"))
        chips = '{ name = "chip", values = { "wormhole_n300", "wse2" } }'
        self.write("s.lua", sweep('{ name = "us", values = { 1, 9000 } }, ' + chips))
        self.sweep(status=CHECK)
        self.write("none.lua", sweep('{ name = "us", values = { 9000, 9001 } }, ' + chips))

        self.assertEqual([row[0] for row in self.named("status")], ["done", "done", "failed", "done"])
        self.assertIn("us = 9000", self.named("error")[2][0])
        self.assertFails(INPUT, ["run 1 (us=9000 chip=wormhole_n300): timed on tensix: us = 9000"], "sweep", "none.lua")

    def test_words_that_are_no_file_are_refused(self):
        self.write("s.lua", sweep(ONE))
        self.assertFails(INPUT, ["sweep: no file"], "sweep")
        self.assertFails(INPUT, ["nothing.lua: no such file; a sweep is a Lua file"], "sweep", "nothing.lua")
        self.assertFails(INPUT, ["more"], "sweep", "s.lua", "more")
        self.assertFails(INPUT, ["--jobs = 0, allowed is a whole number in 1..1024"], "sweep", "s.lua", "--jobs", "0")
        self.assertFails(INPUT, ["--db: the name is empty"], "sweep", "s.lua", "--db", "")
        self.assertFails(STOPPED, ["instructions ran"], "sweep", self.write("l.lua", "while true do end"), traceback=None)

    def test_help_tells_of_every_option(self):
        text = self.succeed("sweep", "--help").stdout

        for option in ("--jobs", "--db", "--dry-run", "--yes", "--retry-failed", "--json", "--quiet"):
            self.assertIn(option, text)


if __name__ == "__main__":
    unittest.main()
