"""Chip files and --set words that cannot be used."""
import os
import re
import unittest

import gridloom
from gridloom import INPUT, SOURCE

KEY = "host_to_device_bytes_per_second"
RANGE = "a whole number, 1..10000000000000 bytes per second"
KNOWN = ("known are a100_40gb, a100_80gb, gtx980, h100, h200, k20c, nero_ad9h7, nero_ad9v3, power9, titanx, wormhole_n150, "
         "wormhole_n300, wse1, wse2, wse3")


class BadChips(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        with open(os.path.join(SOURCE, "arch/chips/wormhole_n300.ini"),
                  encoding="utf-8") as file:
            self.text = file.read()

    def line_of(self, text, start):
        return [line.startswith(start) for line in text.splitlines()].index(True) + 1

    def assertRefused(self, text, *says):
        """Every command that reads the chip file says the same."""
        self.write("chip.ini", text)
        for words in (["run", "transfer", "--chip", "chip.ini", "--json", "r.json"],
                      ["describe", "./chip.ini"]):
            self.assertFails(INPUT, ["chip.ini", *says], *words)

    def assertSetRefused(self, word, *says):
        for words in (["run", "transfer", "--json", "r.json"], ["describe", "wormhole_n300"]):
            self.assertFails(INPUT, ["--set: wormhole_n300: ", *says], *words, "--set", word)

    def replaced(self, pattern, replacement):
        text, count = re.subn(pattern, replacement, self.text, count=1, flags=re.MULTILINE)
        self.assertEqual(count, 1)
        return text

    def test_a_copy_of_a_chip_file_can_be_used(self):
        self.write("mine.ini", self.text)

        result = self.result("transfer", *gridloom.SMALL, "--chip", "mine.ini")

        self.assertEqual(result["chip"], "mine")

    def test_an_unknown_chip_lists_the_known_ones(self):
        for name in ("wormhole", "missing.ini", "./missing.ini"):
            self.assertFails(INPUT, [f"{name}: no such chip", KNOWN], "run", "transfer",
                             "--chip", name, "--json", "r.json")

    def test_a_folder_is_no_chip(self):
        self.assertFails(INPUT, [f"{self.folder}: ", "folder"], "run", "transfer",
                         "--chip", self.folder)

    def test_an_empty_file_and_garbage_are_refused(self):
        self.assertRefused("")
        self.assertRefused(bytes(range(256)))
        self.assertRefused("hello\n", "chip.ini:1: hello, expected [section], key = value")

    def test_an_unknown_key_is_refused_with_its_line(self):
        text = self.replaced(f"^{KEY} = .*$", r"\g<0>\n# cycles; assumed; a guess\nspin_cycles = 1")
        line = self.line_of(text, "spin_cycles")

        self.assertRefused(text, f"chip.ini:{line}: pcie.spin_cycles = 1, no such key")

    def test_a_missing_key_is_refused_with_its_section(self):
        line = self.line_of(self.text, "[pcie]")

        self.assertRefused(self.replaced(f"^{KEY} = .*\n", ""),
                           f"chip.ini:{line}: pcie.{KEY} is missing", RANGE)

    def test_a_key_with_another_unit_is_refused(self):
        line = self.line_of(self.text, KEY)

        self.assertRefused(self.replaced(f"^{KEY}", "host_to_device_bytes_per_cycle"),
                           f"chip.ini:{line}: pcie.host_to_device_bytes_per_cycle",
                           f"wrong unit, expected pcie.{KEY} in bytes per second")

    def test_a_comment_with_another_unit_is_refused(self):
        line = self.line_of(self.text, KEY)

        self.assertRefused(self.replaced(rf"^# bytes per second;(.*\n{KEY})", r"# cycles;\1"),
                           f"chip.ini:{line}: ", '"cycles"', '"bytes per second"')

    def test_a_value_out_of_range_or_no_number_is_refused(self):
        line = self.line_of(self.text, KEY)

        for value in ("0", "-5", "10000000000001", "fast", "1.5", "1e400", ""):
            self.assertRefused(self.replaced(f"^{KEY} = .*$", f"{KEY} = {value}"),
                               f"chip.ini:{line}: pcie.{KEY} = {value or '(nothing)'}", RANGE)

    def test_a_duplicate_section_is_refused_with_both_lines(self):
        first = self.line_of(self.text, "[pcie]")
        second = len(self.text.splitlines()) + 1

        self.assertRefused(self.text + "[pcie]\n",
                           f"chip.ini:{second}: [pcie], duplicate section", f"line {first}")

    def test_a_duplicate_key_is_refused(self):
        line = self.line_of(self.text, KEY)

        self.assertRefused(self.replaced(f"^{KEY} = .*$", r"\g<0>\n\g<0>"),
                           f"chip.ini:{line + 1}: ", "duplicate", str(line))

    def test_set_without_section_key_and_value_is_refused(self):
        for word in ("nonsense", "=", "pcie.=1", ".x=1", "pcie=1", ""):
            self.assertSetRefused(word, "expected section.key=value")

    def test_set_with_an_unknown_section_lists_the_sections(self):
        self.assertSetRefused("nowhere.hop_cycles=1", "no such section",
                              "have chip, grid, noc,")

    def test_set_with_an_unknown_key_names_the_nearest(self):
        self.assertSetRefused(f"pcie.host_to_devise_bytes_per_second=1", "no such key",
                              f"the nearest is pcie.{KEY}")

    def test_set_with_a_bad_value_says_what_is_allowed(self):
        for value in ("fast", "-1", "0", "", "1e99", "12 GB"):
            self.assertSetRefused(f"pcie.{KEY}={value}", f"pcie.{KEY} = ", RANGE)

    def test_set_with_bytes_that_are_no_text_is_refused(self):
        for word in ("\u00fc=1", "pcie.\u00fc=1", b"pcie.\xff=1"):
            self.assertSetRefused(word)

    def test_set_cannot_change_the_family(self):
        self.assertSetRefused("chip.family=wse", "use another chip")


if __name__ == "__main__":
    unittest.main()
