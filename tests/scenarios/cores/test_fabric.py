"""Messages from kernels to cores of other chips: calls, traces and complaints."""
import unittest

import gridloom

# Chip 0 sends, and waits for answers (ping) or not (stream); chip p.far receives.
MESSAGES = """
local function number(name, default, most)
    return { name = name, type = "integer", default = default, min = 0, max = most, help = name }
end

local function send(args)
    local to = get_fabric_addr(args.other, 7, 0, args.there)
    local semaphore = get_fabric_addr(args.other, 7, 0, get_semaphore(args.semaphore))
    if args.bytes == 0 then
        fabric_semaphore_inc(semaphore, 1)
    else
        fabric_async_write_semaphore_inc(args.here, to, args.bytes, semaphore, 1)
    end
end

local function first(args)
    delay(20000) -- until the other chip has started, too
    zone("way", function()
        for i = 1, args.count do
            send(args)
            if args.is_answered then
                noc_semaphore_wait_min(get_semaphore(args.semaphore), i)
            end
        end
        fabric_write_barrier()
    end)
    assert(my_chip() == 0)
end

local function second(args)
    local semaphore = get_semaphore(args.semaphore)
    noc_semaphore_wait_min(semaphore, 1)
    zone("received", function()
        for i = 1, args.count do
            noc_semaphore_wait_min(semaphore, i)
            if args.is_answered then
                send(args)
            end
        end
    end)
    assert(my_chip() == args.far)
end

return {
    summary = "messages between two chips",
    chips = { "tensix" },
    parameters = {
        number("bytes", 64, 1000000), number("count", 4, 10000), number("far", 1, 31),
        { name = "answers", type = "switch", default = true, help = "wait for each" },
    },
    kernels = { first = first, second = second },
    run = function(host, p)
        local sent, got = host.buffer(math.max(p.bytes, 16)), host.buffer(math.max(p.bytes, 16))
        sent:fill(7)
        host.each(function(device)
            if device.index ~= 0 and device.index ~= p.far then
                return
            end
            local is_first = device.index == 0
            local cores = { x = 7, y = 0 }
            local here = device.l1_allocate { cores = cores, bytes = #sent, name = "here" }
            local there = device.l1_allocate { cores = cores, bytes = #sent, name = "there" }
            local program = device.program()
            device.l1_write(7, 0, here, is_first and sent or got)
            program:kernel {
                kernel = is_first and "first" or "second", processor = "writer", cores = cores,
                args = {
                    other = is_first and p.far or 0, far = p.far, here = here, there = there, bytes = p.bytes,
                    count = p.count, is_answered = p.answers, semaphore = program:semaphore { cores = cores, value = 0 },
                },
            }
            device.wait(device.launch(program))
            if not is_first and p.bytes > 0 then
                device.l1_read(7, 0, there, got)
            end
        end)
        if host.is_functional and p.bytes > 0 then
            host.check_equal(got:part(0, p.bytes), sent:part(0, p.bytes), "the bytes that were sent")
        end
    end,
}
"""

# One reader on core 0,0 of chip 0 with this body.
ONE = """
return {
    summary = "one kernel",
    chips = { "tensix" },
    parameters = {},
    kernels = { k = function() %s end },
    run = function(host)
        local program = host.program()
        program:kernel { kernel = "k", processor = "%s", cores = { x = 0, y = 0 } }
        host.wait(host.launch(program))
    end,
}
"""

ETHERNET_BYTES_PER_CYCLE = 12.5
# Cycles of the Ethernet subsystem and its wire, and of the RISC-V that initiates.
ETHERNET_CYCLES = 500 + 80


