"""Runs of one workload on one kind of chip, and what holds for all of them."""
import json
import os

import gridloom
from gridloom import INPUT, SOURCE

LIBRARY = os.path.join(SOURCE, "workloads", "lib")


def script_of(workload):
    return os.path.join(SOURCE, "workloads", workload + ".lua")


class WorkloadRuns(gridloom.Scenario):
    """A test of SCRIPT on CHIP."""
    SCRIPT = None
    CHIP = ()       # words that choose it
    THREADS = ("1", "2")
    CHANGED = ()    # words of runs with a changed library, which are small

    def outcome(self, *words, script=None):
        self.succeed("run", script or self.SCRIPT, *self.CHIP, *words, "--json", "r.json", "-q")
        return json.loads(self.read("r.json"))

    def assertRight(self, *words, **options):
        """The references agree."""
        result = self.outcome(*words, **options)
        self.assertEqual(result["check"]["status"], "pass", (words, result["check"]))
        return result

    def assertRefused(self, words, *says):
        """In one line that holds all of these."""
        return self.assertFails(INPUT, says, "run", self.SCRIPT, *self.CHIP, *words)

    def run_with(self, library, right, wrong, *words, size=None):
        """The exit code with one place of a library changed."""
        with open(os.path.join(LIBRARY, library), encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text.count(right), 1, right)
        self.write(library, text.replace(right, wrong))
        with open(self.SCRIPT, encoding="utf-8") as file:
            self.write("script.lua", file.read())
        code = self.gridloom("run", "script.lua", *self.CHIP, *(size or self.CHANGED), *words,
                             "-q").returncode
        os.remove(self.path(library))
        return code

    def assertThreadsDoNotMatter(self, *words):
        """To any byte of the result."""
        texts = set()
        for threads in self.THREADS:
            self.outcome(*words, "--threads", threads)
            texts.add(gridloom.without_host(self.read("r.json")))
        self.assertEqual(len(texts), 1, words)

    def assertDataTakeNoTime(self, *words):
        """Returns the cycles with and without."""
        cycles = self.outcome(*words)["cycles"]
        self.assertEqual(cycles, self.outcome(*words, "--timing-only")["cycles"], words)
        return cycles


class WaferRuns(WorkloadRuns):
    """On the WSE-2."""
    CHIP = ("--chip", "wse2")
    THREADS = ("1", "2", "8")

    def assertGrainsAgree(self, metric, *words, within=0.02):
        """In numbers to the bit, in a metric of time nearly."""
        cycles = []
        for grain in ("wavelet", "stream"):
            metrics = self.assertRight(*words, f"grain={grain}")["metrics"]
            self.assertEqual(metrics["grain"], grain)
            cycles.append(metrics[metric])
        self.assertAlmostEqual(cycles[1] / cycles[0], 1, delta=within, msg=words)
