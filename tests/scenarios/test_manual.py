"""Manual pages: made of the same tables as --help, and agree with it."""
import os
import re
import shutil
import subprocess
import unittest

import gridloom

MANUAL = os.path.join(os.environ["GRIDLOOM_BUILD"], "tools/manual")
SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"]


def has(tool):
    return unittest.skipUnless(shutil.which(tool), f"{tool} is not installed")


class Manual(gridloom.Scenario):
    def commands(self):
        """(words, help) of every command, those of menus included, and of the menus."""
        found, menus = [], []
        for name in self.names():
            text = self.succeed(name, "--help").stdout
            if re.match("Usage: ", text):
                menus.append(((name,), text))
                found += [((name, below), self.succeed(name, below, "--help").stdout)
                          for below in re.findall(r"(?m)^  (\w+) +\w", text)]
            else:
                found.append(((name,), text))
        return found, menus

    def names(self):
        return re.findall(r"(?m)^  (?!gridloom)(\w+) +\w", self.succeed("help").stdout)

    @staticmethod
    def page(words):
        return os.path.join(MANUAL, "man1", "-".join(("gridloom",) + words) + ".1")

    def rendered(self, words):
        """The page as people see it, without a line break that the text does not have."""
        return self.groff(self.page(words)).stdout

    @staticmethod
    def groff(page):
        return subprocess.run(["groff", "-man", "-Tascii", "-ww", "-P-c", "-P-bou", "-rHY=0",
                               "-rLL=400n", page], capture_output=True, text=True, check=True)

    def test_every_command_and_menu_has_a_page_and_no_other(self):
        commands, menus = self.commands()
        pages = [os.path.basename(self.page(words)) for words, _ in commands + menus]

        self.assertEqual(sorted(os.listdir(os.path.join(MANUAL, "man1"))),
                         sorted(pages + ["gridloom.1"]))

    def test_pages_have_their_sections_in_order(self):
        for words, _ in self.commands()[0]:
            sections = re.findall(r"(?m)^\.SH (.*)$", self.read(self.page(words)))

            self.assertEqual([name for name in sections if "WITH" not in name], SECTIONS, words)

    def test_the_exit_codes_are_in_the_page_of_the_program(self):
        text = self.read(self.page(()))

        self.assertEqual(re.findall(r"(?m)^\.TP\n(\d)$", text), list("01234"))

    @has("groff")
    def test_troff_has_nothing_to_say(self):
        for page in sorted(os.listdir(os.path.join(MANUAL, "man1"))):
            self.assertEqual(self.groff(os.path.join(MANUAL, "man1", page)).stderr, "", page)

    @has("groff")
    def test_pages_have_every_option_and_its_help(self):
        options = re.compile(r"(?m)^  (?:-(\w), )?(--[\w-]+(?:=\S+)?) +(\S.*)$")
        for words, text in self.commands()[0]:
            page = " ".join(self.rendered(words).split())

            for letter, option, text in options.findall(text):
                shown = f"{f'-{letter}, ' if letter else ''}{option} {' '.join(text.split())}"
                self.assertIn(shown, page)

    @has("groff")
    def test_pages_have_what_help_says_below_the_options(self):
        for words, text in self.commands()[0] + [(("model", "codesign"), self.succeed(
                "model", "codesign", "x.lua", "--help").stdout)]:
            below = text.split("\n\n", 3)[3] if text.count("\n\n") > 2 else ""

            self.assertIn(" ".join(below.split()), " ".join(self.rendered(words).split()), words)

    @has("groff")
    def test_the_line_is_that_of_help(self):
        page = self.rendered(("plot", "timeline"))

        self.assertRegex(page, r"(?m)^ +gridloom plot timeline \[OPTION\.\.\.\] RUN -o FILE$")
        self.assertRegex(self.rendered(("run",)),
                         r"(?m)^ +gridloom run \[OPTION\.\.\.\] SCRIPT \[name=value \.\.\.\]$")


if __name__ == "__main__":
    unittest.main()
