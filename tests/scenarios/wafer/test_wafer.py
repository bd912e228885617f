"""Programs for wafers: both grains, with and without data, and errors."""
import json
import signal
import unittest

import gridloom
from gridloom import INPUT, INTERRUPTED, STOPPED

UNMODELLED = 2

# Each PE sends its column of numbers to the next PE in the east, `steps` times, and adds the
# column from the west.
SHIFT = """return { summary = "a script for a test", chips = { "wse" }, parameters = {
    { name = "nx", type = "integer", default = 4, help = "columns" },
    { name = "ny", type = "integer", default = 3, help = "rows" },
    { name = "steps", type = "integer", default = 2, help = "steps" },
    { name = "marks", type = "switch", default = true, help = "iteration_done" },
    { name = "measured", type = "switch", default = true, help = "the launch is" },
}, run = function(host, p)
    local N, FIN, OUT, GO, SENT, GOT = 6, 4, 0, 8, 9, 10
    local function program(layout, has_west, has_east)
        return function(pe)
            local u = pe:array { name = "u", type = "f32", count = N, align = 16 }
            local v = pe:array { name = "v", type = "f32", count = N, align = 16 }
            local du, dv = pe:mem1d_dsd { base = u, extent = N }, pe:mem1d_dsd { base = v, extent = N }
            local step, open = pe:variable { name = "step" }, pe:variable { name = "open" }
            local function done()
                pe:add(open, -1)
                pe:when(open, "==", 0, function()
                    pe:fadds(dv, dv, du)
                    if p.marks then pe:iteration_done() end
                    pe:add(step, 1)
                    pe:when(step, "<", layout.iterations, function() pe:activate(GO) end)
                end)
            end
            pe:bind_local_task(GO, "go", function()
                pe:assign(open, (has_west and 1 or 0) + (has_east and 1 or 0) + 1)
                pe:phase("shift")
                if has_east then
                    -- Two colors in turn, by the parity of the column that sends.
                    pe:fmovs(pe:fabout_dsd { color = has_east, output_queue = OUT, extent = N }, du,
                        { async = true, activate = SENT })
                end
                if has_west then
                    pe:fadds(dv, dv, pe:fabin_dsd { color = has_west, input_queue = FIN, extent = N },
                        { async = true, activate = GOT })
                end
                pe:phase("")
                done()
            end)
            if has_east then pe:bind_local_task(SENT, "sent", done) end
            if has_west then
                pe:initialize_queue { input_queue = FIN, color = has_west }
                pe:bind_local_task(GOT, "got", done)
            end
            pe:activate(GO)
        end
    end
    local wafer = host.wafer {
        columns = p.nx, rows = p.ny, iterations = p.steps,
        period = { 5, 7 }, slice = { 10, 10 }, slice_iterations = 3,
        layout = function(layout)
            print("layout", layout.columns, layout.rows, layout.iterations)
            local x1, y1 = layout.columns - 1, layout.rows - 1
            for parity = 0, 1 do
                layout:set_color_config({ parity, 0, x1 - 1, y1, dx = 2 }, 2 + parity, {
                    routes = { rx = "RAMP", tx = "EAST" } })
                layout:set_color_config({ parity + 1, 0, x1, y1, dx = 2 }, 2 + parity, {
                    routes = { rx = "WEST", tx = "RAMP" } })
                layout:set_tile_code({ 2 - parity, 0, x1 - 1, y1, dx = 2 }, "inner" .. parity,
                    program(layout, 2 + (1 - parity), 2 + parity))
            end
            layout:set_tile_code({ 0, 0, 0, y1 }, "west", program(layout, nil, 2))
            layout:set_tile_code({ x1, 0, x1, y1 }, "east", program(layout, 2 + (x1 + 1) % 2, nil))
        end,
    }
    local pes = p.nx * p.ny
    local b = host.buffer(pes * N * 4)
    for i = 0, pes * N - 1 do b:set("fp32", i, i % 17) end
    wafer:copy_to { name = "u", buffer = b, count = N }
    local took
    local function launch() took = wafer:launch() end
    if p.measured then host.measure(launch) else launch() host.measure(function() end) end
    host.metric("took", took)
    local r = host.buffer(pes * N * 4)
    wafer:copy_from { name = "v", buffer = r, count = N }
    local worst = 0
    for pe = 0, pes - 1 do
        for i = 0, N - 1 do
            local own = b:get("fp32", pe * N + i)
            local west = pe % p.nx > 0 and b:get("fp32", (pe - 1) * N + i) or 0
            worst = math.max(worst, math.abs(r:get("fp32", pe * N + i)
                - p.steps * (own + west)))
        end
    end
    host.check { error = worst, tolerance = 0, reference = "sums on the host" }
    host.metric("iterations", wafer:iterations())
    host.metric("own_grain", wafer.grain)
    host.metric("stretch", wafer:stretch() or "none")
    host.metric("work", { all = wafer:work(), west = wafer:work("west"), east = wafer:work("east"),
        inner = wafer:work("inner0"), others = wafer:work("inner1") })
end }
"""

