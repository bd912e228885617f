"""Collectives on wafers: right to the bit, times of hops, ramps and sums, refusals."""
import csv
import json
import os
import unittest

import gridloom
from gridloom import CHECK, DONE, INPUT
from workload_runs import WaferRuns, script_of

PATTERNS = ("merge", "center", "chain", "corner", "tree", "two-phase")
OPERATIONS = ("reduce", "broadcast", "allreduce")

# A workload with a pattern of a line that is written here.
OWN = """
local collective = require("wafer/collective")
local function own(count) %s end
return require("wafer/reduce").script { own = collective.along_lines(own) }
"""


# All-reduces of ones. Between them the PEs for which `slow` is true do other work.
UNEVEN = """
local classes, collective = require("wafer/tile_classes"), require("wafer/collective")
local function run(host, p)
    local function lay_out(layout)
        local plan = collective.plan(layout, {
            operation = "allreduce", pattern = p.pattern, words = p.words, input_queues = { 2, 3 },
            output_queues = { 4, 5 }, colors = { 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 },
        })
        local function is_slow(x, y) return %s end
        local slow = {}
        function slow:column_key(x) return x end
        function slow:row_key(y, x) return tostring(is_slow(x, y)) end
        plan:configure(layout)
        classes.each(layout, { plan, slow }, function(tiles, x, y)
            layout:set_tile_code(tiles, "pe", function(pe)
                local value = pe:array { name = "value", type = "f32", count = p.words }
                local other = pe:array { name = "other", type = "f32", count = 500 }
                local moved = pe:mem1d_dsd { base = other, extent = 500 }
                local calls = pe:variable { name = "calls", value = 0 }
                local part = plan:attach(pe, { x = x, y = y, value = value, done = 2 })
                pe:bind_local_task(1, "begin", function()
                    if is_slow(x, y) then
                        pe:fmovs(moved, 0)
                    end
                    part:start()
                end)
                pe:bind_local_task(2, "ended", function()
                    pe:add(calls, 1)
                    pe:when(calls, "<", 4, function() pe:activate(1) end)
                end)
                pe:activate(1)
            end)
        end)
    end
    local wafer = host.wafer { columns = 4, rows = 5, layout = lay_out }
    local ones = host.buffer(20 * p.words * 4)
    ones:fill_with("fp32", 1)
    wafer:copy_to { name = "value", buffer = ones, count = p.words }
    wafer:launch()
    wafer:copy_from { name = "value", buffer = ones, count = p.words }
    for i = 0, 20 * p.words - 1 do
        host.check { error = math.abs(ones:get("fp32", i) - 20 ^ 4), tolerance = 0, reference = "20 ^ 4" }
    end
end
return {
    summary = "all-reduces with other work between", chips = { "wse" }, run = run,
    parameters = {
        { name = "pattern", type = "text", default = "chain", help = "of the sums" },
        { name = "words", type = "integer", default = 1, help = "numbers" },
    },
}
"""


def chip_number(path):
    """A number of the chip file."""
    section, key = path.split(".")
    with open(os.path.join(gridloom.SOURCE, "arch/chips/wse2.ini"), encoding="utf-8") as file:
        text = file.read().partition(f"[{section}]")[2].partition("\n[")[0]
    return int(next(line.split("=")[1] for line in text.splitlines() if line.startswith(key + " ")))


