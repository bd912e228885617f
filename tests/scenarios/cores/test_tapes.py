"""Compute kernels whose calls are made once for several cores: nobody can tell."""
import json
import unittest

import gridloom
from gridloom import INPUT, STOPPED

# Cores 0,0 to 7,1: four in each region of the chip. A reader fills tiles of circular buffer 0, one
# number each; a writer drains 16.
SCRIPT = """local CORES = {{ 0, 0, 7, 1 }}
return {{ summary = "a script for a test", chips = {{ "tensix" }}, parameters = {{}},
kernels = {{
r = function(args)
    for i = 1, args.tiles do
        cb_reserve_back(0, 1)
        store_words(get_write_ptr(0), args.word or 0x40000000)
        cb_push_back(0, 1)
    end
end,
w = function(args)
    for i = 1, args.tiles do
        cb_wait_front(16, 1)
        cb_pop_front(16, 1)
    end
end,
k = function(args)
{kernel}
end
}},
run = function(host, p)
    local program = host.program()
    program:circular_buffer {{ cores = CORES, index = 0, pages = 2 }}
    program:circular_buffer {{ cores = CORES, index = 16, pages = 2 }}
    local function args(x, y)
        return {args}
    end
    program:kernel {{ kernel = "r", processor = "reader", cores = CORES, args = args }}
    program:kernel {{ kernel = "w", processor = "writer", cores = CORES, args = args }}
    program:kernel {{ kernel = "k", processor = "compute", cores = CORES, args = args }}
    host.metric("took", host.wait(host.launch(program)))
end }}
"""

COPY = """    unary_op_init_common(0, 16)
    for i = 1, args.tiles do
        cb_wait_front(0, 1)
        {each}
        tile_regs_acquire()
        copy_tile(0, 0, 0)
        tile_regs_commit()
        cb_reserve_back(16, 1)
        tile_regs_wait()
        pack_tile(0, 16)
        tile_regs_release()
        cb_pop_front(0, 1)
        cb_push_back(16, 1)
    end"""

ALIKE = "{ tiles = 20, x = x }"