ENDLESS = """local function endless(l)
    l:set_tile_code({ 0, 0, l.columns - 1, l.rows - 1 }, "p", function(pe)
        pe:bind_local_task(8, "go", function() pe:activate(8) end)
        pe:activate(8)
    end)
end
return { summary = "a script for a test", chips = { "wse" }, parameters = {},
run = function(host, p)
    host.wafer { columns = 2, rows = 2, layout = endless }:launch()
end }
"""


# PEs by class; each class has its number.
CLASSES = """local classes = require("wafer/tile_classes")
local part = {}
function part:column_key(x) return x == 6 and "one" or x % 3 end
function part:row_key(y, x) return x == 6 and y // 4 or y % 2 end
local other = {}
function other:column_key() return "" end
function other:row_key(y) return y == 8 end
return { summary = "a script for a test", chips = { "wse" }, parameters = {}, run = function(host)
    local count = 0
    local wafer = host.wafer { columns = 12, rows = 9, layout = function(layout)
        classes.each(layout, { part, other }, function(tiles, x, y)
            count = count + 1
            layout:set_tile_code(tiles, "class" .. count, function(pe)
                pe:array { name = "v", type = "f32", count = 3, values = { count, x, y } }
                pe:bind_local_task(8, "go", function() end)
            end)
        end)
    end }
    wafer:launch()
    local numbers = host.buffer(12 * 9 * 3 * 4)
    wafer:copy_from { name = "v", buffer = numbers, count = 3 }
    local list = {}
    for i = 0, 12 * 9 * 3 - 1 do list[i + 1] = numbers:get("fp32", i) end
    host.metric("classes", list)
end }
"""


# Routes that lead nowhere, a route that the eastern PE lacks, and a descriptor without any; the PEs
# send on a color, or on none.
LOOSE = """return { summary = "a script for a test", chips = { "wse" }, parameters = {
    { name = "color", type = "integer", default = 0, help = "to send on" },
    { name = "columns", type = "integer", default = 2, help = "PEs" },
    { name = "rows", type = "integer", default = 1, help = "of PEs" },
}, run = function(host, p)
    host.wafer { columns = p.columns, rows = p.rows, layout = function(layout)
        layout:set_color_config({ 0, 0, p.columns - 1, p.rows - 1 }, 2, { routes = { rx = "RAMP", tx = "EAST" } })
        layout:set_color_config({ 0, 0 }, 3, { routes = { rx = "RAMP", tx = "EAST" } })
        layout:set_tile_code({ 0, 0, p.columns - 1, p.rows - 1 }, "pe", function(pe)
            pe:fabout_dsd { color = 5, extent = 4, output_queue = 3 }
            pe:bind_local_task(8, "send", function()
                if p.color > 0 then
                    pe:fmovs(pe:fabout_dsd { color = p.color, extent = 4, output_queue = 2 }, 1, { async = true })
                end
            end)
            pe:activate(8)
        end)
    end }:launch()
end }
"""

