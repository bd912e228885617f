"""Whole runs with every number of a chip at an end of its range: none crashes, and latencies and
depths act in the right direction. `--complete` tries both ends of all numbers with all runs."""
import json
import re
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

import gridloom
from gridloom import CHECK, DONE, INPUT, STOPPED

COMPLETE = "--complete" in sys.argv
UNMODELLED = 2

PLANE = ("nx=3", "ny=3", "nz=4", "iterations=1")
WINDOWS = ("nx=12", "ny=11", "nz=3", "pes=1", "window_x=8", "window_y=6", "window_z=2", "rounds=1")
# The runs of a chip; the first one must do in the short mode.
RUNS = {
    "wormhole_n300": (("run", "vecadd", "tiles=2"),
                      ("run", "pcg", "rows=2", "cols=2", "tiles=1", "iterations=1"),
                      ("run", "transfer", "min_bytes=32", "max_bytes=64", "commands=2")),
    "wse2": (("run", "pcg", *PLANE, "grain=wavelet"), ("run", "pcg", *PLANE, "grain=stream")),
    "nero_ad9h7": (("run", "hdiff", *WINDOWS), ("run", "vadvc", *WINDOWS, "data=host")),
}
# Units of numbers that make a run longer, and of those that make it shorter, or do nothing.
LONGER = re.compile(r"cycles|cycles per .*|slots|slots per .*")
SHORTER = re.compile(r"wavelets|commands|entries|bursts|lines|elements per cycle|bytes per cycle")
# Who polls may see a thing later if it happens earlier: by so much a run may be longer.
POLLED = 1.03
# What happens earlier may meet a refresh that it missed: runs are compared without them.
STEADY = {"wormhole_n300": ("--set", "dram.refresh_cycles=0")}
# At which width other numbers were measured: what they leave for the rest grows with it.
MEASURED = re.compile(r".*\.measured_bytes_per_cycle")
# Depths that once were kept in 8 bits: 256 acted as 0, 257 as 1.
DEEP = (("wse2", "router.link_buffer_wavelets"), ("wse2", "router.ramp_buffer_wavelets"),
        ("wse2", "queues.input_ramp_wavelets"), ("wormhole_n300", "niu.vc_queue_commands"),
        ("wormhole_n300", "riscv.t0_fifo_entries"), ("nero_ad9h7", "stream.fifo_words"))


class KeyEnds(gridloom.Scenario):
    def numbers(self, chip):
        """(key, unit, value) of all that can be set."""
        told = json.loads(self.succeed("describe", chip, "--json", "-").stdout)["chip_parameters"]
        return [(f"{it['section']}.{it['key']}", it["unit"], it["value"]) for it in told
                if it["section"] not in ("information", "area", "chip")
                and it["unit"] not in ("choice", "text")]

    def ends(self, chip, key):
        """The ends of a range as messages have it; the word is refused in one line."""
        failed = self.gridloom(*RUNS[chip][0], "--chip", chip, "--set", f"{key}=none", "--dry-run")
        self.assertEqual((failed.returncode, len(failed.stderr.splitlines())), (INPUT, 1), failed.stderr)
        self.assertIn(key, failed.stderr)
        return re.findall(r"([\d.e+-]+)\.\.([\d.e+-]+)", failed.stderr)[-1]

    def cycles(self, chip, words, key=None, value=None):
        """The cycles of a run, NaN if it is refused: it never crashes."""
        change = STEADY.get(chip, ()) + (() if key is None else ("--set", f"{key}={value}"))
        done = self.gridloom(*words, "--chip", chip, *change, "--json", "-", "-q", "--threads", "1")
        self.assertIn(done.returncode, (DONE, INPUT, UNMODELLED, STOPPED, CHECK), (words, change, done.stderr))
        for word in ("CRITICAL", "WARNING", "ERROR", "Assertion"):
            self.assertNotIn(word, done.stderr, (words, change))
        if done.returncode != DONE:
            self.assertRegex(done.stderr, "(?m)^gridloom: ", (words, change))
            return float("nan")
        return json.loads(done.stdout)["cycles"]

    def check(self, chip, place, number):
        key, unit, usual = number
        ends = self.ends(chip, key)
        runs = RUNS[chip] if COMPLETE else (RUNS[chip][place % len(RUNS[chip])],)
        for words in runs:
            for end in ends if COMPLETE else (ends[place % 2],):
                value = ",".join([end] * len(usual.split(",")))
                found = self.cycles(chip, words, key, value)
                is_more = float(end) > max(float(item or 0) for item in usual.split(","))
                if MEASURED.fullmatch(key) or not (LONGER.fullmatch(unit) or SHORTER.fullmatch(unit)):
                    continue
                before, after = self.usual[chip, words], found
                if is_more == bool(SHORTER.fullmatch(unit)):
                    before, after = after, before
                self.assertFalse(before > after * POLLED, (words, key, value, found, self.usual[chip, words]))

    def test_no_end_of_a_range_crashes_and_cycles_follow_it(self):
        self.usual = {(chip, words): self.cycles(chip, words) for chip in RUNS for words in RUNS[chip]}
        tasks = [(chip, place, number) for chip in RUNS for place, number in enumerate(self.numbers(chip))]
        self.assertGreater(len(tasks), 300)
        with ThreadPoolExecutor(2) as pool:
            for _ in pool.map(lambda task: self.check(*task), tasks):
                pass

    def test_depths_act_in_one_direction_beyond_a_byte(self):
        for chip, key in DEEP:
            words = RUNS[chip][0]
            found = [self.cycles(chip, words, key, depth) for depth in (1, 2, 255, 256, 257, 512)]
            self.assertEqual(found, sorted(found, reverse=True), key)


if __name__ == "__main__":
    unittest.main(argv=[word for word in sys.argv if word != "--complete"])
