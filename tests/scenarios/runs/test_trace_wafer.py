"""Traces of wafers: the exchange of columns along a row, grains, blocks, threads."""
import unittest

from test_trace import Traces

ROW = ["stencil25", "--chip", "wse2", "nx=12", "ny=1", "nz=8", "steps=1", "--timing-only"]
PLANE = ["stencil25", "--chip", "wse2", "nx=7", "ny=6", "nz=8", "steps=1",
         "--timing-only"]
PERIOD = 5


def total_of(samples, ending):
    return sum(value for name, values in samples.items() if name.endswith(ending)
               for _, value in values)


class Exchange(Traces):
    """The localized broadcast: PEs of a row become Root one after the other."""

    def setUp(self):
        super().setUp()
        self.trace, _ = self.run_traced(*ROW)

    def positions(self, x):
        return [happened.name for happened in self.trace.slices[f"pe[{x},0].switch0"]]

    def test_positions_go_round(self):
        self.assertEqual(self.positions(0), ["Root", "Closed", "Root"])
        self.assertEqual(self.positions(1), ["Intermediate", "Root", "Closed", "Intermediate"])
        self.assertEqual(self.positions(5), ["Root", "Closed", "Last", "Intermediate", "Root"])
        self.assertEqual(self.positions(9), ["Last", "Intermediate", "Root", "Closed", "Last"])

    def test_root_shifts_along_the_row(self):
        begins = [[happened.begin for happened in self.trace.slices[f"pe[{x},0].switch0"]
                   if happened.name == "Root"][0] for x in range(PERIOD, 2 * PERIOD)]

        self.assertEqual(begins, sorted(begins))
        self.assertEqual(len(set(begins)), PERIOD)

    def test_a_switch_is_always_somewhere(self):
        for x in range(12):
            slices = self.trace.slices[f"pe[{x},0].switch0"]
            self.assertEqual([happened.begin for happened in slices[1:]],
                             [happened.end for happened in slices[:-1]])

    def test_streams_arrive_from_the_four_before(self):
        senders = [happened.arguments["x"] for happened in self.trace.marks["pe[7,0].router"]
                   if happened.name == "arrive" and happened.arguments["color"] == 4]

        self.assertEqual(sorted(set(senders)), [3, 4, 5, 6])


class Sums(Traces):
    """The trace shows the real program, and nothing of the slices that streams are fitted on."""

    def assertSums(self, words, pes):
        trace, result = self.run_traced(*words)
        total = pes * result["cycles"]

        self.assertEqual(trace.busy("ce"), round(result["busy"]["busy"] * total))
        self.assertEqual(trace.stalls(["ce"]).get("memory_idle", 0),
                         result["stalls"]["memory_idle"])
        self.assertEqual(4 * self.link_cycles(trace), result["counters"]["noc_bytes"])

    def test_single_wavelets(self):
        self.assertSums([*PLANE, "grain=wavelet"], 42)

    def test_streams(self):
        self.assertSums([*PLANE, "grain=stream"], 42)

    def test_blocks_have_the_same_sums(self):
        words = [*PLANE, "grain=stream"]
        full, _ = self.run_traced(*words)
        blocks, _ = self.run_traced(*words, "--trace-level", "blocks")

        for unit in ("ce", "main", "thread0", "thread5", "ramp"):
            self.assertEqual(total_of(blocks.samples, f".{unit}/busy"), full.busy(unit), unit)
        self.assertEqual(total_of(blocks.samples, ".ce/stalled"),
                         full.stalls(["ce"]).get("memory_idle", 0))
        self.assertEqual(self.link_cycles(blocks), self.link_cycles(full))
        self.assertEqual(total_of(blocks.samples, ".switch0/busy"), 0)

    def test_the_bytes_do_not_depend_on_threads(self):
        for words in ([*PLANE, "grain=wavelet"], [*PLANE, "grain=stream"],
                      [*PLANE, "grain=stream", "--trace-level", "blocks"]):
            written = []
            for threads in ("1", "3"):
                self.succeed("run", *words, "-q", "--threads", threads, "--trace",
                             "t.pftrace")
                written.append(self.bytes_of("t.pftrace"))
            self.assertEqual(written[0], written[1], words)


if __name__ == "__main__":
    unittest.main()
