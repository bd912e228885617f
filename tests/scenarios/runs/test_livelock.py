"""Programs that go on for ever without changing anything, and others that only seem to."""
import unittest

import gridloom
from gridloom import DONE, STOPPED

# Kernels on core 0,0, with a semaphore and a circular buffer.
CORES = """return {{
    summary = "a script for a test", chips = {{ "tensix" }}, parameters = {{}},
    kernels = {{
        reader = function(args)
            local semaphore, scratch = get_semaphore(args.semaphore), args.scratch
            {reader}
        end,
        writer = function(args)
            local semaphore, scratch = get_semaphore(args.semaphore), args.scratch
            {writer}
        end,
        compute = function() {compute} end,
    }},
    run = function(host, p)
        local both, one = {{ 0, 0, 1, 0 }}, {{ x = 0, y = 0 }}
        local scratch = host.l1_allocate {{ cores = both, bytes = 4096, name = "scratch" }}
        local program = host.program()
        local semaphore = program:semaphore {{ cores = both, value = 0 }}
        program:circular_buffer {{ cores = one, index = 0, pages = 2, format = "bf16" }}
        for _, name in ipairs {{ "reader", "writer", "compute" }} do
            program:kernel {{ name = name, cores = one, processor = name, kernel = name,
                args = {{ semaphore = semaphore, scratch = scratch }} }}
        end
        host.wait(host.launch(program))
        {host}
    end }}
"""
BRIEF = ("--livelock-cycles", "100000")
POLL = "while load_word(semaphore) == 0 do end"

# A PE whose task `poll` does this.
WAFER = """local function layout(l)
    l:set_tile_code({{ 0, 0, l.columns - 1, l.rows - 1 }}, "p", function(pe)
        local flag = pe:variable {{ name = "flag", value = 0 }}
        local turn = pe:variable {{ name = "turn", value = 0 }}
        pe:bind_local_task(8, "poll", function() {poll} end)
        pe:bind_local_task(9, "done", function() end)
        pe:activate(8)
    end)
end
return {{ summary = "a script for a test", chips = {{ "wse" }}, parameters = {{}},
run = function(host, p)
    host.wafer {{ columns = 3, rows = 2, layout = layout }}:launch()
end }}
"""

# Two chips that may send messages to each other; core 0,0 of chip 0 runs this.
CHIPS = """return {{
    summary = "a script for a test", chips = {{ "tensix" }}, parameters = {{}},
    kernels = {{ poll = function(args) while load_word(args.scratch) == 0 do end end,
                 work = function(args) {work} end }},
    run = function(host, p)
        local word = host.buffer(4)
        host.each(function(device)
            local cores = {{ x = 0, y = 0 }}
            local scratch = device.l1_allocate {{ cores = cores, bytes = 64, name = "scratch" }}
            local program = device.program()
            program:kernel {{ kernel = device.index == 0 and "work" or "poll", cores = cores,
                processor = "reader", args = {{ scratch = scratch }} }}
            local launch = device.launch(program)
            {host}
            device.wait(launch)
        end)
    end }}
"""


