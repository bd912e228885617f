"""Races in the L1 of cores and in the memory of PEs: planted ones are found, right programs have
none."""
import json
import os
import re
import unittest

import gridloom
from gridloom import CHECK, INPUT, SOURCE

TUTORIAL = os.path.join(SOURCE, "workloads", "tutorial")

STEPS = ("1_vector_update", "3_jacobi_grid", "4_timeline", "5_bottleneck", "jacobi_wafer",
         "jacobi_cores", "update_from_dram")
# Steps of the tutorial without a line that orders: the file, a part of the line, how to run the
# step, and a part of the two lines that then race.
PLANTED = [
    ("1_vector_update", "noc_async_read_barrier()", ["1_vector_update", "memory=dram", "tiles=2"],
     "copy_tile(X, 0, 0)", "noc_async_read_tile("),
    ("1_vector_update", "noc_async_write_barrier()", ["1_vector_update", "memory=dram", "tiles=4"],
     "pack_tile(0, OUT)", "noc_async_write_tile("),
    ("jacobi_cores", "noc_semaphore_wait_min", ["3_jacobi_grid", "iterations=4"],
     "noc_async_write(", "noc_async_read("),
    ("jacobi_cores", "noc_async_read_barrier()", ["3_jacobi_grid", "iterations=2"],
     "if side.left then matmul_tiles(", "noc_async_read("),
    ("update_from_dram", "noc_async_read_barrier()", ["4_timeline", "tiles=2"],
     "copy_tile(X, 0, 0)", "args.x, get_write_ptr(X)"),
    ("update_from_dram", "noc_async_write_barrier()", ["4_timeline", "tiles=4"],
     "pack_tile(0, OUT)", "noc_async_write_tile("),
    ("update_from_dram", "noc_async_read_barrier()", ["5_bottleneck", "columns=2", "tiles=2"],
     "copy_tile(X, 0, 0)", "args.x, get_write_ptr(X)"),
]

