-- The sum of one tile, or of one number, over a grid of cores. Partial sums go along a routing
-- pattern and are added at every core on the way; the root sends the total to all cores. These
-- functions serve the kernels of any script; each takes the core's table from describe(), which
-- the kernel gets among its arguments.
--
-- One mover, first: prepare(r).
-- Compute: packs the core's own partial sum into the buffer `partial`, then combine(r).
-- Movers: receive(r) and then total(r) on one, and finish(r) after the last one of a kernel;
-- send(r) on the other; or all on one. NoC 1 goes left and up, NoC 0 right and down: sums that
-- go to the first core are best sent by NoC 1, its total by NoC 0.
-- Over several chips the roots of their trees add each other's sums and hand the total on.
-- The total is then element 0 of the page at the front of the buffer `result`. The kernel that
-- uses it pops it, before its next partial sum is there. All this may be repeated any number of
-- times in one kernel; every core takes part each time.

local vectors = require("cores/tile_vectors")

local reduction = {}

local SHARED_BYTES = 32         -- of the total that goes to all cores, and of one number
local SLOTS = 8                 -- sums that may arrive before the first is added

local FLAG_BYTES = 16

-- Flags that other chips set, in the order in which they lie, after those of the slots. They
-- are not semaphores of a program, because a chip's launch may begin after the first message to
-- it.
local CREDIT, TOTAL = 0, 1

-- Host: memory at one address on all cores, for a chip's part of trees.across() or for the only
-- tree. reduction.memory(host, tree, format [, trees])
function reduction.memory(host, tree, format, trees)
    local cores = { 0, 0, tree.cols - 1, tree.rows - 1 }
    local page_bytes = host.tile_bytes(format)
    local slots = math.max(1, math.min((trees or tree).inputs, SLOTS))
    local memory = {
        slots = slots,
        slots_at = host.l1_allocate { cores = cores, bytes = slots * page_bytes, name = "reduction, sums coming in" },
        result_at = host.l1_allocate { cores = cores, bytes = page_bytes, name = "reduction, total" },
    }
    if trees and #trees.parts > 1 then
        local bytes = (slots + TOTAL + 1) * FLAG_BYTES
        memory.flags_at = host.l1_allocate { cores = cores, bytes = bytes, name = "reduction, flags" }
        local zeros = host.buffer(bytes)
        for i = 0, #tree.nodes do
            host.l1_write(tree.nodes[i].x, tree.nodes[i].y, memory.flags_at, zeros)
        end
    end
    return memory
end

-- Host: bytes of a core's L1 that a program needs beyond that memory.
function reduction.program_bytes(host, format, unit)
    local pages = unit == "fpu" and 5 or 4
    local semaphores = SLOTS + 3
    return pages * host.tile_bytes(format) + semaphores * host.number("l1.noc_alignment_bytes")
end

-- The default buffers of a reduction.
reduction.buffers = { partial = 24, incoming = 25, sum = 26, out = 27, result = 28, ones = 29 }

