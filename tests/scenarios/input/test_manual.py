"""Manual pages and completion are made from the same tables as --help, and agree with it."""
import os
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

import gridloom
from gridloom import PATIENCE, PROGRAM, SOURCE

MANUAL = os.path.join(os.environ["GRIDLOOM_BUILD"], "tools/manual")
SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"]


def has(tool):
    return unittest.skipUnless(shutil.which(tool), f"{tool} is not installed")


class Manual(gridloom.Scenario):
    def commands(self):
        """(words, help) of every command, including those of menus, and of the menus."""
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
        """The page as people see it, without line breaks that the text does not have."""
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


class Completion(gridloom.Scenario):
    def bash(self, *words):
        """bash's completions of the last word."""
        script = ('. "$1"; shift; COMP_WORDS=(gridloom "$@"); COMP_CWORD=$#; '
                  '_gridloom "$GRIDLOOM"; printf "%s\\n" "${COMPREPLY[@]}"')
        shown = subprocess.run(["bash", "-uc", script, "bash", os.path.join(MANUAL, "gridloom"), *words],
                               capture_output=True, text=True, check=True, cwd=self.folder,
                               env=dict(os.environ, GRIDLOOM=PROGRAM))
        self.assertEqual(shown.stderr, "")
        return shown.stdout.split()

    def test_commands_are_those_of_help(self):
        names = re.findall(r"(?m)^  (?!gridloom)(\w+) +\w", self.succeed("help").stdout)

        self.assertEqual(self.bash(""), names + ["--help"])
        self.assertEqual(self.bash("noc", ""), ["traffic", "transfer", "replay", "--help"])
        self.assertEqual(self.bash("model", "co"), ["codesign"])

    def test_options_are_those_of_help(self):
        for words in (["run"], ["noc", "traffic"], ["plot", "scaling"], ["tune"]):
            options = re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+)", self.succeed(*words, "--help").stdout)

            self.assertEqual(sorted(self.bash(*words, "--")), sorted(options))

    def test_words_of_options_are_offered(self):
        self.assertEqual(self.bash("noc", "transfer", "--op", "page"), ["page-read", "page-write", "page-copy"])
        self.assertEqual(self.bash("noc", "transfer", "--op", "=", "page-r"), ["page-read"])
        self.assertEqual(self.bash("noc", "replay", "--l1-conflicts", "="), ["on", "off"])
        self.assertEqual(self.bash("noc", "traffic", "--pattern", "torn"), ["tornado"])
        self.assertEqual(self.bash("export", "t.pftrace", "--to", ""), ["chrome", "csv", "npeviz", "paje"])
        self.assertEqual(self.bash("gpu", "figure", "1"), ["10", "11", "15", "16"])

    def test_chips_scripts_systems_and_suites_are_offered(self):
        self.assertEqual(self.bash("run", "--chip", "worm"), ["wormhole_n150", "wormhole_n300"])
        self.assertEqual(self.bash("compare", "dot", "--chips", "wse2,wormhole_n3"),
                         ["wse2,wormhole_n300"])
        self.assertEqual(self.bash("run", "bicg"), ["bicgstab"])
        self.assertEqual(self.bash("describe", "bicg"), ["bicgstab"])
        self.assertEqual(self.bash("run", "--system", "n30"), ["n300"])
        self.assertEqual(self.bash("validate", "gpu-"), ["gpu-h200", "gpu-model"])

    def test_what_the_path_adds_is_offered(self):
        shutil.copytree(os.path.join(SOURCE, "arch/chips"), self.path("arch/chips"))
        os.rename(self.path("arch/chips/wse2.ini"), self.path("arch/chips/mine.ini"))
        self.environment["GRIDLOOM_PATH"] = self.folder
        os.environ["GRIDLOOM_PATH"] = self.folder
        self.addCleanup(os.environ.pop, "GRIDLOOM_PATH")

        self.assertEqual(self.bash("run", "--chip", "min"), ["mine"])

    def test_files_are_offered_otherwise(self):
        self.write("trace of mine.pftrace", "")
        self.write("sweep.lua", "")

        self.assertEqual(self.bash("sweep", "sw"), ["sweep.lua"])
        self.assertEqual(self.bash("run", "pcg", "--json", "sw"), ["sweep.lua"])
        self.assertEqual(self.bash("run", "--chip", "sw"), ["sweep.lua"])
        self.assertEqual(self.bash("tune", "-o", "sw"), ["sweep.lua"])
        self.assertEqual(" ".join(self.bash("report", "tr")), "trace of mine.pftrace")

    @has("zsh")
    def test_zsh_can_read_its_script(self):
        read = subprocess.run(["zsh", "-n", os.path.join(MANUAL, "_gridloom")], capture_output=True,
                              text=True, check=True)

        self.assertEqual(read.stderr, "")

    @has("zsh")
    def test_zsh_completes(self):
        lines = {"noc rep": "noc replay", "exp": "export", "run --limit-st": "run --limit-steps",
                 "noc transfer --op multicast-": "noc transfer --op multicast-linked",
                 "run bicg": "run bicgstab", "run --chip wormhole_n3": "run --chip wormhole_n300",
                 "compare dot --chips wse2,wormhole_n3": "compare dot --chips wse2,wormhole_n300"}

        with Zsh(self.folder) as zsh:
            for line, whole in lines.items():
                self.assertEqual(zsh.complete(line), whole)


class Zsh:
    """A zsh with the completion of gridloom, in a terminal."""
    def __init__(self, home):
        path = f"{os.path.dirname(PROGRAM)}:{os.environ['PATH']}"
        # The editor says when it listens, and one key completes and tells: nothing is typed while the
        # terminal changes hands, for such a key can be lost.
        with open(os.path.join(home, ".zshrc"), "w", encoding="utf-8") as start:
            start.write(f"""PS1=; fpath=({MANUAL} $fpath); autoload -Uz compinit; compinit -u -D
tell() {{ zle expand-or-complete; zle auto-suffix-remove; print -r -- "GOT<$BUFFER>"; BUFFER= }}
zle-line-init() {{ print READY }}
zle -N zle-line-init; zle -N tell; bindkey '^T' tell
""")
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            # An interactive shell continues its jobs by a signal, which may reach a program while
            # the leak sanitizer waits for it to stop: it would wait for ever.
            os.execvpe("zsh", ["zsh", "-d", "-i"], {"HOME": home, "PATH": path, "TERM": "dumb",
                                                    "ASAN_OPTIONS": "detect_leaks=0"})
        self.ask("", "READY")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.terminal)
        os.waitpid(self.process, 0)

    def ask(self, text, answer):
        """Types a text and returns the answer, a regular expression."""
        shown, end = "", time.monotonic() + PATIENCE
        os.write(self.terminal, text.encode())
        while not re.search(answer, shown):
            if time.monotonic() > end or not select.select([self.terminal], [], [], PATIENCE)[0]:
                raise AssertionError(shown)
            shown += os.read(self.terminal, 65536).decode(errors="replace")
        return re.search(answer, shown).group(1) if "(" in answer else None

    def complete(self, line):
        """A line after a tab."""
        return self.ask(f"gridloom {line}\x14", r"GOT<gridloom (.*?) *>")


if __name__ == "__main__":
    unittest.main()
