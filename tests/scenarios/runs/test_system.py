"""The system around the chip: several dies, and SimGrid's trace."""
import os
import unittest

import gridloom
from gridloom import SMALL


class System(gridloom.Scenario):
    def trace(self, *words):
        self.succeed("run", "transfer", *SMALL, "-q", "--system-trace", "t.paje", *words)
        return self.read("t.paje")

    def test_the_trace_is_paje_with_the_links_of_the_system(self):
        text = self.trace()

        self.assertIn("%EventDef PajeDefineContainerType 0\n", text)
        self.assertIn("%EndEventDef\n", text)
        for link in ("pcie_up", "pcie_down"):
            self.assertRegex(text, rf'(?m)^6 0\.0+ \d+ \d+ 0 "{link}"$')
        self.assertEqual(os.listdir(self.folder), ["t.paje"])

    def test_the_trace_counts_nanoseconds(self):
        self.assertRegex(self.trace(), r"(?m)^\d+ 0\.000001342000 ")

    def test_two_traces_have_the_same_bytes(self):
        self.assertEqual(self.trace(), self.trace())

    def test_a_trace_changes_no_result(self):
        plain = self.result("transfer", *SMALL)
        traced = self.result("transfer", *SMALL, "--system-trace", "t.paje")

        self.assertEqual({**plain, "host": None}, {**traced, "host": None})

    def test_a_trace_can_go_into_a_device(self):
        self.succeed("run", "transfer", *SMALL, "-q", "--system-trace", "/dev/null")

        self.assertEqual(os.listdir(self.folder), [])

    def test_two_dies_and_their_ethernet_are_a_system_too(self):
        one = self.result("transfer", *SMALL)
        two = self.result("transfer", *SMALL, "--system", "n300")

        self.assertEqual(two["chip"], "wormhole_n300")
        links = two["metrics"].pop("links")
        energies = [run["metrics"].pop("energy_parts") for run in (one, two)]
        for run in (one, two):
            for name in ("energy_low_joules", "energy_high_joules", "power_watts"):
                run["metrics"].pop(name)
        self.assertEqual(two["metrics"], one["metrics"])
        self.assertEqual(energies[1][0]["done"], 2 * energies[0][0]["done"])  # a die idles
        self.assertEqual((two["system"], two["chips"]), ("n300", 2))
        self.assertNotIn("system", one)
        self.assertEqual([link["name"] for link in links],
                         ["pcie_up", "pcie_down", "eth_0_to_1", "eth_1_to_0",
                          "dispatch_0_to_1", "dispatch_1_to_0"])
        self.assertRegex(self.trace("--system", "n300"), r'(?m) "\w*eth\w*"$')


if __name__ == "__main__":
    unittest.main()