# Each case: the kernels, with lines that only a right program has marked by RIGHT; who runs
# what; and what the complaint says. The lines of the two places are marked by ONE and TWO:
# the second one meets what the first has begun.
CASES = {
    "a load before the barrier": ("""
    k = function(args)
        noc_async_read(get_dram_noc_addr(0, 0), args.a, 64) -- ONE
        noc_async_read_barrier() -- RIGHT
        load_word(args.a) -- TWO
        noc_async_read_barrier()
    end,""", [("k", "reader", 0)], "reads bytes"),
    "a page pushed before the barrier": ("""
    fetch = function(args)
        cb_reserve_back(0, 1)
        noc_async_read(get_dram_noc_addr(0, 0), get_write_ptr(0), 2048) -- ONE
        noc_async_read_barrier() -- RIGHT
        cb_push_back(0, 1)
        delay(5000)
        noc_async_read_barrier()
    end,
    use = function(args)
        cb_wait_front(0, 1)
        tile_regs_acquire()
        copy_tile(0, 0, 0) -- TWO
        tile_regs_commit()
        tile_regs_wait()
        tile_regs_release()
        cb_pop_front(0, 1)
    end,""", [("fetch", "reader", 0), ("use", "compute", 0)], "reads bytes"),
    "a semaphore that overtakes data": ("""
    write = function(args)
        noc_async_write(args.a, get_noc_addr(1, 0, args.a), 4096) -- ONE
        noc_async_write_barrier() -- RIGHT
        noc_semaphore_set(get_semaphore(args.local_one), 1)
        noc_async_write_barrier()
    end,
    tell = function(args)
        noc_semaphore_wait(get_semaphore(args.local_one), 1)
        noc_semaphore_inc(get_noc_addr(1, 0, get_semaphore(args.arrived)), 1)
    end,
    receive = function(args)
        noc_semaphore_wait(get_semaphore(args.arrived), 1)
        load_word(args.a + 4092) -- TWO
    end,""", [("write", "writer", 0), ("tell", "reader", 0), ("receive", "reader", 1)],
                                        "reads bytes"),
    "a buffer filled again before it was sent": ("""
    k = function(args)
        store_words(args.a, 1, 2, 3, 4)
        noc_async_write(args.a, get_noc_addr(1, 0, args.a), 16) -- ONE
        noc_async_writes_flushed() -- RIGHT
        store_words(args.a, 5, 6, 7, 8) -- TWO
        noc_async_write_barrier()
    end,""", [("k", "reader", 0)], "writes bytes"),
    "the first of many buffers filled again before it was sent": ("""
    k = function(args)
        noc_async_write(args.a, get_noc_addr(1, 0, args.a), 16) -- ONE
        for i = 1, 300 do
            noc_async_write(args.a + 16 * i, get_noc_addr(1, 0, args.a + 16 * i), 16)
        end
        noc_async_writes_flushed() -- RIGHT
        store_words(args.a, 5, 6, 7, 8) -- TWO
        noc_async_write_barrier()
    end,""", [("k", "reader", 0)], "writes bytes"),
    "a page popped before it was sent": ("""
    make = function(args)
        for i = 1, 2 do
            tile_regs_acquire()
            tile_regs_commit()
            cb_reserve_back(1, 1)
            tile_regs_wait()
            pack_tile(0, 1) -- TWO
            tile_regs_release()
            cb_push_back(1, 1)
        end
    end,
    send = function(args)
        for i = 1, 2 do
            cb_wait_front(1, 1)
            noc_async_write(get_read_ptr(1), get_noc_addr(1, 0, args.a), 2048) -- ONE
            noc_async_writes_flushed() -- RIGHT
            cb_pop_front(1, 1)
        end
        noc_async_write_barrier()
    end,""", [("make", "compute", 0), ("send", "writer", 0)], "writes bytes"),
    "a write to a page that is being read": ("""
    give = function(args)
        cb_reserve_back(0, 1)
        cb_push_back(0, 1)
        cb_reserve_back(0, 1)
        noc_semaphore_inc(get_noc_addr(1, 0, get_semaphore(args.arrived)), 1) -- RIGHT
        cb_push_back(0, 1)
    end,
    use = function(args)
        cb_wait_front(0, 1)
        for i = 1, 40 do
            tile_regs_acquire()
            copy_tile(0, 0, 0) -- EITHER
            tile_regs_commit()
            tile_regs_wait()
            tile_regs_release()
        end
        cb_pop_front(0, 1)
        cb_wait_front(0, 1)
        cb_pop_front(0, 1)
    end,
    overwrite = function(args)
        noc_semaphore_wait(get_semaphore(args.arrived), 1) -- RIGHT
        delay(400)
        noc_async_write(args.a, get_noc_addr(0, 0, args.page), 2048) -- EITHER
        noc_async_write_barrier()
    end,""", [("give", "reader", 0), ("use", "compute", 0), ("overwrite", "reader", 1)], "bytes"),
    "a semaphore that two cores set": ("""
    first = function(args)
        noc_inline_dw_write(get_noc_addr(2, 0, get_semaphore(args.arrived)), 1) -- ONE
        noc_async_write_barrier()
        noc_semaphore_inc(get_noc_addr(1, 0, get_semaphore(args.local_one)), 1) -- RIGHT
    end,
    second = function(args)
        noc_semaphore_wait(get_semaphore(args.local_one), 1) -- RIGHT
        delay(100)
        noc_inline_dw_write(get_noc_addr(2, 0, get_semaphore(args.arrived)), 2) -- TWO
        noc_async_write_barrier()
    end,""", [("first", "reader", 0), ("second", "reader", 1)], "sets the word"),
}

HEAD = """return { summary = "races", chips = { "tensix" }, parameters = {},
kernels = {"""
TAIL = """
},
run = function(host, p)
    local program = host.program()
    local cores = { 0, 0, 2, 0 }
    local a = host.l1_allocate { cores = cores, bytes = 8192 }
    local page = host.l1_allocate { cores = cores, bytes = 2048 }
    program:circular_buffer { cores = { x = 0, y = 0 }, index = 0, pages = 1, address = page }
    program:circular_buffer { cores = { x = 0, y = 0 }, index = 1, pages = 1 }
    local args = { a = a, page = page, arrived = program:semaphore { cores = cores },
        local_one = program:semaphore { cores = cores } }
%s
    host.wait(host.launch(program))
end }
"""


