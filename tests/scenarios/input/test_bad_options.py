"""Commands and options that cannot be used, and targets that cannot be written."""
import os
import unittest

import gridloom
from gridloom import INPUT, SMALL


class BadOptions(gridloom.Scenario):
    def assertRefused(self, says, *words):
        self.assertFails(INPUT, says, "run", "transfer", *SMALL, *words)

    def test_without_a_command_the_help_is_on_standard_error(self):
        failed = self.gridloom()

        self.assertEqual((failed.returncode, failed.stdout), (INPUT, ""))
        self.assertIn("Usage: gridloom COMMAND", failed.stderr)

    def test_an_unknown_command_lists_the_known_ones(self):
        self.assertFails(INPUT, ["unknown command 'fly'", "run, metal, csl, chips, workloads, describe"],
                         "fly")

    def test_an_unknown_option_says_where_options_are_listed(self):
        for command in (["run", "transfer"], ["chips"], ["workloads"], ["describe", "wse2"]):
            self.assertFails(INPUT, ["Unknown option --fly", "--help"], *command, "--fly")

    def test_run_without_a_script_says_where_scripts_are_listed(self):
        self.assertFails(INPUT, ["no script", "gridloom workloads"], "run")

    def test_words_too_many_are_refused(self):
        self.assertFails(INPUT, ["chips: unexpected word 'x'"], "chips", "x")
        self.assertFails(INPUT, ["workloads: unexpected word 'x'"], "workloads", "x")
        self.assertFails(INPUT, ["describe: give one"], "describe")
        self.assertFails(INPUT, ["'transfer'; give one chip or workload"], "describe", "wse2", "transfer")

    def test_an_option_without_its_value_is_refused(self):
        self.assertRefused(["--json"], "--json")
        self.assertRefused(["--set"], "--set")

    def test_numbers_out_of_range_say_what_is_allowed(self):
        for option, value, allowed in (
                ("--threads", "0", "1..256"), ("--threads", "257", "1..256"),
                ("--threads", "two", "1..256"), ("--seed", "x", "0..9223372036854775807"),
                ("--seed", "-1", "0..9223372036854775807"), ("--seed", "", "0..92233720"),
                ("--seed", "\u00fc", "0..9223372036854775807"),
                ("--limit-cycles", "-1", "1..9223372036854775807"),
                ("--limit-cycles", "0", "1..9223372036854775807"),
                ("--limit-cycles", "1e-3", "1..9223372036854775807"),
                ("--limit-steps", "0", "1..9223372036854775807"),
                ("--limit-seconds", "0", "a number above 0"),
                ("--limit-seconds", "nan", "a number above 0"),
                ("--limit-seconds", "soon", "a number above 0")):
            self.assertRefused([f"{option} = {value}", f"allowed is ", allowed], option, value)

    def test_json_into_a_missing_folder_is_refused(self):
        self.assertRefused(["no/r.json: cannot be written, its folder does not exist"],
                           "--json", "no/r.json")

    def test_json_onto_a_folder_is_refused(self):
        os.mkdir(self.path("folder"))

        self.assertRefused(["folder: cannot be written, it is a folder"], "--json", "folder")

    def test_json_into_a_full_device_is_refused(self):
        self.assertRefused(["/dev/full: cannot be written, No space left on device"],
                           "--json", "/dev/full", "-q")

    def test_json_below_a_file_is_refused(self):
        self.write("file", "")

        self.assertRefused(["file/r.json: cannot be written"], "--json", "file/r.json")

    def test_json_where_nothing_can_be_written_is_refused(self):
        self.assertRefused(["/proc/r.json: cannot be written"], "--json", "/proc/r.json")
        self.assertRefused(["empty name"], "--json", "")

    def test_out_below_a_file_is_refused(self):
        self.write("file", "")

        self.assertRefused(["file/out: folder cannot be made, file is a file"],
                           "--out", "file/out")
        self.assertRefused(["file: folder cannot be made, file is a file"], "--out", "file")

    def test_out_where_nothing_can_be_written_is_refused(self):
        self.assertRefused(["/proc/"], "--out", "/proc/out")
        self.assertRefused(["--out: the name is empty"], "--out", "")

    def test_a_system_trace_that_cannot_be_written_is_refused(self):
        self.assertRefused(["no/t.paje: cannot be written"], "--system-trace", "no/t.paje")
        self.assertRefused(["--system-trace: ", "give a file"], "--system-trace", "-")

    def test_result_and_trace_in_one_file_are_refused(self):
        self.assertRefused(["./x: named by --json and by --system-trace"],
                           "--json", "./x", "--system-trace", "x")

    def test_all_targets_are_checked_before_anything_is_written(self):
        self.assertRefused(["no/r.json: cannot be written"], "--out", "out", "--json",
                           "no/r.json", "--system-trace", "t.paje")

    def test_json_below_a_new_folder_that_out_does_not_make_is_refused(self):
        for json in ("new/sub/r.json", "newer/r.json", "ne/r.json", "new/../no/r.json"):
            self.assertRefused([f"{json}: cannot be written, its folder does not exist"],
                               "--out", "new", "--json", json)
        self.assertRefused(["/proc/"], "--out", "/proc/out", "--json", "/proc/out/r.json")
        for json in ("new", "new/x", "./new/x"):
            self.assertRefused([f"{json}: named by --json and by --out"], "--out", "new/x",
                               "--json", json)
        self.write("file", "")
        self.assertRefused(["file/out: folder cannot be made"], "--out", "file/out",
                           "--json", "file/out/r.json")

    def test_an_old_result_survives_a_failed_run(self):
        self.write("r.json", "old")
        self.write("t.paje", "old")

        self.assertFails(INPUT, ["broken"], "run", self.script("error('broken')"), "--json",
                         "r.json", "--system-trace", "t.paje", traceback=True)

    def test_standard_output_that_cannot_be_written_is_an_error(self):
        for words in (["run", "transfer", *SMALL], ["run", "transfer", *SMALL, "--json", "-"],
                      ["chips"], ["describe", "wse2"], ["--help"]):
            with open("/dev/full", "w", encoding="ascii") as full:
                failed = self.gridloom(*words, stdout=full)

            self.assertEqual(failed.returncode, INPUT, words)
            self.assertEqual(failed.stderr, "gridloom: standard output"
                             f"{':' if '-' in words else ''} cannot be written, "
                             "No space left on device\n")


if __name__ == "__main__":
    unittest.main()
