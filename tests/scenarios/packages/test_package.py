"""The Debian package: what it says of itself and what lies in it."""
import glob
import os
import shutil
import subprocess
import unittest

import gridloom

BUILD = os.environ["GRIDLOOM_BUILD"]


def make_package(folder):
    """Makes the package of the build in a folder; returns its path."""
    subprocess.run(["cpack", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", folder],
                   check=True, cwd=folder, stdout=subprocess.DEVNULL)
    path, = glob.glob(os.path.join(glob.escape(folder), "*.deb"))
    return path


@unittest.skipIf(shutil.which("dpkg-shlibdeps") is None, "only Debian can make its packages")
class Package(gridloom.Scenario):
    def run_tool(self, *words):
        """What a program prints, which must succeed and not complain."""
        done = self.gridloom(*words[1:], program=words[0])
        self.assertEqual((done.returncode, done.stderr), (gridloom.DONE, ""), words)
        return done.stdout

    # All in one, because packing takes longer than looking.
    def test_a_package_has_what_debian_wants(self):
        path = make_package(self.folder)
        version = self.succeed("--version").stdout.split()[1]

        with self.subTest("its name says its version"):
            self.assertTrue(os.path.basename(path).startswith(f"gridloom_{version}-1_"), path)
            self.assertEqual(self.field(path, "Version"), f"{version}-1")
        with self.subTest("it needs what it is linked with and what every run opens"):
            self.assertRegex(self.field(path, "Depends"), r"\blibsimgrid[\d.]+\b.*\bpython3:any\b")
            self.assertRegex(self.field(path, "Depends"), r"\blibglib2\.0-0\w* \(>= ")
        with self.subTest("it does without pictures as PNG, NumPy and MPI"):
            self.assertRegex(self.field(path, "Recommends"), r"^librsvg2-2, python3-numpy$")
            self.assertNotRegex(self.field(path, "Depends"), "rsvg|numpy|mpi")
            self.assertIn("openmpi-bin", self.field(path, "Suggests"))
        self.look_at_files(path)
        with self.subTest("lintian has no complaint"):
            if shutil.which("lintian") is None:
                self.skipTest("no lintian")
            user = ["--allow-root"] if os.getuid() == 0 else []
            self.assertEqual(self.run_tool("lintian", *user, path), "")

    def field(self, path, name):
        return self.run_tool("dpkg-deb", "--field", path, name).strip()

    def look_at_files(self, path):
        """Where files lie, whose they are, and that none says where it was made."""
        lines = self.run_tool("dpkg-deb", "--contents", path).splitlines()
        names = {line.split()[5] for line in lines}
        root = self.path("root")
        self.run_tool("dpkg-deb", "--extract", path, root)

        with self.subTest("all files are where Debian looks for them"):
            for name in ("bin/gridloom", "bin/cslc", "share/man/man1/gridloom-run.1.gz",
                         "share/man/man1/cslc.1.gz", "share/doc/gridloom/copyright",
                         "share/doc/gridloom/changelog.Debian.gz", "share/doc/gridloom/README.md",
                         "share/bash-completion/completions/gridloom",
                         "share/zsh/vendor-completions/_gridloom",
                         "share/gridloom/arch/chips/wse2.ini", "share/gridloom/workloads/pcg.lua",
                         "share/gridloom/schema/run.json",
                         "lib/libgridloom.so.0", "lib/pkgconfig/gridloom.pc", "include/gridloom.h",
                         "lib/python3/dist-packages/gridloom/__init__.py"):
                self.assertIn(f"./usr/{name}", names)
            self.assertEqual([name for name in names if not name.startswith("./usr/")], [])
        with self.subTest("all files belong to root, who alone may write"):
            self.assertEqual({line.split()[1] for line in lines}, {"root/root"})
            self.assertEqual({line[:10] for line in lines if line[0] != "l"},
                             {"drwxr-xr-x", "-rwxr-xr-x", "-rw-r--r--"})
        with self.subTest("texts do not say where they were made"):
            found = self.gridloom("--recursive", "--binary-files=without-match", "--fixed-strings",
                                  "--files-with-matches", gridloom.SOURCE, root, program="grep")
            self.assertEqual(found.stdout, "")


if __name__ == "__main__":
    unittest.main()