SUMS = """return { summary = "a script for a test", chips = { "wse" }, parameters = {}, run = function(host)
    local N, C, GO, ADD, DONE = 64, 1, 8, 9, 10
    local wafer = host.wafer { columns = 1, rows = 1, layout = function(layout)
        layout:set_color_config({ 0, 0 }, C, { routes = { rx = "RAMP", tx = "RAMP" } })
        layout:set_tile_code({ 0, 0 }, "p", function(pe)
            local u = pe:array { name = "u", type = "f32", count = N }
            local a = pe:array { name = "a", type = "f32", count = N }
            local room = pe:array { name = "room", type = "f32", count = 8 }
            local fifo = pe:fifo { base = room, activate_push = ADD }
            local all, unused = pe:mem1d_dsd { base = a, extent = N }, pe:mem1d_dsd { base = a, extent = N + 1 }
            local sum = pe:get_dsr("dsr_dest", 1, { save_address = true })
            local old = pe:get_dsr("dsr_src0", 1, { save_address = true })
            local has_more = pe:variable { name = "has_more", type = "u16" }
            pe:load_to_dsr(sum, all)
            pe:load_to_dsr(old, all)
            pe:bind_local_task(ADD, "add", function() pe:fadds(sum, old, fifo, { tried = has_more }) end)
            pe:bind_local_task(GO, "go", function()
                pe:fmuls(fifo, pe:fabin_dsd { color = C, input_queue = 4, extent = N }, 2, { async = true })
                pe:fmovs(pe:fabout_dsd { color = C, output_queue = 2, extent = N }, pe:mem1d_dsd { base = u, extent = N },
                    { async = true })
            end)
            pe:activate(GO)
        end)
    end }
    local b, c = host.buffer(N * 4), host.buffer(N * 4)
    for i = 0, N - 1 do b:set("fp32", i, i) end
    wafer:copy_to { name = "u", buffer = b, count = N }
    wafer:launch()
    wafer:copy_from { name = "a", buffer = c, count = N }
    for i = 0, N - 1 do assert(c:get("fp32", i) == 2 * i) end
end }"""

DROP = """return { summary = "a script for a test", chips = { "wse" }, parameters = {}, run = function(host)
    local C, GO, DONE = 1, 8, 9
    local wafer = host.wafer { columns = 1, rows = 1, layout = function(layout)
        layout:set_color_config({ 0, 0 }, C, { routes = { rx = "RAMP", tx = "RAMP" } })
        layout:set_tile_code({ 0, 0 }, "p", function(pe)
            local u = pe:array { name = "u", type = "f32", values = { 1, 2, 3, 0 } }
            local function number(i) return pe:mem1d_dsd { base = u, extent = 1, offset = i } end
            local one = pe:fabout_dsd { color = C, output_queue = 2, extent = 1 }
            local control = pe:fabout_dsd { color = C, output_queue = 2, extent = 1, control = true }
            local payload = pe:word(layout:encode_payload { commands = { "NOP" } })
            pe:bind_local_task(GO, "go", function()
                pe:dfilt(pe:fabin_dsd { color = C, input_queue = 4, extent = 0x7fff }, COUNT, { async = true, activate = DONE })
                for i = 0, 2 do
                    pe:fmovs(one, number(i))
                    if i < COUNT then pe:mov32(control, payload) end
                end
            end)
            pe:bind_local_task(DONE, "done", function()
                pe:fmovs(number(3), pe:fabin_dsd { color = C, input_queue = 4, extent = 1 })
                for i = COUNT + 1, 2 do
                    pe:fmovs(number(0), pe:fabin_dsd { color = C, input_queue = 4, extent = 1 })
                end
            end)
            pe:activate(GO)
        end)
    end }
    wafer:launch()
    local b = host.buffer(4)
    wafer:copy_from { name = "u", buffer = b, first = 3, count = 1 }
    print(b:get("fp32", 0))
end }"""


