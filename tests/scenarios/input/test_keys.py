"""Every number of a chip file that can be set is read by some code, and numbers that are read
change results."""
import json
import os
import re
import unittest

import gridloom
from gridloom import INPUT, SOURCE

ROOMS = ("sim", "arch", "workloads", "traces", "tools/gridloom")
# Files that name keys without using them for a result: the tables, and formulas that stand
# beside runs.
NO_READERS = re.compile(r"(^|/)(keys\.c|estimate\w*\.[ch])$")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
PAIR = re.compile(r'"(\w+)",\s*"(\w+)"')  # as those write it who read a result's ledger


def sources():
    """(path, text) of all code that may read a number."""
    for room in ROOMS:
        for folder, folders, names in os.walk(os.path.join(SOURCE, room)):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)
                if name.endswith((".c", ".h", ".lua")) and not NO_READERS.search(path):
                    with open(path, encoding="utf-8") as file:
                        yield path, file.read()


class Readers:
    """The names that code asks for: whole ones, and ones made of parts, such as
    pcie.%s_issue_cycles."""

    def __init__(self):
        self.names = set()
        self.templates = []  # (pattern, words of its folder)
        words = {}
        for path, text in sources():
            here = words.setdefault(os.path.dirname(path), set())
            for literal in LITERAL.findall(text):
                here.add(literal)
                self.names.add(literal)
                if re.fullmatch(r"[a-z]\w*(%s)?\.[\w%]*%s[\w%]*", literal):
                    pattern = re.escape(literal).replace("%s", r"([a-z0-9]\w*)")
                    self.templates.append((re.compile(pattern), here))
            self.names.update(".".join(pair) for pair in PAIR.findall(text))

    def has(self, key):
        if key in self.names:
            return True
        for pattern, words in self.templates:
            match = pattern.fullmatch(key)
            if match and all(part in words for part in match.groups()):
                return True
        return False


