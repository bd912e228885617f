"""Times of conjugate gradients and dot products over the chips of a system, and the links' share."""
import json
import unittest

import gridloom

SMALL = ["rows=2", "cols=2", "tiles=3", "iterations=3"]
PARTS = [f"{part}_seconds_per_iteration" for part in ("compute", "noc", "ethernet", "host")]
NS = 1e-9
# Latency and speed of Ethernet, from tt-metal's BasicEthernetGuide; and of a nearly free link.
LATENCY, SPEED, PAYLOAD, OVERHEAD = 500 * NS, 12.5e9, 1500, 50
FREE_LATENCY, FREE_SPEED = 100 * NS, 1e13


class ChipTimes(gridloom.Scenario):
    def run_on(self, system, script, *words):
        """The result."""
        ran = self.gridloom("run", script, "--system", system, *words, "--json", "r.json", "--no-trace")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads(self.read("r.json"))

    def test_one_chip_of_a_system_takes_the_time_of_one_chip(self):
        for variant in ("fused", "split"):
            alone = self.run_on("default", "pcg", *SMALL, f"variant={variant}")
            one = self.run_on("n300", "pcg", *SMALL, f"variant={variant}", "chips=1")

            self.assertEqual(one["cycles"], alone["cycles"])

    def test_threads_and_data_change_no_cycle(self):
        one = self.run_on("n300", "pcg", *SMALL, "--threads", "1")
        two = self.run_on("n300", "pcg", *SMALL, "--threads", "2")
        timed = self.run_on("n300", "pcg", *SMALL, "--timing-only")

        for result in (one, two):
            del result["host"]
        self.assertEqual(one, two)
        self.assertEqual(one["cycles"], timed["cycles"])

    def test_parts_of_the_time_add_up(self):
        for variant in ("fused", "split"):
            for system in ("n300", "t3000"):
                result = self.run_on(system, "pcg", *SMALL, f"variant={variant}")
                parts = [result["metrics"][name] for name in PARTS]

                self.assertGreater(min(parts), 0)
                self.assertAlmostEqual(sum(parts), result["seconds_per_iteration"], delta=1e-12)

    def test_waiting_for_the_whole_exchange_takes_longer(self):
        words = ["rows=1", "cols=1", "tiles=64", "iterations=2", "--timing-only"]
        on = self.run_on("n300", "pcg", *words)
        off = self.run_on("n300", "pcg", *words, "overlap=off")

        self.assertLess(on["cycles"], off["cycles"])
        self.assertLess(on["metrics"]["ethernet_seconds_per_iteration"], off["metrics"]["ethernet_seconds_per_iteration"])

    # The cost of the link between two chips: seconds with it minus seconds with a nearly free
    # one.

    def lost_seconds(self, script, *words):
        def seconds(*numbers):
            """Seconds per iteration, without the start."""
            few, many = (self.run_on("n300", script, *words, f"iterations={n}", "--timing-only", *numbers) for n in (2, 6))
            return (many["seconds"] - few["seconds"]) / 4

        return seconds() - seconds("--set", f"ethernet.latency_ns={FREE_LATENCY / NS:.0f}", "--set",
                                   f"ethernet.bytes_per_second={FREE_SPEED:.0f}")

    def expected_seconds(self, latencies, messages):
        """Seconds for so many consecutive messages, and for these bytes."""
        sent = sum(size + -(-size // PAYLOAD) * OVERHEAD for size in messages)
        return latencies * (LATENCY - FREE_LATENCY) + sent * (1 / SPEED - 1 / FREE_SPEED)

    def test_a_sum_over_two_chips_loses_a_message_there_and_one_back(self):
        for granularity, size in (("scalar", 32), ("tile", 4096)):
            lost = self.lost_seconds("dot", "rows=1", "cols=1", "tiles=2", f"granularity={granularity}")

            self.assertAlmostEqual(lost / self.expected_seconds(2, [size, 32]), 1, delta=0.05)

    def test_an_iteration_of_two_chips_loses_what_its_messages_take(self):
        """Four sums, there and back, and halos. Halos follow a total on its way: they cost time for
        their bytes, but no latency of their own."""
        for tiles in (4, 24):
            for granularity, size in (("scalar", 32), ("tile", 2048)):
                lost = self.lost_seconds("pcg", "rows=1", "cols=1", f"tiles={tiles}", "overlap=off", "unattributed=off",
                                         f"granularity={granularity}")

                self.assertAlmostEqual(lost / self.expected_seconds(8, 4 * [size, 32] + [tiles * 32]), 1, delta=0.05)

    def test_links_have_carried_what_was_sent(self):
        result = self.run_on("n300", "pcg", "rows=2", "cols=1", "tiles=4", "iterations=3", "dots=3", "--timing-only")
        links = {link["name"]: link for link in result["metrics"]["links"]}

        # Lines of 4 tiles, one message each, from 2 cores in 3 products; 2 sums at the start
        # and 3 per iteration.
        halos, sums = 3 * 2 * 4 * (32 + OVERHEAD), 2 + 3 * 3
        self.assertEqual(links["eth_1_to_0"]["bytes"], halos + sums * (2048 + 2 * OVERHEAD))
        self.assertEqual(links["eth_0_to_1"]["bytes"], halos + sums * (32 + OVERHEAD))
        for name in ("eth_0_to_1", "eth_1_to_0"):
            self.assertAlmostEqual(links[name]["busy_seconds"], links[name]["bytes"] / SPEED, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
