"""build_name.cmake: the version of a checkout, from its tags and commits."""
import os
import shutil
import subprocess
import tempfile
import time
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
GIT = shutil.which("git")


@unittest.skipIf(GIT is None, "no git")
class BuildName(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = os.path.join(folder.name, "tree")
        self.out = os.path.join(folder.name, "build_name")
        os.mkdir(self.tree)

    def git(self, *words):
        """Runs git without anybody's settings; returns what it prints."""
        names = {f"GIT_{who}_{what}": "nobody" for who in ("AUTHOR", "COMMITTER")
                 for what in ("NAME", "EMAIL")}
        settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        done = subprocess.run([GIT, "-C", self.tree, *words], check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env={**os.environ, **names, **settings})
        return done.stdout.strip()

    def commit(self):
        """One more commit; returns what its name begins with."""
        with open(os.path.join(self.tree, "file"), "a", encoding="utf-8") as file:
            file.write("more\n")
        if not os.path.exists(os.path.join(self.tree, ".git")):
            self.git("init", "-q")
        self.git("add", "file")
        self.git("commit", "-q", "-m", "more")
        return self.git("rev-parse", "--short=12", "HEAD")

    def name(self, git=GIT):
        """The name that a build would get; the C file must say the same."""
        done = subprocess.run(
            ["cmake", f"-DGIT={git}", f"-DSOURCE={self.tree}", "-DVERSION=0.1.0",
             f"-DOUT={self.out}", "-P", os.path.join(ROOT, "tools/build_name.cmake")],
            check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.stdout, "")
        with open(self.out + ".txt", encoding="utf-8") as file:
            name = file.read().strip()
        with open(self.out + ".c", encoding="utf-8") as file:
            self.assertIn(f'gridloom_build_name[] = "{name}";', file.read())
        return name

    def change(self):
        with open(os.path.join(self.tree, "file"), "a", encoding="utf-8") as file:
            file.write("a change\n")

    def test_without_a_checkout_it_is_the_version_of_the_project(self):
        self.assertEqual(self.name(), "0.1.0")

    def test_without_git_too(self):
        self.commit()

        self.assertEqual(self.name(git="GIT-NOTFOUND"), "0.1.0")

    def test_before_its_tag_it_counts_all_commits(self):
        self.commit()
        commit = self.commit()

        self.assertEqual(self.name(), f"0.1.0~git2.g{commit}")

    def test_at_its_tag_it_is_the_version(self):
        self.commit()
        self.git("tag", "v0.1.0")

        self.assertEqual(self.name(), "0.1.0")

    def test_behind_its_tag_it_counts_commits_from_there(self):
        self.commit()
        self.git("tag", "v0.1.0")
        self.commit()
        commit = self.commit()

        self.assertEqual(self.name(), f"0.1.0+git2.g{commit}")

    def test_the_tag_of_another_version_does_not_count(self):
        self.commit()
        self.git("tag", "v0.0.9")
        commit = self.commit()

        self.assertEqual(self.name(), f"0.1.0~git2.g{commit}")

    def test_changed_files_are_told(self):
        commit = self.commit()
        self.change()
        before = self.name()
        self.git("tag", "v0.1.0")

        self.assertEqual((before, self.name()), (f"0.1.0~git1.g{commit}.dirty", "0.1.0+dirty"))

    def test_the_same_commit_leaves_the_files_as_they_were(self):
        self.commit()
        self.name()
        os.utime(self.out + ".c", (0, 0))
        self.name()
        same = os.stat(self.out + ".c").st_mtime
        self.commit()
        self.name()

        self.assertEqual(same, 0)
        self.assertGreater(os.stat(self.out + ".c").st_mtime, time.time() - 3600)

    @unittest.skipIf(shutil.which("dpkg") is None, "no dpkg")
    def test_debian_sorts_names_by_age(self):
        self.commit()
        names = [self.name()]
        for _ in range(9):
            self.commit()
        names.append(self.name())  # 10 is more than 1
        self.git("tag", "v0.1.0")
        names.append(self.name())
        self.commit()
        names.append(self.name())

        for older, newer in zip(names, names[1:]):
            subprocess.run(["dpkg", "--compare-versions", older, "lt", newer], check=True)


if __name__ == "__main__":
    unittest.main()