class Races(gridloom.Scenario):
    def write_case(self, name, is_right):
        """Writes the script of a case; returns its name and the lines of its marks."""
        kernels, runs, _ = CASES[name]
        lines = [line for line in kernels.splitlines() if is_right or "RIGHT" not in line]
        start = "\n".join(f'    program:kernel {{ kernel = "{kernel}", processor = "{where}", '
                          f"cores = {{ x = {x}, y = 0 }}, args = args }}"
                          for kernel, where, x in runs)
        text = HEAD + "\n".join(lines) + TAIL % start
        marks = {mark: number for number, line in enumerate(text.splitlines(), 1)
                 for mark in ("ONE", "TWO") if f"-- {mark}" in line}
        marks["EITHER"] = [number for number, line in enumerate(text.splitlines(), 1)
                           if "-- EITHER" in line]
        return self.write("race.lua", text), marks

    def test_planted_races_are_found_with_both_places(self):
        for name, (_, _, verb) in CASES.items():
            with self.subTest(name):
                script, marks = self.write_case(name, False)
                failed = self.gridloom("run", script, "--check", "races", "-q")
                found = [line for line in failed.stderr.splitlines() if " race: " in line]

                self.assertEqual((failed.returncode, len(found)), (CHECK, 1), failed.stderr)
                self.assertRegex(found[0], r"^gridloom: race: core\[\d,0\], cycle \d+: ")
                self.assertIn(verb, found[0])
                places = [int(line) for line in re.findall(r"race\.lua:(\d+)", found[0])]
                if marks["EITHER"]:
                    self.assertEqual(sorted(places), marks["EITHER"])
                else:
                    self.assertEqual(places, [marks["TWO"], marks["ONE"]], found[0])

    def copy_step(self, file, change):
        """Copies the tutorial, with another line where `change` gives one; returns the file's."""
        for name in (file, *STEPS):
            with open(os.path.join(TUTORIAL, f"{name}.lua"), encoding="ascii") as source:
                lines = source.read().splitlines()
            if name == file:
                lines, before = [change(line) for line in lines], lines
                self.assertEqual(sum(a != b for a, b in zip(lines, before)), 1)
                kept = lines
            self.write(f"{name}.lua", "\n".join(lines))
        return kept

    def test_a_race_planted_in_a_step_of_the_tutorial_is_found(self):
        for file, deleted, (step, *words), one, other in PLANTED:
            with self.subTest(step=step, deleted=deleted):
                lines = self.copy_step(file, lambda line: "" if deleted in line else line)
                failed = self.gridloom("run", f"{step}.lua", *words, "--check", "races", "-q")
                places = [1 + next(i for i, line in enumerate(lines) if part in line)
                          for part in (one, other)]

                self.assertEqual(failed.returncode, CHECK, failed.stderr)
                self.assertRegex(failed.stderr, rf"race: core\[\d,\d\], cycle \d+: .* at {file}\.lua:"
                                 rf"{places[0]} .* which .* at {file}\.lua:{places[1]} .* cycle \d+")

    def test_a_task_that_computes_before_its_halo_has_come_races(self):
        for file, step, words in (("2_jacobi_row", "2_jacobi_row", []),
                                  ("jacobi_wafer", "3_jacobi_grid", ["--chip", "wse2"])):
            with self.subTest(step):
                lines = self.copy_step(file, lambda line: line.replace('moved, "==", #moves', 'moved, "==", 1'))
                failed = [self.gridloom("run", f"{step}.lua", *words, "iterations=2", "--check", "races",
                                        "-q", "--threads", threads) for threads in ("1", "2")]
                places = [1 + next(i for i, line in enumerate(lines) if part in line)
                          for part in ("pe:fadds(at_sums", "pe:fmovs(move.to")]

                self.assertEqual(failed[0].returncode, CHECK, failed[0].stderr)
                self.assertRegex(failed[0].stderr, r"race: pe\[\d,\d\], cycle \d+: fadds at "
                                 rf"{file}\.lua:{places[0]} \(task compute\) reads u\[\d+\] while fmovs "
                                 rf"at {file}\.lua:{places[1]}, at element \d of \d, is still writing it")
                self.assertEqual(failed[0].stderr, failed[1].stderr)

    def test_right_programs_have_no_race(self):
        for name in CASES:
            with self.subTest(name):
                script, _ = self.write_case(name, True)

                self.succeed("run", script, "--check", "races", "-q")

    def test_races_are_the_same_for_any_number_of_threads(self):
        for name in ("a page popped before it was sent", "a write to a page that is being read"):
            script, _ = self.write_case(name, False)
            said = [self.gridloom("run", script, "--check", "races", "-q", "--threads", threads).stderr
                    for threads in ("1", "2", "4")]

            self.assertEqual(said[1:], said[:2], name)

    def test_the_result_lists_races_and_says_what_was_checked(self):
        script, _ = self.write_case("a load before the barrier", False)
        shown = self.gridloom("run", script, "--check", "races", "--json", "r.json")

        self.assertRegex(shown.stdout, r"races      1; checked: reads of L1 that is being written")
        self.assertEqual(len(json.loads(self.read("r.json"))["metrics"]["races"]), 1)

    def test_without_the_option_nobody_looks(self):
        script, _ = self.write_case("a load before the barrier", False)

        self.succeed("run", script, "-q", "--json", "r.json")
        self.assertNotIn("races", json.loads(self.read("r.json"))["metrics"])

    def test_shipped_programs_have_no_race(self):
        for words in (["vecadd", "tiles=8"], ["matmul"], ["dot", "rows=2", "cols=2", "tiles=2"],
                      ["stencil7", "rows=2", "cols=2", "tiles=3"],
                      ["stencil2d", "rows=2", "cols=2", "tiles=2"],
                      ["stencil25", "rows=2", "cols=2", "tiles=2"],
                      ["pcg", "rows=2", "cols=2", "tiles=2"],
                      ["workloads/tutorial/1_vector_update.lua", "memory=dram", "tiles=4"],
                      ["workloads/tutorial/3_jacobi_grid.lua"],
                      ["workloads/tutorial/4_timeline.lua"],
                      ["workloads/tutorial/5_bottleneck.lua", "columns=8", "tiles=4"]):
            with self.subTest(words[0]):
                self.succeed("run", *words, "--chip", "wormhole_n300", "--check", "races",
                             "--timing-only", "-q")

    def test_shipped_programs_of_wafers_have_no_race(self):
        for words in (["dot"], ["pcg", "nx=4", "ny=4", "nz=8", "iterations=2"],
                      ["bicgstab", "nx=4", "ny=4", "nz=8", "iterations=2"],
                      ["reduce", "operation=allreduce", "words=8"],
                      ["stencil2d", "nx=4", "ny=4", "nz=8"],
                      ["stencil25", "nx=10", "ny=10", "nz=20", "steps=2"],
                      ["workloads/tutorial/3_jacobi_grid.lua"]):
            with self.subTest(words[0]):
                self.succeed("run", *words, "--chip", "wse2", "--check", "races",
                             "--timing-only", "-q")

    def test_a_wafer_says_what_was_checked(self):
        shown = self.succeed("run", "dot", "--chip", "wse2", "nx=4", "ny=4", "--check", "races").stdout

        self.assertIn("races      0; checked: vector operations on numbers that a microthread of the "
                      "same PE is still moving\n", shown)

    def test_an_unknown_check_is_refused(self):
        self.assertFails(INPUT, ["--check = raises, known are none, races"], "run", "dot",
                         "--check", "raises")


if __name__ == "__main__":
    unittest.main()
