"""--dry-run reads and checks everything, and runs nothing."""
import unittest

import gridloom
from gridloom import INPUT, SMALL


class DryRun(gridloom.Scenario):
    def test_nothing_is_run(self):
        script = self.script("while true do end")

        done = self.succeed("run", script, "--dry-run", "--limit-seconds", "60")

        self.assertEqual(done.stdout, "script.lua on wormhole_n300: everything is in order, "
                         "nothing was run\n")

    def test_nothing_is_written(self):
        self.script("error('never')")
        before = self.files()

        self.succeed("run", "script.lua", "--dry-run", "--json", "r.json", "--out", "out",
                     "--system-trace", "t.paje")

        self.assertEqual(self.files(), before)

    def test_everything_is_checked(self):
        for says, *words in (
                ("no such script", "missing"),
                ("no parameter", "transfer", "x=1"),
                ("no such chip", "transfer", "--chip", "x"),
                ("no such system", "transfer", "--system", "x"),
                ("--set: ", "transfer", "--set", "x"),
                ("is of family wse", "transfer", "--chip", "wse2"),
                ("cannot be written", "transfer", "--json", "no/r.json"),
                ("cannot be written", "transfer", "--system-trace", "no/t.paje"),
                ("--threads = 0", "transfer", "--threads", "0")):
            self.assertFails(INPUT, [says], "run", *words, "--dry-run")

    def test_quiet_says_nothing(self):
        self.assertEqual(self.succeed("run", "transfer", "--dry-run", "-q").stdout, "")

    def test_standard_output_stays_free_for_json(self):
        done = self.gridloom("run", "transfer", *SMALL, "--dry-run", "--json", "-")

        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("everything is in order", done.stderr)


if __name__ == "__main__":
    unittest.main()
