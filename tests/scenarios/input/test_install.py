"""cmake --install: a program that finds its own files."""
import os
import shutil
import subprocess
import sys
import unittest

import gridloom
from gridloom import SMALL

BUILD = os.environ["GRIDLOOM_BUILD"]


class Install(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        subprocess.run(["cmake", "--install", BUILD, "--prefix", self.path("prefix")],
                       check=True, stdout=subprocess.DEVNULL)
        self.program = self.path("prefix/bin/gridloom")
        self.share = self.path("prefix/share/gridloom")

    def mark(self):
        """Changes the installed chip file, to tell it from the source's."""
        name = os.path.join(self.share, "arch/chips/wse2.ini")
        self.write(name, self.read(name).replace("Cerebras WSE-2", "an installed WSE-2"))

    def test_chips_systems_and_workloads_are_installed(self):
        for file in ("arch/chips/wormhole_n150.ini", "arch/chips/wormhole_n300.ini",
                     "arch/chips/wse2.ini", "arch/systems/default.xml",
                     "arch/systems/n300.xml", "workloads/transfer.lua"):
            self.assertTrue(os.path.isfile(os.path.join(self.share, file)), file)

    def test_manual_pages_and_completion_are_installed(self):
        share = self.path("prefix/share")
        files = ["man/man1/gridloom.1", "man/man1/gridloom-run.1", "man/man1/gridloom-noc-traffic.1",
                 "bash-completion/completions/gridloom", "zsh/site-functions/_gridloom"]

        for file in files:
            self.assertTrue(os.path.isfile(os.path.join(share, file)), file)

    def test_nothing_else_is_installed(self):
        endings = {os.path.splitext(name)[1] for _, _, names in os.walk(self.path("prefix"))
                   for name in names}

        # The module for MPI is there if MPI was, and what tt-metal programs are compiled
        # against and linked with if a C++ compiler was.
        program_files = {".a", ".cmake", ".h", ".hpp"}
        self.assertEqual(endings - {".so"} - program_files,
                         {"", ".1", ".csl", ".csv", ".ini", ".json", ".py", ".xml", ".lua"})

    def test_the_installed_files_come_before_the_source_tree(self):
        self.mark()

        shown = self.succeed("chips", program=self.program)

        self.assertIn("an installed WSE-2", shown.stdout)
        self.assertNotIn("an installed WSE-2", self.succeed("chips").stdout)

    def test_the_installed_script_runs(self):
        described = self.succeed("describe", "transfer", program=self.program).stdout
        result = self.result("transfer", *SMALL, program=self.program)

        self.assertIn("prefix/", described)
        self.assertEqual(result["check"]["status"], "pass")

    def test_the_installed_package_runs_the_installed_program(self):
        del self.environment["GRIDLOOM"]
        self.environment["PATH"] = self.path("prefix/bin") + ":" + os.environ["PATH"]
        self.environment["PYTHONPATH"] = self.path("prefix/lib/python3/dist-packages")
        done = self.gridloom("-B", "-c", "import gridloom; print(gridloom.describe('transfer'), gridloom.__file__)",
                             program=sys.executable)

        self.assertEqual((done.returncode, done.stderr), (gridloom.DONE, ""))
        self.assertIn(self.path("prefix/bin/../share/gridloom/workloads"), done.stdout)
        self.assertIn("prefix/lib/python3/dist-packages/gridloom", done.stdout)

    def test_the_installed_cslc_and_cs_python_work(self):
        shutil.copytree(os.path.join(gridloom.SOURCE, "tests/programs/csl/host"), self.path("host"))
        self.environment["PATH"] = self.path("prefix/bin") + ":" + os.environ["PATH"]
        done = self.gridloom("commands_wse2.sh", program="bash", cwd=self.path("host"))

        self.assertEqual((done.returncode, done.stderr), (gridloom.DONE, ""))
        self.assertIn(self.path("prefix"), self.read("host/out/out.json"))

    def test_an_installation_can_be_moved(self):
        self.mark()
        os.rename(self.path("prefix"), self.path("moved"))

        shown = self.succeed("chips", program=self.path("moved/bin/gridloom"))

        self.assertIn("an installed WSE-2", shown.stdout)

    def test_the_path_comes_before_the_installed_files(self):
        self.mark()
        shutil.copytree(os.path.join(gridloom.SOURCE, "arch/chips"),
                        self.path("mine/arch/chips"))
        self.environment["GRIDLOOM_PATH"] = "mine"

        shown = self.succeed("chips", program=self.program)

        self.assertNotIn("an installed WSE-2", shown.stdout)

    def test_a_link_to_the_program_works(self):
        self.mark()
        os.symlink(self.program, self.path("link"))

        shown = self.succeed("chips", program=self.path("link"))

        self.assertIn("an installed WSE-2", shown.stdout)


if __name__ == "__main__":
    unittest.main()