class Messages(gridloom.Scenario):
    def messages(self, *words):
        return self.result(self.write("messages.lua", MESSAGES), *words)

    def test_bytes_arrive_at_the_other_chip(self):
        for bytes_ in (1, 64, 4352, 10000, 100000):
            with self.subTest(bytes=bytes_):
                result = self.messages("--system", "n300", f"bytes={bytes_}")

                self.assertEqual(result["check"]["status"], "pass")

    def test_a_word_takes_what_is_published_and_two_networks(self):
        """530 to 620 ns from one Ethernet tile to the other; a NoC at both ends."""
        result = self.messages("--system", "n300", "bytes=0", "count=10")

        one_way = result["zones"]["way"] / 20 * 1e9
        self.assertGreater(one_way, ETHERNET_CYCLES)
        self.assertLess(one_way, ETHERNET_CYCLES + 2 * 150)

    def test_many_bytes_take_their_packets_on_the_wire(self):
        """4352 bytes are three packets with 50 bytes around each."""
        result = self.messages("--system", "n300", "bytes=4352", "count=100", "answers=off")

        expected = 99 * (4352 + 3 * 50) / ETHERNET_BYTES_PER_CYCLE
        self.assertAlmostEqual(result["zones"]["received"] * 1e9 / expected, 1, delta=0.01)
        self.assertGreater(result["stalls"]["fabric"], 0.9 * expected)

    def test_messages_go_over_pcie_where_there_is_no_ethernet(self):
        result = self.messages("--system", "n150x4-pcie", "bytes=20000", "far=3")

        self.assertEqual(result["check"]["status"], "pass")

    def test_without_data_cycles_are_the_same(self):
        plain = self.messages("--system", "n300", "bytes=5000", "count=20")
        timing = self.messages("--system", "n300", "bytes=5000", "count=20", "--timing-only")

        self.assertEqual(plain["zones"], timing["zones"])
        self.assertEqual(plain["stalls"], timing["stalls"])

    def test_threads_change_nothing(self):
        one = self.messages("--system", "n300", "bytes=9000")
        four = self.messages("--system", "n300", "bytes=9000", "--threads", "4")

        self.assertEqual({**one, "host": None}, {**four, "host": None})

    def test_a_trace_shows_calls_and_ports(self):
        script = self.write("messages.lua", MESSAGES)
        self.succeed("run", script, "--system", "n300", "-q", "--trace", "t.pftrace")

        with open(self.path("t.pftrace"), "rb") as file:
            data = file.read()
        for name in (b"fabric_async_write_semaphore_inc", b"fabric_write_barrier", b"initiate", b"ethernet"):
            self.assertIn(name, data)


class Refusals(gridloom.Scenario):
    def refuse(self, body, *words, processor="reader", system="n300"):
        script = self.write("one.lua", ONE % (body, processor))
        done = self.gridloom("run", script, "--system", system, "-q")
        self.assertEqual(done.returncode, gridloom.INPUT, body)
        line = done.stderr.partition("\n")[0] # Lua's own complaints have a trace below
        chip = "" if system == "default" else " of chip 0"
        self.assertTrue(line.startswith(f"gridloom: one.lua:6: kernel k on core[0,0]{chip}: "), line)
        for word in words:
            self.assertIn(word, line)

    def write_to(self, address, *words, local="0x10000", bytes_=16, **options):
        self.refuse(f"fabric_async_write({local}, {address}, {bytes_})", *words, **options)

    def test_addresses_that_no_message_can_go_to(self):
        self.write_to("get_fabric_addr(0, 0, 0, 0x10000)", "chip 0 is the kernel's own")
        self.write_to("get_fabric_addr(2, 0, 0, 0x10000)", "chip 2", "n300", "0..1")
        self.write_to("get_fabric_addr(1, 8, 0, 0x10000)", "core 8,0 is outside the compute grid")
        self.write_to("get_fabric_addr(1, 0, 0, 0x10004)", "must be multiples of 16")
        self.write_to("get_fabric_addr(1, 0, 0, 0x10000)", "must be multiples of 16", local="0x10008")
        self.write_to("get_fabric_addr(1, 0, 0, 1499136)", "reach past its end at 1499136")
        self.write_to("get_fabric_addr(1, 0, 0, 0x10000)", "reach past its end", local="1499136")
        self.write_to("get_noc_addr(1, 1, 0x10000)", "expected an address of get_fabric_addr")
        self.write_to("0x10000", "expected an address of get_fabric_addr")
        self.write_to("get_fabric_addr(1, 0, 0, 0x10000)", "at least 1 is needed", bytes_=0)
        self.write_to("get_fabric_addr(4096, 0, 0, 0x10000)", "expected an integer of 0 to 4095, got 4096")

    def test_a_chip_alone_has_no_path(self):
        self.write_to("get_fabric_addr(1, 0, 0, 0x10000)", "no path from chip 0 to chip 1", system="default")

    def test_increments(self):
        self.refuse("fabric_semaphore_inc(get_fabric_addr(1, 0, 0, 0x10002), 1)", "no multiple of 4")
        self.refuse("fabric_semaphore_inc(get_fabric_addr(1, 0, 0, 0x10000), 0)", "an increment is at least 1")
        self.refuse("fabric_async_write_semaphore_inc(0x10000, get_fabric_addr(1, 0, 0, 0x10000), 16, "
                    "get_fabric_addr(1, 1, 0, 0x20000), 1)",
                    "the data goes to chip 1 core[0,0], the semaphore is on chip 1 core[1,0]")

    def test_other_chips_are_no_places_of_a_noc(self):
        self.refuse("noc_async_write(0x10000, get_fabric_addr(1, 0, 0, 0x10000), 16)",
                    "expected a place on this chip, not one of get_fabric_addr")

    def test_only_movers_send(self):
        self.refuse("fabric_write_barrier()", "fabric_write_barrier: only inside a reader or writer kernel",
                    processor="compute")


if __name__ == "__main__":
    unittest.main()
