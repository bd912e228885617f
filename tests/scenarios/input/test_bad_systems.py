"""System descriptions that cannot be used: refused before SimGrid sees them."""
import os
import unittest

import gridloom
from gridloom import INPUT, SMALL, SOURCE


class BadSystems(gridloom.Scenario):
    def setUp(self):
        super().setUp()
        with open(os.path.join(SOURCE, "arch/systems/default.xml"),
                  encoding="utf-8") as file:
            self.text = file.read()

    def assertRefused(self, text, *says):
        self.write("system.xml", text)
        for words in (["--json", "r.json", "--system-trace", "t.paje"], ["--dry-run"]):
            self.assertFails(INPUT, ["system.xml", *says], "run", "transfer", *SMALL,
                             "--system", "system.xml", *words)

    def without(self, text):
        self.assertIn(text, self.text)
        return self.text.replace(text, "")

    def test_a_copy_of_a_system_can_be_used(self):
        self.write("mine.xml", self.text)

        self.result("transfer", *SMALL, "--system", "mine.xml")

    def test_an_unknown_system_lists_the_known_ones(self):
        for name in ("nowhere", "./nowhere.xml"):
            self.assertFails(INPUT, [f"{name}: no such system", "known are default, galaxy32, n150x4-pcie, n300, t3000"],
                             "run", "transfer", "--system", name)

    def test_a_folder_is_no_system(self):
        self.assertFails(INPUT, [self.folder], "run", "transfer", "--system", self.folder)

    def test_malformed_xml_is_refused_with_its_line(self):
        self.assertRefused(self.text[:len(self.text) // 2], "malformed XML")
        self.assertRefused(self.text.replace("</zone>", ""), "system.xml:", "malformed XML")
        self.assertRefused("", "empty")
        self.assertRefused("just text\n", "system.xml:1: ")
        self.assertRefused(bytes(range(256)), "system.xml:1: ")

    def test_a_system_without_a_chip_is_refused(self):
        self.assertRefused(self.without('<prop id="chip" value="any"/>'),
                           "no host with property chip")

    def test_a_link_of_an_unknown_kind_lists_the_kinds(self):
        self.assertRefused(self.text.replace("host_to_device", "teleport"),
                           "kind = teleport", "host_to_device, device_to_host, ethernet")

    def test_a_missing_route_is_refused(self):
        self.assertRefused(self.without(
            '<route src="chip0" dst="host" symmetrical="NO"><link_ctn id="pcie_down"/></route>'))

    def test_an_unknown_element_is_refused(self):
        self.assertRefused(self.text.replace("<zone", "<pancake/><zone"), "system.xml:6: ",
                           "element pancake")

    def test_a_chip_that_does_not_exist_lists_the_known_ones(self):
        self.write("system.xml", self.text.replace('value="any"', 'value="wormhole_n9"'))

        self.assertFails(INPUT, ["wormhole_n9: no such chip", "known are a100_40gb"],
                         "run", "transfer", "--system", "system.xml")


if __name__ == "__main__":
    unittest.main()
