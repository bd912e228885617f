-- Edges of tiles that go to the next chip or come from it, in bulk.
--
-- Chips lie in a line along x, so these edges are whole lines of tiles. A core at the edge of
-- its chip gathers them in L1, tile after tile, and sends them in messages of several tiles,
-- each with an increment of the receiver's semaphore. The receiver takes them from its own L1.
--
-- A round sends all tiles once. Consecutive rounds use different places. Nobody asks whether a
-- place is free: a core that sends round r + 2 has used the edges of round r + 1, and their
-- sender had used all of round r. If all cores meet between rounds, incoming edges need only
-- one place.
--
-- Messages are not counted by a semaphore of a program: a launch sets those to 0, and the other
-- chip's launch may have begun before. The host sets the count to 0 once, the receiver at the
-- end of a launch.

local core_grid = require("cores/grid")

-- Messages that not all cores wait for.
local MESSAGE_BYTES = 4096      -- at most
local MESSAGES = 4              -- per round at least, if there are enough tiles
local OPPOSITE = { north = "south", south = "north" }

local FLAG_BYTES = 16

local halo = { sides = { "north", "south" } }

-- Kernels. `h` is the table from describe(); `h.to` has the cores on other chips, by side.
-- Rounds are counted from 0 in every launch.

-- The place of a round's first edge.
local function begin_of(h, places, slots, side, round)
    return places[side] + round % slots * h.tiles * h.edge_bytes
end

-- Reader: gathers the edge of tile k towards a side. After the last tile of a message, sends
-- the message. Tiles come in order.
function halo.send(h, side, round, k, from)
    local to, gathered = h.to[side], begin_of(h, h.out, 2, side, round)
    noc_async_write(from, get_noc_addr(h.here.x, h.here.y, gathered + k * h.edge_bytes), h.edge_bytes)
    if (k + 1) % h.piece > 0 and k + 1 < h.tiles then
        return
    end
    noc_async_write_barrier()
    local first = k // h.piece * h.piece * h.edge_bytes
    local there = begin_of(h, h.into, h.slots, OPPOSITE[side], round) + first
    fabric_async_write_semaphore_inc(
        gathered + first, get_fabric_addr(to.chip, to.x, to.y, there), (k + 1) * h.edge_bytes - first,
        get_fabric_addr(to.chip, to.x, to.y, h.arrived[OPPOSITE[side]]), 1)
end

-- Writer: waits for the edge of tile k from a side and returns its place. Tiles are asked for
-- in order.
function halo.receive(h, side, round, k)
    if k % h.piece == 0 then
        noc_semaphore_wait_min(h.arrived[side], round * h.messages + k // h.piece + 1)
    end
    return begin_of(h, h.into, h.slots, side, round) + k * h.edge_bytes
end

-- Reader, at the end of a launch: waits until all messages have left.
function halo.finish()
    fabric_write_barrier()
end

-- Writer, at the end of a launch: clears the counts when all messages have arrived.
function halo.leave(h)
    for side in pairs(h.to) do
        noc_semaphore_set(h.arrived[side], 0)
    end
end

-- Host

-- The most sides of a core that face other chips.
local function side_count(size)
    for i = 2, #size.chips - 1 do
        if size.chips[i].cols == 1 then
            return 2
        end
    end
    return 1
end

-- Bytes of L1 that edges take on every core: for each tile, and in addition.
function halo.bytes(size, edge_bytes, slots)
    if #size.chips == 1 then
        return 0, 0
    end
    return (2 + slots) * edge_bytes * side_count(size), #halo.sides * FLAG_BYTES
end

-- L1 on these cores of a chip's device: addresses, or nil if there is one chip. `it` has: size,
-- bytes (of a tile's edge), slots (1 or 2: rounds with places of their own).
function halo.memory(device, cores, it)
    if #it.size.chips == 1 then
        return nil
    end
    local sides = side_count(it.size)
    local function both(name, bytes)
        local first = device.l1_allocate { cores = cores, bytes = sides * bytes, name = name }
        return { north = first, south = first + (sides - 1) * bytes }
    end
    local round = it.size.tiles * it.bytes
    local flags = device.l1_allocate { cores = cores, bytes = #halo.sides * FLAG_BYTES, name = "edges that came" }
    return {
        edge_bytes = it.bytes, slots = it.slots, out = both("edges out", 2 * round), into = both("edges in", it.slots * round),
        flags = flags, arrived = { north = flags, south = flags + FLAG_BYTES },
    }
end

-- Sets a core's counts of messages to 0.
function halo.clear(device, x, y, memory)
    device.l1_write(x, y, memory.flags, device.buffer(#halo.sides * FLAG_BYTES))
end

-- Tiles per message.
local function piece_of(size, edge_bytes, overlap)
    if not overlap then
        return size.tiles
    end
    return math.max(1, math.min(MESSAGE_BYTES // edge_bytes, -(-size.tiles // MESSAGES)))
end

-- The arguments of a core's kernels, with `memory` from halo.memory(); nil if the core has no
-- neighbour on another chip.
function halo.describe(size, memory, overlap, column, row)
    local to, is_far = {}, false
    for name, there in pairs(memory and core_grid.neighbours(size, column, row) or {}) do
        if there and there.chip then
            to[name], is_far = there, true
        end
    end
    if not is_far then
        return nil
    end
    local _, x = core_grid.at(size, column)
    local piece = piece_of(size, memory.edge_bytes, overlap)
    return {
        here = { x = x, y = row }, to = to, tiles = size.tiles, edge_bytes = memory.edge_bytes, slots = memory.slots,
        out = memory.out, into = memory.into, arrived = memory.arrived, piece = piece, messages = -(-size.tiles // piece),
    }
end

return halo