class Tapes(gridloom.Scenario):
    def outcome(self, kernel, args, *words):
        """Metrics, units and what is printed."""
        script = self.write("script.lua", SCRIPT.format(kernel=kernel, args=args))
        printed = self.succeed("run", script, "--json", "r.json", "-q", *words).stdout
        result = json.loads(self.read("r.json"))
        return result["cycles"], result["metrics"], result["zones"], printed

    def assertNobodyCanTell(self, each, args=ALIKE):
        """A kernel that first asks where it is makes its calls itself on every core."""
        kernel = COPY.format(each=each)
        alone = self.outcome("    my_x()\n" + kernel, args)
        for words in ([], ["--threads", "3"]):
            self.assertEqual(self.outcome(kernel, args, *words), alone, each)
        return alone

    def test_a_kernel_runs_once_for_all_cores_that_are_alike(self):
        """Otherwise four cores of a region would need 8 M instructions at once."""
        work = "    for i = 1, 1000000 do args.sum = i end\n"
        words = ["--limit-steps", "5000000"]
        self.outcome(work + COPY.format(each=""), ALIKE, *words)
        script = self.write("script.lua", SCRIPT.format(kernel="    my_x()\n" + work, args=ALIKE))
        self.assertIn("instructions ran without simulated time passing", self.gridloom("run", script, *words).stderr)

    def test_arguments_that_are_alike_and_that_differ(self):
        for args in (ALIKE, "{ tiles = 20 + x % 3, x = x }", "{ tiles = 20 + 8 * y + x }"):
            self.assertNobodyCanTell("", args)

    def test_arguments_that_differ_late(self):
        args = "{ tiles = 20, late = { [15] = { n = x } } }"
        self.assertNobodyCanTell("if args.late[i] then scalar { divide = args.late[i].n } end", args)
        self.assertNobodyCanTell("if i == 15 then scalar { divide = #args.list } end",
                                 "{ tiles = 20, list = ({ { 1, 2, 3 }, { 1, 2 }, {} })[1 + x % 3] }")
        self.assertNobodyCanTell("if i > 18 then for k, v in pairs(args) do scalar { add = v } end end",
                                 "{ tiles = 20, [x] = 300 }")

    def test_arguments_that_a_kernel_changes(self):
        self.assertNobodyCanTell("args.n = (args.n or 0) + i  scalar { add = args.n }")
        self.assertNobodyCanTell("args.n = nil  if args.n then scalar { divide = 9 } end", "{ tiles = 20, n = 5 + x }")
        self.assertNobodyCanTell("local n = args.n  args.n = nil  if args.n then scalar { divide = 9 } end",
                                 "{ tiles = 20, n = 5 }")

    def test_functions_that_use_no_metamethods(self):
        for each in ("if next(args) == 'tiles' then scalar { divide = 2 } end",
                     "if rawget(args, 'x') then scalar { divide = 1 + rawget(args, 'x') } end",
                     "if not getmetatable(args) then scalar { divide = 2 } end",
                     "scalar(args.costs)", "scalar { add = rawlen(args.list) }", "rawset(args, 'x', i)  scalar { add = args.x }",
                     "scalar { add = get_arg('x') }"):
            self.assertNobodyCanTell(each, "{ tiles = 20, x = x, costs = { divide = x }, list = { 1, y } }")

    def test_numbers_from_tiles(self):
        each = "local n = read_tile_value(0, 0, 1)  if n > 2.5 then scalar { divide = i } end"
        for word in ("0x40000000", "x % 2 == 0 and 0x40000000 or 0x41000000", "0x40000000 + 0x100000 * x"):
            self.assertNobodyCanTell(each, f"{{ tiles = 20, word = {word} }}")

    def test_random_numbers_are_each_cores_own(self):
        """As always: the kernels of a region draw from one generator."""
        self.assertNobodyCanTell("if i == 10 then scalar { add = math.random(1000) } end")

    def test_lines_are_printed_by_every_core(self):
        printed = self.assertNobodyCanTell('if i == 7 then print("seven", args.tiles) end')[3]
        self.assertEqual(printed.count("seven\t20"), 16)

    def test_zones_are_every_cores_own(self):
        alone = self.assertNobodyCanTell('zone("z", function() scalar { add = 100 } end)')
        self.assertGreater(alone[2]["z"], 0)

    def test_errors_name_core_and_line(self):
        for each, text in (("if i == 15 and args.x == 5 then cb_pop_front(0, 2) end", "cb_pop_front(0, 2): "),
                           ("if i == 15 and args.x == 5 then local n = nil + 1 end", "arithmetic on a nil value"),
                           ("if i == 15 and args.x == 5 then scalar { root = 1 } end", "no operation 'root'")):
            script = self.write("script.lua", SCRIPT.format(kernel=COPY.format(each=each), args=ALIKE))
            failed = self.gridloom("run", script)
            self.assertEqual(failed.returncode, INPUT, failed.stderr)
            self.assertIn("script.lua:21: kernel k on core[5,0]: ", failed.stderr.splitlines()[0])
            self.assertIn(text, failed.stderr.splitlines()[0])

    def test_an_error_can_be_caught_where_it_happens(self):
        self.assertNobodyCanTell("if i == 15 and not pcall(cb_pop_front, 0, 2) then scalar { divide = 1 + args.x } end")

    def test_who_waits_says_where(self):
        kernel = COPY.format(each="") + "\n    cb_wait_front(0, 1)"
        script = self.write("script.lua", SCRIPT.format(kernel=kernel, args=ALIKE))
        failed = self.gridloom("run", script)
        self.assertEqual(failed.returncode, STOPPED, failed.stderr)
        self.assertIn("script.lua:32", failed.stderr)

    def test_cores_that_are_far_behind(self):
        args = "{ tiles = 1200, x = x, y = y }"
        self.assertNobodyCanTell("", args)
        slow = "    if args.y == 1 then scalar { divide = 200000 } end\n"
        kernel = COPY.format(each="")
        alone = self.outcome("    my_x()\n" + slow + kernel, args)
        self.assertEqual(self.outcome(slow + kernel, args), alone)


if __name__ == "__main__":
    unittest.main()
