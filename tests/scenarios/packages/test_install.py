"""cmake --install: a program that finds its own files, and pages whose links work."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import gridloom
from gridloom import SMALL, SOURCE

BUILD = os.environ["GRIDLOOM_BUILD"]


class Install(gridloom.Scenario):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.installed = os.path.join(folder.name, "prefix")
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.installed],
                       check=True, stdout=subprocess.DEVNULL)

    def setUp(self):
        super().setUp()
        shutil.copytree(self.installed, self.path("prefix"), copy_function=os.link)
        self.program = self.path("prefix/bin/gridloom")
        self.share = self.path("prefix/share/gridloom")

    def mark(self):
        """Changes the installed chip file, to tell it from the source's."""
        name = os.path.join(self.share, "arch/chips/wse2.ini")
        text = self.read(name).replace("Cerebras WSE-2", "an installed WSE-2")
        os.remove(name)  # the other tests have this file, too
        self.write(name, text)

    def test_chips_systems_and_workloads_are_installed(self):
        for file in ("arch/chips/wormhole_n150.ini", "arch/chips/wormhole_n300.ini",
                     "arch/chips/wse2.ini", "arch/systems/default.xml",
                     "arch/systems/n300.xml", "workloads/transfer.lua", "schema/run.json"):
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

        # The module for MPI is there if MPI was, and what tt-metal programs are linked with
        # if a C++ compiler was.
        self.assertEqual(endings - {".so", ".a", ".cmake"},
                         {"", ".0", ".1", ".c", ".cpp", ".csl", ".csv", ".h", ".hpp", ".ini", ".json",
                          ".ld", ".lua", ".md", ".pc", ".png", ".py", ".sh", ".sql", ".svg", ".xml", ".yaml"})

    def test_no_folder_is_empty(self):
        empty = [folder for folder, folders, files in os.walk(self.path("prefix"))
                 if not folders + files]

        self.assertEqual(empty, [])

    def test_links_between_installed_pages_work(self):
        pages = self.path("prefix/share/doc/gridloom")
        links = [(folder, name, target) for folder, _, files in os.walk(pages)
                 for name in files if name.endswith(".md")
                 for target in re.findall(r"\]\(([^)\s#]+)", self.read(os.path.join(folder, name)))
                 if not re.match("[a-z]+:", target)]

        self.assertGreater(len(links), 100)
        self.assertEqual([link for link in links
                          if not os.path.isfile(os.path.join(link[0], link[2]))], [])
        for name in ("README.md", "CHANGELOG.md", "LICENSE", "arch/doc/chip-files.md"):
            self.assertTrue(os.path.isfile(os.path.join(pages, name)), name)

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

    def test_it_runs_where_there_is_no_source_tree(self):
        hidden = ["unshare", "--mount", *(["--map-root-user"] if os.getuid() else []), "sh", "-c",
                  'mount -t tmpfs none "$1" && shift && exec "$@"', "sh", SOURCE]
        if self.gridloom(*hidden[1:], "true", program=hidden[0]).returncode != 0:
            self.skipTest("nothing can be mounted here")
        size = ["nx=8", "ny=8", "nz=8", "iterations=2"]
        # The sanitizers' list of known leaks is hidden, too.
        self.environment.pop("LSAN_OPTIONS", None)
        self.environment["ASAN_OPTIONS"] = "detect_leaks=0"

        gone = self.gridloom(*hidden[1:], "ls", SOURCE, program=hidden[0])
        run = self.gridloom(*hidden[1:], self.program, "run", "pcg", "--chip", "wse2", *size,
                            "--out", "out", program=hidden[0])
        described = self.gridloom(*hidden[1:], self.program, "describe", "pcg", program=hidden[0])

        self.assertEqual((gone.stdout, gone.stderr), ("", ""))
        self.assertEqual((run.returncode, run.stderr), (gridloom.DONE, ""))
        self.assertTrue(os.path.isfile(self.path("out/report.html")))
        self.assertEqual((described.returncode, described.stderr), (gridloom.DONE, ""))

    def test_the_installed_tt_metal_programs_run(self):
        if not os.path.isdir(self.path("prefix/lib/cmake/TT-Metalium")):
            self.skipTest("built without a C++ compiler")
        done = self.succeed("metal", os.path.join(self.share, "workloads/metal/programs/dot.cpp"),
                            program=self.program)

        self.assertIn("dot_compute.cpp", done.stdout)

    def test_the_installed_package_runs_the_installed_program(self):
        del self.environment["GRIDLOOM"]
        self.environment["PATH"] = self.path("prefix/bin") + ":" + os.environ["PATH"]
        self.environment["PYTHONPATH"] = self.path("prefix/lib/python3/dist-packages")
        done = self.gridloom("-B", "-c", "import gridloom, gridloom.query; print(gridloom.describe('transfer'), gridloom.__file__, gridloom.query.names())",
                             program=sys.executable)

        self.assertEqual((done.returncode, done.stderr), (gridloom.DONE, ""))
        self.assertIn(self.path("prefix/bin/../share/gridloom/workloads"), done.stdout)
        self.assertIn("prefix/lib/python3/dist-packages/gridloom", done.stdout)
        self.assertIn("['busiest', 'counters',", done.stdout)

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
