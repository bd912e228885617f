"""The traces in traces/samples equal the output of their commands, to the byte.

GRIDLOOM_UPDATE_EXPECTED=1 writes them again, after an intended change.
"""
import os
import subprocess
import tempfile
import unittest

GRIDLOOM = os.environ["GRIDLOOM"]
FOLDER = os.path.join(os.environ["GRIDLOOM_SOURCE"], "traces", "samples")
LARGEST = 1 << 20


def read(path):
    with open(path, "rb") as file:
        return file.read()


def commands():
    with open(os.path.join(FOLDER, "commands"), encoding="utf-8") as file:
        rows = [line.split() for line in file if not line.startswith("#")]
    return {row[0]: row[1:] for row in rows}


def record(words, path):
    subprocess.run([GRIDLOOM, "run", *words, "-q", "--trace", path], check=True,
                   stdout=subprocess.DEVNULL, timeout=1200)


class Samples(unittest.TestCase):
    def test_each_sample_is_what_its_command_gives(self):
        for name, words in commands().items():
            kept = os.path.join(FOLDER, name + ".pftrace")
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                if os.environ.get("GRIDLOOM_UPDATE_EXPECTED"):
                    record(words, kept)
                made = os.path.join(folder, "made.pftrace")
                record(words, made)
                self.assertTrue(read(made) == read(kept), f"{kept} is out of date")
                self.assertLess(os.path.getsize(kept), LARGEST)

    def test_every_trace_has_its_command(self):
        traces = {name[:-len(".pftrace")] for name in os.listdir(FOLDER)
                  if name.endswith(".pftrace")}
        self.assertEqual(traces, set(commands()))


if __name__ == "__main__":
    unittest.main()
