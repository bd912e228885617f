"""Whole runs of the real program, one process each, in a folder of their own."""
import fcntl
import json
import os
import pty
import re
import signal
import subprocess
import tempfile
import termios
import time
import unittest

PROGRAM = os.environ["GRIDLOOM"]
SOURCE = os.environ["GRIDLOOM_SOURCE"]

# Seconds for something that should come soon, even on a slow or busy machine. If it never
# comes, CTest's timeout ends the test.
PATIENCE = 1200

DONE, INPUT, STOPPED, CHECK, INTERRUPTED = 0, 1, 3, 4, 130

TRANSFER = os.path.join(SOURCE, "workloads/transfer.lua")
# The shipped workloads, as messages list them.
WORKLOADS = ", ".join(sorted(name[:-4] for name in os.listdir(os.path.join(SOURCE, "workloads"))
                             if name.endswith(".lua")))
SMALL = ["min_bytes=32", "max_bytes=512", "commands=2"]

# A pattern match that takes longer than anybody waits, and counts no steps.
ENDLESS_MATCH = "('a'):rep(100000):find(('.-'):rep(20) .. 'b')"


# The caller of tests may ignore signals (nohup does, and shells do for background jobs).
# Programs that tests start would then ignore them, too.
for _number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
    signal.signal(_number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)


def workload(body, parameters="", before=""):
    """The text of a script whose run(host, p) has the given body."""
    return f"""{before}
return {{
    summary = "a script for a test",
    chips = {{ "tensix" }},
    parameters = {{ {parameters} }},
    run = function(host, p)
        {body}
    end,
}}
"""


def kernel(body):
    """A body for workload() that launches one kernel and waits for it."""
    return f"""local cycles = host.wait(host.launch {{
            {{ name = "k", kernel = function(core) {body} end }} }})
        host.metric("cycles", cycles)"""


def without_host(text):
    """The result's bytes without its last member, which differs in every run."""
    return re.sub(r',\n  "host" : \{\n[^}]*\}\n\}\n\Z', "\n}\n", text)


def without_ledger(text):
    """The result's bytes without the chip's numbers; its digest stands for them."""
    return re.sub(r',\n  "chip_parameters" : \[\n.*?\n  \]', "", text, flags=re.DOTALL)


def cpu_seconds(pid):
    """The processor time of a process so far."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def has_signals(pid, number=signal.SIGINT):
    """Does a process read its signals itself? Until then they end it."""
    with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
        masks = dict(line.split(":", 1) for line in file)
    return int(masks["SigBlk"], 16) >> (number - 1) & 1 == 1


class Scenario(unittest.TestCase):
    """A test with an empty folder, in which it runs gridloom."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gridloom.")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.environment = {k: v for k, v in os.environ.items() if k != "GRIDLOOM_PATH"}

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        """Writes a file, text or bytes, and returns its name."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        data = text if isinstance(text, bytes) else text.encode()
        with open(self.path(name), "wb") as file:
            file.write(data)
        return name

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def script(self, body, **parts):
        return self.write("script.lua", workload(body, **parts))

    def files(self):
        """Every file and folder, with its contents."""
        found = {}
        for folder, folders, names in os.walk(self.folder):
            for name in folders:
                found[os.path.join(folder, name)] = None
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path) and os.access(path, os.R_OK):
                    with open(path, "rb") as file:
                        found[path] = file.read()
                else:
                    found[path] = "unreadable"
        return found

    def gridloom(self, *words, program=PROGRAM, **options):
        """Runs the program in the folder, to its end."""
        options = {"cwd": self.folder, "env": self.environment, "timeout": PATIENCE,
                   "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                   "stderr": subprocess.PIPE, **options}
        return subprocess.run([program, *words], encoding="utf-8",
                              errors="surrogateescape", check=False, **options)

    def succeed(self, *words, **options):
        """Runs the program, which must succeed and write only to standard output."""
        done = self.gridloom(*words, **options)
        self.assertEqual((done.returncode, done.stderr), (DONE, ""), words)
        return done

    def result(self, *words, **options):
        """The JSON object of a run."""
        return json.loads(self.succeed("run", *words, "--json", "-", **options).stdout)

    def metrics(self, body, *words, **options):
        """The metrics of a script with this body."""
        return self.result(self.script(body), *words, **options)["metrics"]

    def try_each(self, amounts, attempt):
        """The outcome of an attempt with the first of some amounts, of time or work, with which all
        its assertions hold: some are too short for a slow machine or a fast one."""
        for amount in amounts[:-1]:
            try:
                return attempt(amount)
            except AssertionError:
                pass
        return attempt(amounts[-1])

    def start(self, *words, after_seconds=0.3, when=lambda: True, **options):
        """Starts the program. Returns when it has worked for so long, handles signals, and a
        condition is met."""
        process = subprocess.Popen(
            [PROGRAM, *words], cwd=self.folder, env=self.environment,
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
               "stderr": subprocess.PIPE, **options})
        self.addCleanup(self.end, process)
        while process.poll() is None and not (cpu_seconds(process.pid) >= after_seconds and (
                after_seconds == 0 or has_signals(process.pid)) and when()):
            time.sleep(0.01)
        return process

    def on_terminal(self, *words, keys=None, act=None):
        """The program's output on a terminal of its own, and its exit code. `keys` are pressed when
        the progress line of a run has appeared, `act` is called when any has."""
        master, slave = pty.openpty()
        process = self.start(
            *words, after_seconds=0, stdin=slave, stdout=slave, stderr=slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(slave, termios.TIOCSCTTY, 0))
        os.close(slave)
        shown = b""
        try:
            while data := os.read(master, 65536):
                shown += data
                if keys is not None and b"simulated" in shown:
                    os.write(master, keys)
                    keys = None
                if act is not None and b" elapsed" in shown:
                    act()
                    act = None
        except OSError:  # Linux's way to say that nobody has it open any more
            pass
        os.close(master)
        return shown.replace(b"^C", b"").decode(), process.wait()

    @staticmethod
    def end(process):
        process.kill()
        process.communicate()

    def assertFails(self, status, says, *words, traceback=False, **options):
        """One line on stderr contains every text of `says`, and there is no new file. A traceback
        follows the line, or may if that is None."""
        before = self.files()

        failed = self.gridloom(*words, **options)

        lines = failed.stderr.splitlines() or [""]
        self.assertEqual(failed.returncode, status, failed.stderr)
        self.assertEqual(failed.stdout, "")
        self.assertTrue(lines[0].startswith("gridloom: "), failed.stderr)
        for text in says:
            self.assertIn(text, lines[0])
        if traceback is not None:
            self.assertEqual(lines[1:2] == ["stack traceback:"], traceback, failed.stderr)
        if not traceback and lines[1:2] != ["stack traceback:"]:
            self.assertEqual(len(lines), 1, failed.stderr)
        self.assertEqual(self.files(), before)
        return failed