class Reduce(WaferRuns):
    SCRIPT = script_of("reduce")
    CHANGED = ("width=7", "height=6")

    # Numbers.

    def test_every_pattern_is_right_to_the_bit(self):
        self.assertAllRight([(f"pattern={pattern}", f"operation={operation}", f"width={width}", f"height={height}",
                              f"words={words}")
                             for pattern in PATTERNS for operation in OPERATIONS
                             for width, height, words in ((3, 1, 1), (1, 9, 5), (12, 1, 5), (4, 6, 1), (7, 5, 5),
                                                          (16, 10, 2))])

    def test_two_pes(self):
        self.assertAllRight([(f"pattern={pattern}", f"operation={operation}", *size)
                             for pattern in ("merge", "chain", "corner", "tree", "two-phase")
                             for size in (("width=2", "height=1"), ("width=1", "height=2"))
                             for operation in OPERATIONS])

    def test_groups_of_every_size_that_divides(self):
        self.assertAllRight([("pattern=two-phase", f"group={group}", "width=24", "height=12")
                             for group in (2, 3, 4, 6, 12)])

    def test_calls_do_not_overrun_each_other(self):
        """PEs do not wait for each other between calls, and queues hold less than a call."""
        self.assertAllRight([(f"pattern={pattern}", f"operation={operation}", "width=9", "height=6", f"words={words}",
                              "iterations=25")
                             for pattern in PATTERNS for operation in OPERATIONS for words in (1, 40)])

    def test_pes_that_are_late_are_not_overrun(self):
        """The root, all but the root, and some PEs are late: wavelets for them wait."""
        for slow in ("x == plan.root.x and y == plan.root.y",
                     "x ~= plan.root.x or y ~= plan.root.y", "x == plan.root.x", "(x + y) % 3 == 0"):
            script = self.write("uneven.lua", UNEVEN % slow)
            self.assertAllRight([(f"pattern={pattern}", f"words={words}") for pattern in PATTERNS
                                 for words in (1, 2, 3, 40)], script=self.path(script))

    def test_both_grains(self):
        """Numbers to the bit, and cycles within 1 %. In the grain of streams trees and merging
        streams are single wavelets, so they are short. In an all-reduce of groups a PE that is held
        back is late for the broadcast."""
        few = {(pattern, of): 4 for pattern in ("merge", "tree") for of in OPERATIONS} | {("two-phase", "allreduce"): 5}
        self.assertGrainsAgree("cycles_per_call", [
            (f"pattern={pattern}", f"operation={operation}", "width=27", "height=26", f"words={words}")
            for pattern in PATTERNS for operation in OPERATIONS
            for words in (1, few.get((pattern, operation), 30))], within=0.01)

    def test_merging_streams_take_little_more_than_the_way(self):
        """From the farthest corners to the middle and back: within a quarter, on more PEs and on
        few in a row, and each further word of a PE takes a cycle."""
        cycles = [metrics["first_call_cycles"] for metrics in self.metrics_of(
            [("width=200", "height=150", "words=1"), ("width=200", "height=150", "words=2"), ("width=755", "height=1")],
            "pattern=merge", "operation=allreduce", "iterations=1", "--timing-only")]

        self.assertLess(cycles[0], 1.25 * (200 + 150 - 2) + 150)
        self.assertAlmostEqual(cycles[1] - cycles[0], (100 + 75), delta=20)
        self.assertLess(cycles[2], 1.25 * 754)

    def test_streams_of_groups_come_from_a_slice_with_groups(self):
        metrics = self.outcome("pattern=two-phase", "group=7", "width=56", "height=49",
                               "grain=stream", "--timing-only")["metrics"]

        self.assertEqual((metrics["slice_columns"], metrics["slice_rows"]), (28, 35))

    def test_streams_of_large_groups_are_as_fast_as_wavelets(self):
        """A slice has both phases and the whole's groups, whether they are given or chosen."""
        self.assertGrainsAgree("cycles_per_call", [
            (f"words={words}", *size) for words in (8, 200)
            for size in (("width=56", "height=1", "group=28"), ("width=128", "height=1"), ("width=40", "height=36"))],
            "pattern=two-phase", within=0.005)

    def test_a_second_phase_takes_no_slots_from_the_first(self):
        """It is held back by switches until the streams of the first are through: two cycles for
        each word, one of each phase. A stream that only waited for its receiver would fill the
        routers on the way, two wavelets in each, while the first uses the same links."""
        for width, group in ((128, 64), (24, 8)):
            few, many = self.calls([("words=200",), ("words=500",)], "pattern=two-phase", f"width={width}", "height=1",
                                   f"group={group}")
            self.assertEqual(many - few, 2 * 300, group)

    def test_a_slice_without_every_round_of_a_tree_is_refused(self):
        words = ("pattern=tree", "width=56", "height=1", "words=40", "--timing-only")

        self.assertFails(2, ["an exact slice of 25x1 PEs has no streams of color", "grain=wavelet"],
                         "run", self.SCRIPT, *self.CHIP, *words, "grain=stream")
        self.succeed("run", self.SCRIPT, *self.CHIP, *words, "grain=wavelet", "-q")

    def test_streams_behind_others_that_cannot_be(self):
        """A switch turns after one stream, and back after another."""
        script = self.write("own.lua", OWN % """
            return count == 1 and {} or { { into = 1, from = 2, color = 1 }, { into = 3, from = 4, color = 1 },
                { into = 1, from = 3, color = 1, is_behind = true }, { into = 0, from = 1, color = 1, is_behind = true } }""")
        self.assertFails(INPUT, ["color 1"], "run", script, "--chip", "wse2", "width=5", "height=1", traceback=None)

    def test_the_check_finds_what_is_wrong(self):
        for library, right, wrong, word in (
                ("wafer/collective.lua", "pe:fadds(step.to, step.from, step.own, options)",
                 "pe:fmovs(step.to, step.from, options)", "pattern=chain"),
                ("wafer/collective.lua", "pe:fadds(step.sums, step.from, step.sums, options)",
                 "pe:fmovs(step.sums, step.from, options)", "pattern=corner"),
                ("wafer/collective.lua", 'emit("broadcast", form.spread_to, form.spread,',
                 'emit("broadcast", form.spread_to, 0,', "operation=broadcast")):
            self.assertEqual(self.run_with(library, right, right, word), DONE, word)
            self.assertEqual(self.run_with(library, right, wrong, word), CHECK, wrong)

    def test_sums_in_another_order_are_seen(self):
        """The check adds in the pattern's order: a reference in another order finds a difference."""
        self.assertEqual(self.run_with(
            "wafer/reduce.lua", "collective.merges(pattern, p.width, p.height, p.group)",
            'collective.merges("tree", p.width, p.height, p.group)', "pattern=corner"), CHECK)

    def test_threads_and_data_do_not_change_time(self):
        cases = [(f"pattern={pattern}", "width=30", "height=28", "words=3") for pattern in PATTERNS]
        self.assertThreadsDoNotMatter(cases=cases)
        self.assertDataTakeNoTime(cases=cases)

    # Time.

    def calls(self, cases, *words):
        """Cycles of calls that all PEs begin at once."""
        metrics = self.metrics_of(cases, *words, "iterations=1", "--timing-only")
        self.assertEqual({of["start_skew_cycles"] for of in metrics}, {0})
        return [of["cycles_per_call"] for of in metrics]

    def stage(self, settings):
        """A hop, in by the ramp, an addition and its way to the queue, out by the ramp."""
        parts = ("fabric.hop_cycles", "ramp.in_latency_cycles", "ramp.enqueue_cycles",
                 "ramp.out_latency_cycles")
        return sum(settings.get(part, chip_number(part)) for part in parts)

    def test_a_chain_takes_a_stage_for_every_pe(self):
        stage = self.stage({})
        self.assertEqual(stage, 6)
        widths = (2, *range(3, 33), 100, 755)
        cycles = self.calls([(f"width={width}",) for width in widths], "pattern=chain", "operation=reduce", "height=1")
        for width, taken in zip(widths, cycles, strict=True):
            self.assertEqual(taken - cycles[0], stage * (width - 2), width)

    def test_a_snake_through_a_rectangle_is_as_long(self):
        cycles = self.calls([(f"width={width}", f"height={height}")
                             for width, height in ((20, 1), (5, 4), (4, 5), (1, 20), (10, 2))],
                            "pattern=chain", "operation=reduce")
        self.assertEqual(cycles, 5 * cycles[:1])

    def test_stages_follow_the_chip_file(self):
        for settings in ({"fabric.hop_cycles": 2}, {"fabric.hop_cycles": 5},
                         {"ramp.in_latency_cycles": 4}, {"ramp.out_latency_cycles": 1},
                         {"ramp.enqueue_cycles": 3},
                         {"fabric.hop_cycles": 3, "ramp.in_latency_cycles": 1,
                          "ramp.out_latency_cycles": 5}):
            words = [word for name, value in settings.items()
                     for word in ("--set", f"{name}={value}")]
            for grain in ("wavelet", "stream"):
                cycles = self.calls([(f"width={width}",) for width in (2, 3, 17, 100)], "pattern=chain",
                                    "operation=reduce", "height=1", f"grain={grain}", *words)
                self.assertEqual([c - cycles[0] for c in cycles],
                                 [self.stage(settings) * n for n in (0, 1, 15, 98)], settings)

    def test_a_further_word_takes_a_cycle(self):
        for width in (2, 9):
            one, many = self.calls([("words=1",), ("words=50",)], "pattern=chain", "operation=reduce",
                                   f"width={width}", "height=1")
            self.assertEqual(many - one, 49)

    def test_the_broadcast_takes_a_hop_for_every_pe(self):
        hop = chip_number("fabric.hop_cycles")
        for operation, each in (("broadcast", hop), ("allreduce", hop + self.stage({}))):
            near, far = self.calls([("width=20",), ("width=300",)], f"operation={operation}", "pattern=chain",
                                   "height=1")
            self.assertEqual(far - near, 280 * each)

    def test_patterns_of_a_rectangle(self):
        """Stages of the longest way, sent and spread, plus a constant of the pattern."""
        stage, hop = self.stage({}), chip_number("fabric.hop_cycles")

        def grows(pattern, small, large, cycles):
            few, many = self.calls([small, large], "operation=allreduce", f"pattern={pattern}")
            self.assertEqual(many - few, cycles, pattern)

        grows("corner", ("width=61", "height=61"), ("width=81", "height=91"), 50 * (stage + hop))
        grows("center", ("width=61", "height=61"), ("width=81", "height=91"), 25 * (stage + hop))

    def test_begins_are_apart_by_the_broadcast(self):
        """The last call's broadcast reaches PEs a hop later for each step from the root."""
        near, far = (of["start_skew_cycles"] for of in self.metrics_of(
            [("width=60",), ("width=80",)], "operation=allreduce", "pattern=corner", "height=10", "iterations=2",
            "--timing-only"))

        self.assertEqual(far - near, 20 * chip_number("fabric.hop_cycles"))

    def test_a_call_does_not_count_how_far_begins_are_apart(self):
        """All PEs begin the first call at once. A second call takes as long from its last begin,
        except for a task and the set-up of an operation."""
        first, both = self.metrics_of([("iterations=1",), ("iterations=2",)], "operation=allreduce", "pattern=corner",
                                      "width=80", "height=80", "--timing-only")
        second = 2 * both["cycles_per_call"] - first["cycles_per_call"]

        self.assertEqual(both["first_call_cycles"], first["cycles_per_call"])
        self.assertGreater(both["start_skew_cycles"], 2 * 79 - 20)
        self.assertAlmostEqual(second, first["cycles_per_call"], delta=40)

    def test_the_experiment_shows_the_best_of_what_it_measured(self):
        script = os.path.join(gridloom.SOURCE, "workloads/experiments/allreduce_patterns.lua")
        self.succeed("run", script, "--chip", "wse2", "most=8", "limit=256", "--out", "out", "-q",
                     "--no-trace")
        with open(self.path("out/allreduce_patterns.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        best = {}
        for row in rows:
            place = (row["shape"], row["width"], row["words"])
            if place not in best or int(row["cycles"]) < int(best[place]["cycles"]):
                best[place] = row
        result = json.loads(self.read("out/result.json"))

        self.assertEqual(result["check"]["status"], "pass")
        self.assertEqual(len(rows), sum(len(PATTERNS) - (int(words) > 4) for _, _, words in best))
        for shape, cells in (("row", 7), ("square", 5)):
            counts = {name: sum(row["shape"] == shape and row["pattern"] == name
                                for row in best.values()) for name in PATTERNS}
            self.assertEqual(sum(counts.values()), cells)
            self.assertEqual(self.read(f"out/best_{shape}.svg").count('class="plot-cell"'), cells)
            for name, count in counts.items():
                self.assertEqual(
                    result["metrics"][f"best_{shape}_{name.replace('-', '_')}"], count)

    # User-defined patterns.

    def test_the_pattern_of_the_documentation(self):
        script = os.path.join(gridloom.SOURCE, "workloads/experiments/reduce_radix4.lua")
        self.assertAllRight([("pattern=radix4", f"width={width}", f"height={height}", f"operation={operation}")
                             for width, height in ((16, 1), (5, 7), (21, 18)) for operation in OPERATIONS], script=script)

    def test_a_pattern_of_ones_own(self):
        """All PEs send to the first one, on a color each."""
        star = self.write("star.lua", OWN % """
            local merges = {}
            for from = 1, count - 1 do
                merges[from] = { into = 0, from = from, color = from }
            end
            return merges""")
        metrics = self.assertRight("width=8", "height=6", script=star)["metrics"]

        self.assertEqual((metrics["colors"], metrics["root_x"], metrics["root_y"]), (13, 0, 0))
        self.assertFails(INPUT, ["pattern own", "30 x 1 PEs need 30 colors, 21 are free"],
                         "run", star, "--chip", "wse2", "width=30", "height=1")

    def test_patterns_that_cannot_be(self):
        for merges, says in (
                ("{}", "PEs 0 and 1 both keep their sums"),
                ("{ { into = 0, from = 9, color = 1 } }", "no such PEs"),
                ("{ { into = 0, from = 1, color = 0 } }", "color"),
                ("{ { into = 0, from = 1, color = 1 }, { into = 2, from = 1, color = 1 } }",
                 "PE 1 has sent its sum already"),
                ("{ { into = 0, from = 1, color = 1 }, { into = 1, from = 2, color = 1 } }",
                 "PE 1 has sent its sum already"),
                ("{ { into = 1, from = 2, color = 1 }, { into = 0, from = 1, color = 1 } }",
                 "color 1 goes two ways in the router of PE 1")):
            script = self.write("own.lua", OWN % f"return count == 1 and {{}} or {merges}")
            self.assertFails(INPUT, [says], "run", script, "--chip", "wse2", "width=3",
                             "height=1", traceback=None)

    def test_trees_of_the_whole_wafer_use_every_color(self):
        script = self.write("plan.lua", """
            return {
                summary = "a plan", chips = { "wse" }, parameters = {},
                run = function(host)
                    local plan = require("wafer/collective").plan({ columns = 755, rows = 994 }, {
                        operation = "allreduce", pattern = "tree", words = 1, input_queues = { 2, 3 },
                        output_queues = { 4, 5 },
                        colors = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 },
                    })
                    host.metric("colors", plan.color_count)
                end,
            }""")
        self.assertEqual(self.outcome(script=script)["metrics"]["colors"], 21)

    # Refusals.

    def test_what_does_not_fit(self):
        for words, says in (
                (("words=0",), ["words", "1.."]),
                (("width=0",), ["width", "1.."]),
                (("width=756",), ["width = 756", "755 x 994"]),
                (("height=995", "--timing-only"), ["height = 995", "755 x 994"]),
                (("width=1", "height=1"), ["width = 1, height = 1", "2 x 1"]),
                (("pattern=center", "width=2", "height=2"),
                 ["2 x 2 PEs have no middle", "3 x 1", "chain, tree and corner fit"]),
                (("pattern=center", "width=1", "height=2"), ["1 x 2 PEs have no middle"]),
                (("pattern=two-phase", "group=3", "width=10", "height=9"),
                 ["rows", "10 PEs", "no groups of 3", "2, 5, 10"]),
                (("pattern=two-phase", "group=5", "width=10", "height=9"),
                 ["columns", "9 PEs", "no groups of 5", "3, 9"]),
                (("pattern=corner", "group=5"), ["group = 5", "two-phase"]),
                (("words=5622",), ["words = 5622", "at most 5621"]),
                (("pattern=ring",), ["pattern", "corner"]),
                (("operation=scan",), ["operation", "allreduce"])):
            self.assertRefused(words, *says)

    def test_as_many_words_as_fit(self):
        self.assertRight("words=5621", "width=2", "height=1", "iterations=1")

    def test_a_chip_of_another_kind(self):
        self.assertFails(INPUT, ["wormhole_n300"], "run", self.SCRIPT, "--chip", "wormhole_n300")


if __name__ == "__main__":
    unittest.main()