class Livelock(gridloom.Scenario):
    def run_text(self, text, *words):
        self.write("script.lua", text)
        return self.gridloom("run", "script.lua", "-q", *words)

    def run_cores(self, *words, reader="", writer="", compute="", host=""):
        return self.run_text(CORES.format(reader=reader, writer=writer, compute=compute,
                                          host=host), *words)

    def assertNamed(self, failed, *says):
        self.assertEqual(failed.returncode, STOPPED, failed.stderr)
        self.assertIn("livelock at cycle ", failed.stderr.splitlines()[0])
        for text in says:
            self.assertIn(text, failed.stderr)

    def assertWorks(self, done):
        self.assertEqual((done.returncode, done.stderr), (DONE, ""))

    def test_a_kernel_that_polls_a_word_is_named(self):
        for loop in (POLL, "while load_word(semaphore) == 0 do delay(1000) end",
                     "while load_word(semaphore) + load_word(scratch) == 0 do delay(9) end "
                     "load_word(semaphore)",
                     "while load_word(semaphore) == 0 do noc_semaphore_set(semaphore, 0) end"):
            failed = self.run_cores(*BRIEF, reader=loop)

            self.assertNamed(failed, "nothing has changed for 100000 cycles",
                             "core[0,0].reader (reader) spins on load_word(0x", ": it is 0, since")
            self.assertRegex(failed.stderr, r"load_word\(0x\w+\), (semaphore 0|scratch): it is 0")

    def test_a_kernel_that_polls_a_word_of_another_core_is_named(self):
        failed = self.run_cores(*BRIEF, reader="""
            repeat
                noc_async_read(get_noc_addr(1, 0, semaphore), scratch, 16)
                noc_async_read_barrier()
            until load_word(scratch) ~= 0""")

        self.assertNamed(failed, "(reader) spins on load_word(0x",
                         "), scratch: it is 0 after noc_async_read from core 1,0 at 0x")

    def test_a_kernel_that_looks_at_a_circular_buffer_for_ever_is_named(self):
        failed = self.run_cores(*BRIEF, reader="while true do cb_reserve_back(0, 1) end")

        self.assertNamed(failed, "spins on cb_reserve_back of circular buffer 0")

    def test_whoever_waits_for_the_one_that_spins_is_named_beside_it(self):
        failed = self.run_cores(*BRIEF, reader=POLL, writer="cb_wait_front(0, 1)")

        self.assertNamed(failed, "reader (reader) spins on load_word",
                         "writer (writer) waits for cb_wait_front(0, 1): 0 of 2 pages")

    def test_the_report_does_not_depend_on_threads(self):
        texts = {self.run_cores(*BRIEF, "--threads", count, reader=POLL).stderr
                 for count in "123"}

        self.assertEqual(len(texts), 1, texts)
        self.assertIn("livelock at cycle 200000: ", texts.pop())

    def test_it_is_found_without_any_option_and_not_where_that_is_switched_off(self):
        self.assertNamed(self.run_cores(reader=POLL), "nothing has changed for 10000000 cycles")

        failed = self.run_cores("--livelock-cycles", "0", "--limit-cycles", "300000", reader=POLL)

        self.assertEqual(failed.returncode, STOPPED)
        self.assertIn("cycle limit of 300000 reached", failed.stderr)

    def test_who_computes_for_long_while_another_polls_is_no_livelock(self):
        for work in ("delay(1000000)", "for i = 1, 1000 do delay(1000) end",
                     "for i = 0, 1000 do delay(load_word(scratch + 4 * (i % 1000)) + 1000) end",
                     "load_word(semaphore) load_word(semaphore) cb_reserve_back(0, 1) "
                     "delay(1000000)"):
            self.assertWorks(self.run_cores(
                *BRIEF, reader=POLL, writer=work + " noc_semaphore_set(semaphore, 1)"))

    def test_data_that_move_for_long_while_another_polls_are_no_livelock(self):
        self.assertWorks(self.run_cores(*BRIEF, reader=POLL, writer="""
            for i = 1, 1500 do
                noc_async_read(get_noc_addr(1, 0, scratch), scratch, 128)
                noc_async_read_barrier()
            end
            noc_semaphore_set(semaphore, 1)"""))

    def test_a_host_program_that_reads_a_word_for_ever_is_named(self):
        failed = self.run_cores(*BRIEF, host="""
            local word = host.buffer(4)
            repeat host.l1_read(0, 0, scratch, word) until word:byte(0) ~= 0""")

        self.assertNamed(failed, "script.lua:", "host spins on host.l1_read")

    def test_a_host_program_that_only_sleeps_is_named(self):
        failed = self.run_cores(*BRIEF, host="while true do host.sleep(1) end")

        self.assertNamed(failed, "script.lua:", "host spins on host.sleep")

    def test_a_host_program_that_reads_many_words_or_works_between_is_no_livelock(self):
        self.assertWorks(self.run_cores(*BRIEF, host="""
            local word = host.buffer(4)
            for i = 0, 1023 do host.l1_read(0, 0, scratch + 4 * i, word) end
            for i = 1, 1000 do
                host.sleep(1e-3)
                host.l1_read(0, 0, scratch, word)
                host.l1_write(0, 0, scratch, word)
            end"""))

    def test_tasks_of_a_wafer_that_activate_themselves_for_ever_are_named(self):
        for poll in ("pe:activate(8)",
                     'pe:when(flag, "==", 0, function() pe:activate(8) end)'):
            texts = {self.run_text(WAFER.format(poll=poll), *BRIEF, "--threads", count).stderr
                     for count in "12"}

            self.assertEqual(len(texts), 1, texts)
            self.assertIn("livelock at cycle ", min(texts))
            self.assertIn("6 PEs like pe[0,0] (p); task 8 (poll) ", min(texts))

    def test_tasks_of_a_wafer_that_count_are_no_livelock(self):
        self.assertWorks(self.run_text(WAFER.format(poll="""
            pe:add(turn, 1)
            pe:when(turn, "<", 30000, function() pe:activate(8) end)"""), *BRIEF))

    def test_a_task_of_a_wafer_that_was_activated_and_stays_blocked_is_named(self):
        failed = self.run_text(WAFER.format(poll="pe:block(9) pe:activate(9)"))

        self.assertEqual(failed.returncode, STOPPED)
        self.assertIn("deadlock at cycle ", failed.stderr.splitlines()[0])
        self.assertIn("6 PEs like pe[0,0] (p); task 9 (done) was activated and stays blocked",
                      failed.stderr)

    def test_lines_of_wafers_carry_pe_and_cycle_for_any_number_of_threads(self):
        said = [self.run_text(WAFER.format(poll='''
            pe:add(turn, 1)
            pe:print("turn", turn)
            pe:when(turn, "<", 2, function() pe:activate(8) end)'''),
                              "-q", "--threads", count).stdout for count in "13"]

        self.assertEqual(said[0], said[1])
        self.assertRegex(said[0], r"^pe\[0,0\] @ (\d+): turn 1\npe\[1,0\] @ \1: turn 1\n")
        self.assertRegex(said[0], r"\npe\[2,1\] @ \d+: turn 2\n$")
        self.assertEqual(len(said[0].splitlines()), 12)

    def test_an_operation_of_a_wafer_that_waits_names_its_line_and_the_color(self):
        failed = self.run_text(WAFER.format(poll="""
            local from = pe:fabin_dsd { color = 3, input_queue = 2, extent = 4 }
            local to = pe:array { name = "to", type = "f32", count = 4 }
            pe:fmovs(pe:mem1d_dsd { base = to, extent = 4 }, from)"""))

        self.assertEqual(failed.returncode, STOPPED, failed.stderr)
        self.assertRegex(failed.stderr, r"6 PEs like pe\[0,0\] \(p\).*; fmovs at element 0 of 4 "
                                        r"\(script\.lua:\d+\), from color 3, input queue 2, "
                                        r"needs a wavelet of that color")

    def test_a_chip_that_waits_for_another_or_for_the_host_is_no_livelock(self):
        work = ("delay(1000000) fabric_semaphore_inc(get_fabric_addr(1, 0, 0, args.scratch), 1) "
                "fabric_write_barrier()")
        late = """if device.index == 1 then
                host.sleep(1e-3)
                word:set_byte(0, 1)
                device.l1_write(0, 0, scratch, word)
            end"""

        self.assertWorks(self.run_text(CHIPS.format(work=work, host=""), *BRIEF,
                                       "--system", "n300"))
        self.assertWorks(self.run_text(CHIPS.format(work="", host=late), *BRIEF,
                                       "--system", "n300"))

    def test_chips_that_wait_for_each_other_by_polling_are_named(self):
        failed = self.run_text(CHIPS.format(work="", host=""), *BRIEF, "--system", "n300")

        self.assertNamed(failed, "chip 1: core[0,0].reader (poll) spins on load_word(0x")


if __name__ == "__main__":
    unittest.main()
