"""The Debian package on a bare machine: a root folder that has apt, man and nothing else.

It is made by mmdebstrap from the archives that apt has here, and is gone afterwards. Where it
cannot be made, this says why and exits with 77.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import gridloom
from test_package import make_package

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77
SIZE = ["nx=16", "ny=16", "nz=32", "iterations=3"]


def ask(*words):
    """What a program prints; nothing if it fails."""
    done = subprocess.run(words, check=False, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout if done.returncode == 0 else ""


def archives():
    """Debian's archives, as apt knows them here: (address, release, component)."""
    rows = ask("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)",
               "Created-By: Packages", "Origin: Debian")
    return [tuple(row.split()) for row in rows.splitlines()]


def is_reachable(address, release):
    """Does apt get a file of this archive?"""
    options = ["-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20",
               "-o", "Acquire::https::Timeout=20"]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["/usr/lib/apt/apt-helper", *options, "download-file",
             f"{address.rstrip('/')}/dists/{release}/InRelease", os.path.join(folder, "file")],
            check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return done.returncode == 0


def reason_to_skip():
    """Why no root folder can be made here; empty if it can."""
    for tool in ("mmdebstrap", "dpkg-shlibdeps", "apt-get", "unshare"):
        if shutil.which(tool) is None:
            return f"there is no {tool}"
    if os.getuid() != 0:
        return "only root can make a root folder"
    if subprocess.run(["unshare", "--mount", "true"], check=False,
                      stderr=subprocess.DEVNULL).returncode != 0:
        return "nothing can be mounted here"
    known = archives()
    if not known:
        return "apt has no lists of Debian's archives; apt-get update fetches them"
    if not is_reachable(*known[0][:2]):
        return "Debian's archives cannot be reached"
    return ""


class CleanRoot(gridloom.Scenario):
    def make_root(self, hook):
        """Makes a root folder, runs a script with its path, and removes it again."""
        known = archives()
        self.write("sources.list", "".join(f"deb {' '.join(row)}\n" for row in known))
        # How this machine reaches them: proxies, and whether old lists are taken.
        settings = re.findall(r"(?m)^Acquire::(?:https?|Check-|Retries).*\n",
                              ask("apt-config", "dump", "Acquire"))
        self.write("apt.conf", "".join(settings))
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("GRIDLOOM", "PYTHON", "LC_", "LANG"))}
        return self.gridloom(
            "--variant=apt", "--include=man-db", "--format=null", "--quiet",
            f"--aptopt={self.path('apt.conf')}", "--dpkgopt=force-unsafe-io",
            f"--customize-hook={hook}", known[0][1], os.devnull, "sources.list",
            program="mmdebstrap", env=environment, stderr=subprocess.STDOUT)

    # All in one, because making the root folder takes longest.
    def test_a_bare_machine_installs_runs_and_removes_it(self):
        package = make_package(self.folder)
        self.write("hook.sh", f"""set -eu
cp '{package}' "$1/tmp/gridloom.deb"
cp '{HERE}/inside_root.sh' "$1/tmp/"
chroot "$1" sh /tmp/inside_root.sh
cp -r "$1/tmp/results" '{self.folder}'
""")
        done = self.make_root(f"sh '{self.path('hook.sh')}' \"$1\"")

        self.assertEqual(done.returncode, 0, done.stdout[-6000:])
        version = self.succeed("--version").stdout
        self.assertEqual(self.read("results/version"), version)
        with self.subTest("the same cycles as here"):
            self.succeed("run", "-q", "pcg", "--chip", "wse2", *SIZE, "--json", "here.json")
            here = json.loads(self.read("here.json"))
            there = json.loads(self.read("results/on_wse2/result.json"))
            self.assertEqual((there["cycles"], there["check"]), (here["cycles"], here["check"]))
            self.assertEqual(self.read("results/python").split(),
                             [version.split()[1], str(here["cycles"]), "pass", "16"])
            self.assertEqual(self.read("results/library"), f"0 {here['cycles']}\n")
        with self.subTest("on both chips, with a report"):
            cores = json.loads(self.read("results/on_n300/result.json"))
            self.assertEqual(cores["check"]["status"], "pass")
            self.assertIn("<html", self.read("results/on_n300/report.html"))
            self.assertIn("<svg", self.read("results/timeline.svg"))
        with self.subTest("one line tells what PNG wants"):
            self.assertRegex(self.read("results/no_png"), r"^gridloom: .*librsvg.*\n$")
        with self.subTest("completion knows the installed chips"):
            self.assertEqual(self.read("results/completion").split(), ["wse1", "wse2", "wse3"])
        with self.subTest("nothing is left"):
            self.assertEqual(self.read("results/left"), "")


if __name__ == "__main__":
    REASON = reason_to_skip()
    if REASON:
        print(f"skipped: {REASON}")
        sys.exit(SKIPPED)
    unittest.main()