class Wafers(gridloom.Scenario):
    def shift(self, *words):
        """The JSON object of a run of SHIFT, and the printed text."""
        self.write("shift.lua", SHIFT)
        done = self.succeed("run", "shift.lua", "--chip", "wse2", *words, "--json", "r.json", "-q")
        return json.loads(self.read("r.json")), done.stdout

    def assertFails(self, code, says, *words):
        """The run of SHIFT fails with one line that says this."""
        self.write("shift.lua", SHIFT)
        failed = self.gridloom("run", "shift.lua", "--chip", "wse2", *words, "-q")
        self.assertEqual(failed.returncode, code, failed.stderr)
        self.assertIn(says, failed.stderr.splitlines()[0])
        return failed

    def test_results_are_checked_in_both_grains(self):
        for grain in ("wavelet", "stream"):
            result, _ = self.shift(f"grain={grain}")

            self.assertEqual(result["check"]["status"], "pass", grain)
            self.assertEqual(result["metrics"]["grain"], grain)
            self.assertEqual(result["metrics"]["own_grain"], grain)

    def test_timing_only_takes_the_same_time(self):
        for grain in ("wavelet", "stream"):
            with_data, _ = self.shift(f"grain={grain}", "steps=5")
            without, _ = self.shift(f"grain={grain}", "steps=5", "--timing-only")

            for name in ("cycles", "counters", "busy", "stalls", "energy_joules"):
                self.assertEqual(with_data[name], without[name], (grain, name))
            for name in ("took", "iterations", "transfer_seconds", "device_seconds"):
                self.assertEqual(with_data["metrics"][name], without["metrics"][name], name)

    def test_results_do_not_depend_on_threads(self):
        for grain in ("wavelet", "stream"):
            texts = set()
            for threads in ("1", "2", "8"):
                self.shift(f"grain={grain}", "nx=13", "ny=11", "--threads", threads)
                texts.add(gridloom.without_host(self.read("r.json")))
            self.assertEqual(len(texts), 1, grain)

    def test_classes_are_those_of_all_keys(self):
        self.write("classes.lua", CLASSES)
        self.succeed("run", "classes.lua", "--chip", "wse2", "--json", "r.json", "-q")
        numbers = json.loads(self.read("r.json"))["metrics"]["classes"]

        def key(x, y):
            column = "one" if x == 6 else x % 3
            return column, y // 4 if x == 6 else y % 2, y == 8

        seen = {}
        for y in range(9):
            for x in range(12):
                number, at_x, at_y = numbers[3 * (12 * y + x):3 * (12 * y + x) + 3]
                self.assertEqual(seen.setdefault(number, key(x, y)), key(x, y))
                self.assertEqual(key(int(at_x), int(at_y)), key(x, y))
        self.assertEqual(len(seen), len(set(seen.values())))

    def test_auto_is_exact_up_to_2500_pes(self):
        small, _ = self.shift("nx=50", "ny=50", "--timing-only")
        large, _ = self.shift("nx=61", "ny=41", "--timing-only")

        self.assertEqual(small["metrics"]["grain"], "wavelet")
        self.assertNotIn("slice_columns", small["metrics"])
        self.assertEqual(small["metrics"]["stretch"], "none")
        self.assertEqual(large["metrics"]["grain"], "stream")

    def test_slices_are_congruent_and_reported(self):
        result, printed = self.shift("nx=53", "ny=61", "steps=2", "--timing-only")
        metrics = result["metrics"]
        layouts = [line.split("\t")[1:] for line in printed.splitlines()
                   if line.startswith("layout")]

        self.assertEqual(layouts[0], ["53", "61", "2"])
        self.assertEqual({tuple(size) for size in layouts[1:]}, {("13", "12", "3")})
        self.assertEqual([metrics["slice_columns"], metrics["slice_rows"],
                          metrics["slice_iterations"]], [13, 12, 3])
        self.assertLessEqual(metrics["slice_error"], 0.01)
        self.assertGreater(metrics["slice_exact_cycles"], 0)
        self.assertEqual(metrics["stretch"]["slice"], [13, 12])
        self.assertEqual(metrics["stretch"]["exact_cycles"], metrics["slice_exact_cycles"])
        self.assertEqual({name[len("stretch_"):]: value for name, value in metrics.items()
                          if name.startswith("stretch_")}, metrics["stretch"]["factors"])
        self.assertIn("grain=stream: ", printed)
        self.assertIn("from an exact slice of 13x12", printed)

    def test_the_grains_agree(self):
        took = {grain: self.shift(f"grain={grain}", "nx=12", "ny=3", "steps=6", "--timing-only")[0]
                ["metrics"]["took"] for grain in ("wavelet", "stream")}

        self.assertAlmostEqual(took["stream"] / took["wavelet"], 1, delta=0.01)

    def test_energy_is_that_of_the_measured_region(self):
        inside, _ = self.shift("--timing-only")
        outside, _ = self.shift("measured=off", "--timing-only")
        idle_watts, busy_joules, clock_hz = 16100, 15.1e-12, 850e6
        busy = inside["busy"]["busy"] * 12 * inside["metrics"]["took"]

        self.assertEqual(outside["energy_joules"], 0)
        idle_joules = inside["metrics"]["took"] / clock_hz * idle_watts
        self.assertAlmostEqual((inside["energy_joules"] - idle_joules) / (busy * busy_joules), 1,
                               places=5)

    def test_cycles_of_programs_add_up_to_those_of_all(self):
        result, _ = self.shift("nx=5", "--timing-only")
        work = dict(result["metrics"]["work"])
        every = work.pop("all")
        pe_cycles = 15 * result["metrics"]["took"]

        self.assertEqual({name: part["pes"] for name, part in work.items()},
                         {"west": 3, "east": 3, "inner": 3, "others": 6})
        for name, cycles in (("busy", every["busy"]), ("memory_idle", every["memory_idle"])):
            self.assertEqual(sum(part[name] for part in work.values()), cycles)
            self.assertAlmostEqual(result["busy"][name], cycles / pe_cycles)
        self.assertGreater(work["inner"]["busy"], work["west"]["busy"])

    def test_extrapolated_iterations_take_as_long_as_simulated_ones(self):
        exact, _ = self.shift("steps=40", "--timing-only")
        first, _ = self.shift("steps=8", "--timing-only")
        ends = [end["last"] for end in first["metrics"]["iterations"]]
        result, printed = self.shift("steps=40", "--timing-only", "extrapolate=on")

        self.assertEqual(result["metrics"]["took"],
                         first["metrics"]["took"] + 32 * (ends[7] - ends[3]) / 4)
        self.assertAlmostEqual(result["metrics"]["took"] / exact["metrics"]["took"], 1, places=2)
        self.assertEqual(result["metrics"]["extrapolated_from_iterations"], 8)
        self.assertEqual(len(result["metrics"]["iterations"]), 8)
        self.assertEqual(result["counters"], exact["counters"])
        self.assertAlmostEqual(result["energy_joules"] / exact["energy_joules"], 1, places=2)
        self.assertIn("extrapolate=on: 40 iterations from the first 8", printed)
        self.assertNotIn("extrapolated_from_iterations", exact["metrics"])

    def test_few_iterations_are_all_simulated(self):
        exact, _ = self.shift("steps=8")
        result, printed = self.shift("steps=8", "extrapolate=on")

        self.assertEqual(result["cycles"], exact["cycles"])
        self.assertNotIn("extrapolated_from_iterations", result["metrics"])
        self.assertNotIn("extrapolate", printed)

    def test_extrapolation_has_no_result_to_check(self):
        self.assertFails(INPUT, "extrapolate=on simulates 8 of 9 iterations", "steps=9",
                         "extrapolate=on")

    def test_extrapolation_needs_marks(self):
        self.assertFails(INPUT, "pe:iteration_done()", "steps=9", "extrapolate=on", "marks=off",
                         "--timing-only")

    def test_a_slice_whose_layout_fails_names_the_line(self):
        text = SHIFT.replace("local x1, y1", "if layout.columns == 13 then error('no slice') end "
                             "local x1, y1")
        self.write("shift.lua", text)
        failed = self.gridloom("run", "shift.lua", "--chip", "wse2", "nx=53", "ny=61",
                               "--timing-only", "-q")
        line = next(number for number, content in enumerate(text.splitlines(), 1)
                    if "no slice" in content)

        self.assertEqual(failed.returncode, INPUT)
        self.assertEqual(failed.stderr.splitlines()[0], f"gridloom: shift.lua:{line}: no slice")

    def test_routes_that_lead_nowhere_matter_when_they_are_taken(self):
        script = self.write("loose.lua", LOOSE)

        def told(*words):
            ran = self.gridloom("run", script, "--chip", "wse2", *words)
            return ran.returncode, ran.stderr

        self.assertEqual(told()[0], 0)
        for color, pe, says in ((2, "pe[0,0]", "color 2 leaves to EAST in cycle 47, where nobody takes it"),
                                (3, "pe[1,0]", "sends color 3 in cycle 10, which no route takes from RAMP"),
                                (5, "pe[0,0]", "sends color 5 in cycle 10, which no route takes from RAMP")):
            status, text = told(f"color={color}")
            self.assertEqual(status, INPUT)
            self.assertIn(pe, text)
            self.assertIn(says, text)
        lost = self.gridloom("run", script, "--chip", "wse2", "color=2", "columns=1")
        self.assertEqual(lost.returncode, 0)
        self.assertIn("warning: wavelets left the layout and are lost, the first of color 2 from pe[0,0] to EAST", lost.stdout)

    def test_of_wavelets_lost_in_one_cycle_the_first_place_is_told(self):
        script = self.write("loose.lua", LOOSE)

        for words in ([], ["--timing-only"], ["--threads", "2"]):
            lost = self.succeed("run", script, "--chip", "wse2", "color=2", "columns=1", "rows=300", *words)
            self.assertIn("the first of color 2 from pe[0,0] to EAST", lost.stdout)

    def test_a_fabric_beyond_the_wafer_is_refused(self):
        self.assertFails(INPUT, "756 x 3 PEs, wse2 has 1 x 1 to 755 x 994", "nx=756")

    def test_a_limit_of_cycles_ends_a_launch(self):
        self.write("endless.lua", ENDLESS)
        failed = self.gridloom("run", "endless.lua", "--chip", "wse2", "--limit-cycles", "300000")

        self.assertEqual(failed.returncode, STOPPED)
        self.assertIn("endless.lua:9: ", failed.stderr.splitlines()[0])
        self.assertIn("300000", failed.stderr.splitlines()[0])

    def test_an_interrupt_ends_launches_and_slices(self):
        for grain in ("wavelet", "stream"):
            self.write("endless.lua", ENDLESS)
            process = self.start("run", "endless.lua", "--chip", "wse2", f"grain={grain}",
                                 "--livelock-cycles", "0")
            process.send_signal(signal.SIGINT)
            _, complaint = process.communicate(timeout=gridloom.PATIENCE)

            self.assertEqual(process.returncode, INTERRUPTED, (grain, complaint))

    def test_branches_on_data_are_not_for_timing_alone(self):
        self.write("branch.lua", ENDLESS.replace("pe:activate(8) end)", """
            local s = pe:scalar { name = "s", type = "f32", value = 1 }
            pe:when_scalar(s, ">", s, function() pe:activate(8) end) end)"""))
        failed = self.gridloom("run", "branch.lua", "--chip", "wse2", "--timing-only")

        self.succeed("run", "branch.lua", "--chip", "wse2", "-q")
        self.assertEqual(failed.returncode, UNMODELLED)
        self.assertEqual(len(failed.stderr.splitlines()), 1)
        self.assertIn("pe:when_scalar", failed.stderr)

    def test_sums_go_through_a_fifo_as_the_manual_says(self):
        """A DSR that is loaded before the start, and a descriptor too long that nobody uses."""
        self.write("sums.lua", SUMS)
        self.succeed("run", "sums.lua", "--chip", "wse2", "-q")

    def test_control_wavelets_are_counted_by_a_filter(self):
        """Of 1 c 2 c 3 what comes after the second control wavelet is taken."""
        for count, taken in ((1, 2), (2, 3)):
            self.write("drop.lua", DROP.replace("COUNT", str(count)))

            self.assertEqual(self.succeed("run", "drop.lua", "--chip", "wse2").stdout.splitlines()[0], str(float(taken)))


if __name__ == "__main__":
    unittest.main()