class Keys(gridloom.Scenario):
    def chips(self):
        """Names of all chips that are shipped."""
        return sorted(name[:-4] for name in os.listdir(os.path.join(SOURCE, "arch/chips")))

    def keys(self, chip):
        numbers = json.loads(self.succeed("describe", chip, "--json", "-").stdout)["chip_parameters"]
        return [f"{number['section']}.{number['key']}" for number in numbers]

    def changed(self, words, key, value):
        """Results of a run, and of the same run with another number, without the members that
        repeat it."""
        results = []
        for change in ((), ("--set", f"{key}={value}")):
            self.succeed(*words, *change, "--json", "result.json", "-q")
            result = json.loads(self.read("result.json"))
            results.append({name: result[name] for name in ("cycles", "seconds", "metrics", "roofs")
                            if name in result})
        return results[0] != results[1]

    def test_something_reads_every_number_but_information(self):
        readers = Readers()

        self.assertTrue(readers.has("noc.hop_cycles"))
        self.assertTrue(readers.has("pcie.write_issue_cycles"))
        self.assertFalse(readers.has("pcie.sideways_issue_cycles"))
        for chip in self.chips():
            unread = {key for key in self.keys(chip) if not readers.has(key)}
            told = {key for key in self.keys(chip) if key.startswith("information.")}
            self.assertEqual(unread - told, set(), f"{chip}: nothing reads these, so they are information")
            self.assertEqual(told - unread, set(), f"{chip}: these are read, so they are no information")

    def test_information_is_told_and_cannot_be_set(self):
        says = ["information.mover_start_cycles = 900", "information that nothing reads"]
        words = ("--set", "information.mover_start_cycles=900")

        self.assertFails(INPUT, says, "run", "transfer", *gridloom.SMALL, *words)
        self.assertFails(INPUT, says, "noc", "transfer", "--op", "write", "--to", "2,2", *words)
        described = self.succeed("describe", "wormhole_n300").stdout
        self.assertIn("[information]  not simulated: nothing reads it, --set refuses it\n", described)
        self.assertIn("[host]\n", described)

    def test_channels_of_the_networks_are_what_the_chip_says(self):
        reads = ("noc", "transfer", "--pattern", "all-from-all", "--grid", "8x4", "--bytes", "4096",
                 "--count", "1")

        for key, value in (("noc.dateline", "wrap"), ("noc.response_vc_choice", "fixed"),
                           ("noc.response_vc_count", "1")):
            self.assertTrue(self.changed(reads, key, value), key)

    def test_banks_of_src_change_the_time_and_not_the_numbers(self):
        block = ("run", "matmul", "m=64", "k=64", "n=64", "from=l1")
        product = (*block, "blocked=off")

        self.assertTrue(self.changed(product, "unpack.matmul_bank_count", "2"))  # the check passes
        self.succeed(*product, "--set", "unpack.matmul_bank_count=8")
        self.assertTrue(self.changed(block, "unpack.src_bank_count", "1"))
        self.succeed("run", "vecadd", "tiles=16", "--set", "unpack.src_bank_count=8")


    def test_widths_of_ways_and_of_the_sfpu_change_the_time(self):
        """What a narrow way lets through is never more than its roof."""
        add = ("run", "vecadd", "tiles=16", "from=l1")
        cases = (("unpack.l1_bytes_per_cycle", add, 2 * 2048), ("pack.l1_bytes_per_cycle", add, 2048))

        for key, words, tile_bytes in cases:
            self.assertTrue(self.changed(words, key, "32"), key)
            for width in (1, 4, 16):
                self.succeed(*words, "--set", f"{key}={width}", "--json", "r.json", "-q")
                cycles = json.loads(self.read("r.json"))["cycles"]
                least = 16 * tile_bytes / width
                self.assertTrue(least < cycles < 1.1 * least + 5000, (key, width, cycles))
        vectors = (*add, "unit=sfpu")
        self.assertTrue(self.changed(vectors, "sfpu.lane_count", "16"))
        self.assertTrue(self.changed(vectors, "sfpu.lane_count", "64"))
        self.assertFalse(self.changed(vectors, "sfpu.fp32_lane_count", "16"))  # its numbers are BF16
        wide = (*vectors, "dtype=fp32")
        self.assertTrue(self.changed(wide, "sfpu.fp32_lane_count", "16"))
        self.assertFalse(self.changed(wide, "sfpu.lane_count", "16"))

    def test_numbers_of_32_bits_take_as_many_vectors_more(self):
        """32 vectors of 6 slots for a tile on 32 lanes, so many more on 16."""
        words = ("run", "vecadd", "tiles=16", "from=l1", "unit=sfpu", "dtype=fp32", "unroll=off", "-q")
        busy = []
        for lanes in (32, 16, 8):
            self.succeed(*words, "--set", f"sfpu.fp32_lane_count={lanes}", "--json", "r.json")
            busy.append(json.loads(self.read("r.json"))["metrics"]["units"]["sfpu"]["busy"])
        self.assertEqual([(more - busy[0]) / 16 for more in busy], [0, 192, 576])

    def test_no_width_lets_a_run_pass_its_roofs(self):
        """Narrow ways, few lanes and a slow DRAM are roofs that runs stay below."""
        add = ("run", "vecadd", "tiles=64", "rows=2", "cols=2", "-q")
        cases = (("unpack.l1_bytes_per_cycle", 4, (*add, "from=l1")),
                 ("unpack.l1_bytes_per_cycle", 4, ("run", "matmul", "from=l1", "-q")),
                 ("pack.l1_bytes_per_cycle", 4, (*add, "from=l1")),
                 ("sfpu.lane_count", 1, (*add, "from=l1", "unit=sfpu")),
                 ("sfpu.fp32_lane_count", 1, (*add, "from=l1", "unit=sfpu", "dtype=fp32")),
                 ("dram.channel_bytes_per_second", 1000000000, add))

        for key, value, words in cases:
            self.assertTrue(self.changed(words, key, str(value)), key)
            result = json.loads(self.read("result.json"))
            used = {roof["name"]: roof["achieved"] / roof["value"] for roof in result["roofs"]
                    if roof["achieved"] is not None}
            self.assertTrue(used, key)
            self.assertLessEqual(max(used.values()), 1, (key, used))


if __name__ == "__main__":
    unittest.main()