-- Host: adds circular buffers and semaphores to a program. Options: tree, of tree.make; memory,
-- of reduction.memory; format; unit "fpu" or "sfpu"; granularity "scalar" (each core sends one
-- number) or "tile"; buffers, indices as above; has_zones, whether compute kernels note their
-- waits (cores/time_parts.lua). Returns a function of x and y for the arguments of kernels.
function reduction.describe(host, program, options)
    local tree, memory, format = options.tree, options.memory, options.format
    local buffers = options.buffers or reduction.buffers
    local cores = { 0, 0, tree.cols - 1, tree.rows - 1 }
    local function buffer(index, pages, address)
        program:circular_buffer { cores = cores, index = index, pages = pages, format = format, address = address }
    end
    buffer(buffers.partial, 1, options.partial_at)
    buffer(buffers.incoming, memory.slots, memory.slots_at)
    buffer(buffers.sum, 2)
    buffer(buffers.out, 1)
    buffer(buffers.result, 1, memory.result_at)
    if options.unit == "fpu" then
        buffer(buffers.ones, 1)
    end
    local arrivals, credit, total = {}, nil, nil
    if memory.flags_at then
        local function flag(number)
            return memory.flags_at + number * FLAG_BYTES
        end
        for slot = 1, memory.slots do
            arrivals[slot] = flag(slot - 1)
        end
        credit, total = flag(memory.slots + CREDIT), flag(memory.slots + TOTAL)
    else
        for slot = 1, memory.slots do
            arrivals[slot] = program:semaphore { cores = cores, value = 0 }
        end
        credit = program:semaphore { cores = cores, value = 0 }
    end
    local done = program:semaphore { cores = cores, value = 0 }
    local one = program:semaphore { cores = cores, value = 1 }
    local page_bytes = host.tile_bytes(format)
    local is_scalar = options.granularity == "scalar"

    return function(x, y)
        local node = tree.nodes[y * tree.cols + x]
        local is_root = node.parent == nil
        local function place(other)
            return { x = other.x, y = other.y, chip = other.chip ~= node.chip and other.chip.index or nil }
        end
        local waiting = {}      -- children that need a slot after another child
        for order = memory.slots + 1, #node.children do
            waiting[#waiting + 1] = place(node.children[order])
        end
        local far = {}          -- children on other chips, which get the total
        for order = (node.near or #node.children) + 1, #node.children do
            far[#far + 1] = place(node.children[order])
        end
        local steps = #node.children + ((is_scalar or is_root) and 1 or 0)
        local parent = node.parent and place(node.parent)
        if parent then
            parent.children = #node.parent.children
        end
        return {
            unit = options.unit, is_scalar = is_scalar, is_root = is_root,
            is_first = is_root or parent.chip ~= nil, far = far, has_flags = memory.flags_at ~= nil, has_zones = options.has_zones,
            children = #node.children, near = #node.children - #far, waiting = waiting, steps = steps, parent = parent,
            order = node.order, slots = memory.slots, slots_at = memory.slots_at,
            page_bytes = page_bytes, bytes = is_scalar and SHARED_BYTES or page_bytes,
            partial = buffers.partial, incoming = buffers.incoming, sum = buffers.sum,
            out = buffers.out, result = buffers.result, ones = buffers.ones,
            last = steps == 0 and buffers.partial or buffers.out,
            arrivals = arrivals, credit = credit, total = total, done = done, one = one,
            cols = tree.cols, rows = tree.rows, received = 0, sent = 0,
        }
    end
end

-- Mover, once in a kernel, before its first reduction: makes the factors of the FPU's sum of a
-- tile, 16 times 1.
function reduction.prepare(r)
    if r.unit == "fpu" and (r.is_scalar or r.is_root) then
        cb_reserve_back(r.ones, 1)
        fill_words(get_write_ptr(r.ones), 0x3f803f80, 8)
        cb_push_back(r.ones, 1)
    end
end

-- A semaphore is a number of the program, or a flag, which is an address.
local function address_of(r, semaphore)
    return r.has_flags and semaphore or get_semaphore(semaphore)
end

local function wait_and_reset(address)
    noc_semaphore_wait(address, 1)
    noc_semaphore_set(address, 0)
end

-- Mover: waits until the total of the previous reduction has left for other chips.
function reduction.finish(r)
    if r.is_sharing then
        fabric_write_barrier()
        if r.is_root then
            cb_pop_front(r.last, 1)
        end
        r.is_sharing = false
    end
end

-- Mover: hands over incoming sums in the tree's order. A child beyond the first few may send
-- once its slot is free again. The others know that theirs is free, because they have the total
-- of the previous reduction.
function reduction.receive(r)
    reduction.finish(r)
    for k = 0, r.children - 1 do
        local slot = (r.received * r.children + k) % r.slots
        cb_reserve_back(r.incoming, 1)
        if k >= r.slots then
            local child, credit = r.waiting[k - r.slots + 1], address_of(r, r.credit)
            if child.chip then
                fabric_semaphore_inc(get_fabric_addr(child.chip, child.x, child.y, credit), 1)
            else
                noc_semaphore_inc(get_noc_addr(child.x, child.y, credit), 1)
            end
        end
        wait_and_reset(address_of(r, r.arrivals[slot + 1]))
        cb_push_back(r.incoming, 1)
    end
    r.received = r.received + 1
end

-- Mover: sends the core's sum to its parent.
function reduction.send(r)
    if r.is_root then
        return
    end
    local slot = (r.sent * r.parent.children + r.order) % r.slots
    local x, y, chip = r.parent.x, r.parent.y, r.parent.chip
    cb_wait_front(r.last, 1)
    if r.order >= r.slots then
        wait_and_reset(address_of(r, r.credit))
    end
    local from, to, arrival = get_read_ptr(r.last), r.slots_at + slot * r.page_bytes, address_of(r, r.arrivals[slot + 1])
    if chip then
        fabric_async_write_semaphore_inc(from, get_fabric_addr(chip, x, y, to), r.bytes, get_fabric_addr(chip, x, y, arrival), 1)
        fabric_write_barrier()
    else
        noc_async_write(from, get_noc_addr(x, y, to), r.bytes)
        noc_async_write_barrier()
        noc_semaphore_inc(get_noc_addr(x, y, arrival), 1)
    end
    cb_pop_front(r.last, 1)
    r.sent = r.sent + 1
end

-- Sends the total to the first cores of the chips below.
local function share_with_chips(r, from, to)
    for _, there in ipairs(r.far) do
        fabric_async_write_semaphore_inc(from, get_fabric_addr(there.chip, there.x, there.y, to), SHARED_BYTES,
            get_fabric_addr(there.chip, there.x, there.y, r.total), 1)
    end
end

-- Tells the chip's other cores that the total is there. This multicast follows the first one on
-- the same way, so it cannot arrive before it.
local function tell_all(r)
    noc_semaphore_set_multicast(get_semaphore(r.one),
        get_noc_multicast_addr(0, 0, r.cols - 1, r.rows - 1, get_semaphore(r.done)), r.cols * r.rows - 1)
end

-- Sends the total from the root to all cores.
local function share(r)
    local cores = r.cols * r.rows
    local to = get_write_ptr(r.result)
    cb_wait_front(r.last, 1)
    local from = get_read_ptr(r.last)
    share_with_chips(r, from, to)
    if cores == 1 then
        noc_async_write(from, get_noc_addr(to), SHARED_BYTES)
    else
        noc_async_write_multicast_loopback_src(from, get_noc_multicast_addr(0, 0, r.cols - 1, r.rows - 1, to), SHARED_BYTES, cores)
        tell_all(r)
    end
    noc_async_write_barrier()
    if #r.far == 0 then
        cb_pop_front(r.last, 1)
    end
end

-- Hands the total from another chip on to the chips below and to all cores of this chip.
local function hand_on(r)
    local cores, total = r.cols * r.rows, get_write_ptr(r.result)
    wait_and_reset(r.total)
    share_with_chips(r, total, total)
    if cores > 1 then
        noc_async_write_multicast(total, get_noc_multicast_addr(0, 0, r.cols - 1, r.rows - 1, total), SHARED_BYTES, cores - 1)
        tell_all(r)
        noc_async_write_barrier()
    end
end

-- Mover: sends the total on the root, waits for it on all other cores.
function reduction.total(r)
    cb_reserve_back(r.result, 1)
    if r.is_root then
        share(r)
    elseif r.is_first then
        hand_on(r)
    else
        wait_and_reset(get_semaphore(r.done))
    end
    cb_push_back(r.result, 1)
    r.is_sharing = #r.far > 0
end

-- Adds all numbers of a tile into its element 0.
local function sum_tile(r, a, out)
    cb_wait_front(a, 1)
    if r.unit == "fpu" then
        cb_wait_front(r.ones, 1)
    end
    tile_regs_acquire()
    if r.unit == "fpu" then
        reduce_init(a, r.ones)
        reduce_tile(a, r.ones, 0, 0, 0, "scalar")
    else
        copy_tile_to_dst_init_short(a)
        copy_tile(a, 0, 0)
        sfpu_reduce_scalar(0)
    end
    tile_regs_commit()
    cb_reserve_back(out, 1)
    tile_regs_wait()
    pack_tile(0, out)
    tile_regs_release()
    cb_pop_front(a, 1)
    cb_push_back(out, 1)
end

-- Compute: notes the wait for a buffer, on the core at which a chip's sums come together.
local function wait_for(r, buffer, is_far)
    if r.has_zones and r.is_first then
        zone(is_far and "ethernet" or "noc", function() cb_wait_front(buffer, 1) end)
    end
end

-- Compute: adds the core's partial sum and the incoming ones.
function reduction.combine(r)
    local from, left = r.partial, r.steps
    local function next_buffer()
        left = left - 1
        return left == 0 and r.out or r.sum
    end
    if r.is_scalar then
        local to = next_buffer()
        sum_tile(r, from, to)
        from = to
    end
    for k = 1, r.children do
        local to = next_buffer()
        wait_for(r, r.incoming, k > r.near)
        vectors[r.unit].add(1, from, nil, r.incoming, nil, to)
        from = to
    end
    if r.is_root and not r.is_scalar then
        sum_tile(r, from, next_buffer())
    end
    wait_for(r, r.result, not r.is_root)
end

return reduction
