-- The 7-point Laplacian of cores/laplacian7.lua where a core has several tiles in each layer,
-- `wide` along x and `high` along y. Tiles come layer after layer, in a layer along x and then
-- along y, so a tile's neighbours on its own core are `high` and 1 before and after it, and a
-- layer, `plane` tiles, above and below.
--
-- A tile is transposed a layer ahead. Then the reader sends its edges to the cores that need
-- them: to places of their own, because the receiver may be a layer behind. The writer puts the
-- lines into the shifted tiles: from those places, from the neighbour on this core, or 0 at the
-- end of the grid. Sums and their order are those of cores/laplacian7.lua.
--
-- Nobody asks whether a place for edges is free. A core that sends layer n has added up a tile
-- of layer n - 3 or later, for which it needed its neighbour's edges. So the neighbour is at
-- layer n - 5 or later: 8 layers have places of their own.
--
-- x and y may also pass through L1 on their way from and to DRAM (cores/tile_stream.lua). Then x
-- is a window: a layer before the present tile, one after it, and the tiles under way. A tile is
-- new once, when it is transposed; later it is read at its distance from the oldest one, because
-- a circular buffer hands out no tiles beyond its end.

local core_grid = require("cores/grid")
local laplacian = require("cores/laplacian7")
local stream = require("cores/tile_stream")
local vectors = require("cores/tile_vectors")

local LINES, SIDE = core_grid.nx, core_grid.ny          -- lines of a tile, and of one of its squares
local SLOTS = 8                 -- layers of edges that a core has places for
local MINUS_ONE, SIX = 0, 1     -- tiles of the buffer of constants
local BEFORE, AHEAD = 2, 1      -- tiles before and after the present layer that stay transposed
local GROUPS = 2                -- tiles that may be shifted but not yet added up
local BLOCK = 2                 -- tiles of x that are read from DRAM at a time
local SENT_AFTER = 2            -- blocks that are read before the edges of a block are sent
local STORED_AFTER = 2          -- tiles that are completed before one of y is stored

-- In the order in which shifted tiles lie. `step` leads to the neighbour along x and y.
local SIDES = {
    { name = "north", opposite = "south", is_turned = false, step = { -1, 0 } },
    { name = "south", opposite = "north", is_turned = false, step = { 1, 0 } },
    { name = "west", opposite = "east", is_turned = true, step = { 0, -1 } },
    { name = "east", opposite = "west", is_turned = true, step = { 0, 1 } },
}
local NORTH, SOUTH, WEST, EAST = 0, 1, 2, 3             -- places of shifted tiles

local side_of = {}
for _, side in ipairs(SIDES) do
    side.lines = laplacian.edge_lines(side)
    side_of[side.name] = side
end

local plane = {}

-- Kernels. `s` is the table from describe(); tiles are counted over all products of a launch.

local function x_at(s, tile)
    return s.x_address + tile % s.x_pages * s.tile_bytes
end

local function turned_at(s, tile)
    return s.turned_address + tile % s.turned_pages * s.tile_bytes
end

-- The place of an edge in the layer of a tile, the same on every core.
local function edge_at(s, tile, offset)
    return s.edges_address + tile // s.plane % SLOTS * s.edges_bytes + offset
end

-- Reader: sends the edges of a tile, which is at the front of `turned_out`.
local function send_tile(s, tile)
    local sends = s.sends[tile % s.plane + 1]
    cb_wait_front(s.turned_out, 1)
    for _, it in ipairs(sends) do
        local from = it.is_turned and turned_at(s, tile) or x_at(s, tile)
        local to = edge_at(s, tile, it.offset)
        for i, line in ipairs(it.lines) do
            noc_async_write(from + line * s.line_bytes, get_noc_addr(it.x, it.y, to + (i - 1) * s.line_bytes), s.line_bytes)
        end
    end
    if #sends > 0 then
        noc_async_write_barrier()
    end
    for _, it in ipairs(sends) do
        noc_semaphore_inc(get_noc_addr(it.x, it.y, get_semaphore(it.arrived)), 1)
    end
    cb_pop_front(s.turned_out, 1)
end

local function send_tiles(s, from, to)
    for tile = from, s.is_sending and to or from - 1 do
        send_tile(s, tile)
    end
end

-- Reader: reads x and sends the edges of tiles that were read some blocks before. Tiles of x stay
-- until the tile a layer further on is added up, for which edges are needed that neighbours send
-- before they read more than the window holds. A block ends where the window does.
local function read_and_send(s, first)
    local from, sent, last = first, first, first + s.tiles - 1
    while from <= last do
        local n = math.min(BLOCK, last - from + 1, s.x_pages - from % s.x_pages)
        cb_reserve_back(s.x, n)
        cb_reserve_back(s.x_new, n)
        for tile = from, from + n - 1 do
            noc_async_read_tile(s.source.first + tile - first, s.source.buffer, x_at(s, tile))
        end
        local to = math.max(sent, from - (SENT_AFTER - 1) * BLOCK)
        send_tiles(s, sent, to - 1)
        noc_async_read_barrier()
        cb_push_back(s.x, n)
        cb_push_back(s.x_new, n)
        from, sent = from + n, to
    end
    send_tiles(s, sent, last)
end

-- Reader: sends the edges of all tiles to the neighbours.
function plane.send(s, first)
    if s.source then
        read_and_send(s, first)
    else
        send_tiles(s, first, first + s.tiles - 1)
    end
end

-- Writer: puts the lines beyond a tile's edge into the tile shifted to a side. Returns whether
-- that is still under way.
local function fill_side(s, tile, place, it)
    local to = s.shifted_address + (tile % GROUPS * #SIDES + place) * s.tile_bytes
    local targets = SIDES[place + 1].lines
    if it.kind == "end" then
        for _, line in ipairs(targets) do
            fill_words(to + line * s.line_bytes, 0, s.line_bytes // 4)
        end
        return false
    end
    local from, lines = nil, it.lines
    if it.kind == "core" then
        noc_semaphore_wait_min(get_semaphore(it.arrived), tile // s.plane * it.count + it.order + 1)
        from = edge_at(s, tile, it.offset)
    else
        from = it.is_turned and turned_at(s, tile + it.step) or x_at(s, tile + it.step)
    end
    for i, line in ipairs(targets) do
        noc_async_write(from + lines[i] * s.line_bytes, get_noc_addr(s.here.x, s.here.y, to + line * s.line_bytes), s.line_bytes)
    end
    return true
end

-- Writer: completes each tile, and stores those of y that go to DRAM.
function plane.fill(s, first)
    local last = first + s.tiles - 1
    for tile = first, last do
        local is_copying = false
        cb_wait_front(s.shifted, #SIDES)
        for place, it in ipairs(s.fills[tile % s.plane + 1]) do
            is_copying = fill_side(s, tile, place - 1, it) or is_copying
        end
        if is_copying then
            noc_async_write_barrier()
        end
        cb_pop_front(s.shifted, #SIDES)
        cb_reserve_back(s.filled, #SIDES)
        cb_push_back(s.filled, #SIDES)
        if s.target and tile - STORED_AFTER >= first then
            stream.store(s.target, tile - STORED_AFTER - first)
        end
    end
    if s.target then
        for tile = math.max(first, last - STORED_AFTER + 1), last do
            stream.store(s.target, tile - first)
        end
        noc_async_write_barrier()
    end
end

-- Compute: y = A x, with 0 outside the grid. Both are circular buffers of `tiles` pages, and x
-- stays; or they come from DRAM and go there. f(tile, at), if given, is called after each tile of
-- y, the one at the front of s.y; s.x has the same tile at `at`.
function plane.apply(s, f)
    local is_fp32, last = s.format == "fp32", s.tiles - 1
    local gone = 0      -- tiles of x that are used up
    local before = s.passed or 0        -- in earlier products, if x comes from DRAM
    local unit = is_fp32 and vectors.sfpu or vectors.fpu
    local line, x = s.line_bytes, s.x

    local function turn(tile)
        if s.is_sending then
            cb_reserve_back(s.turned_out, 1)
        end
        if s.source then
            vectors.transpose(1, s.x_new, nil, s.turned)
        else
            vectors.transpose(1, x, tile, s.turned)
        end
        if s.is_sending then
            cb_push_back(s.turned_out, 1)
        end
    end
    -- Calls f with the place of a tile of x, read `bytes` further on.
    local function with_x(tile, bytes, f)
        if s.source then
            bytes = bytes + ((before + tile) % s.x_pages - (before + gone) % s.x_pages) * s.tile_bytes
        end
        if bytes ~= 0 then
            cb_shift_read(x, bytes)
        end
        f(s.source and 0 or tile)
        if bytes ~= 0 then
            cb_shift_read(x, 0)
        end
    end
    local function shift(tile)
        for _, bytes in ipairs { -line, line } do
            with_x(tile, bytes, function(at) vectors.copy(1, x, at, s.shifted) end)
        end
        vectors.shift(1, s.turned, 0, -line, s.shifted)
        vectors.shift(1, s.turned, nil, line, s.shifted)
    end
    local function scale(cb, at, number, constant, out)
        if is_fp32 then
            unit.scale(1, cb, at, number, out)
        else
            unit.scale_by_tile(1, cb, at, s.constants, constant, out)
        end
    end
    local function subtract(cb, at, out)
        scale(cb, at, -1, MINUS_ONE, s.term)
        unit.add(1, s.sum, nil, s.term, nil, out)
    end
    local function mask(index)
        if is_fp32 then
            unit.mul(1, s.whole, nil, s.mask, index, s.y)
        else
            unit.scale_by_tile(1, s.whole, nil, s.mask, index, s.y)
        end
    end
    local function await()
        if s.has_zones then
            zone("noc", function() cb_wait_front(s.filled, #SIDES) end)
        end
        cb_wait_front(s.filled, #SIDES)
    end
    local function add_up(tile)
        local index = s.masks[tile % s.plane + 1]
        local out = index and s.whole or s.y
        local is_highest, is_lowest = tile < s.plane, tile + s.plane > last
        if s.y_out then
            cb_reserve_back(s.y_out, 1)
        end
        await()
        vectors.transpose(1, s.filled, WEST, s.back)
        vectors.transpose(1, s.filled, EAST, s.back)
        with_x(tile, 0, function(at) scale(x, at, 6, SIX, s.sum) end)
        subtract(s.filled, NORTH, s.sum)
        subtract(s.filled, SOUTH, s.sum)
        subtract(s.back, nil, s.sum)
        subtract(s.back, nil, is_highest and is_lowest and out or s.sum)
        if not is_highest then
            with_x(tile - s.plane, 0, function(at) subtract(x, at, is_lowest and out or s.sum) end)
        end
        if not is_lowest then
            with_x(tile + s.plane, 0, function(at) subtract(x, at, out) end)
        end
        if index then
            mask(index)
        end
        cb_pop_front(s.filled, #SIDES)
        if s.y_out then
            cb_push_back(s.y_out, 1)
        end
    end
    local function use_up(count)
        for _ = 1, s.source and count or 0 do
            cb_wait_front(x, 1)
            cb_pop_front(x, 1)
            gone = gone + 1
        end
    end

    for tile = 0, math.min(s.plane, last) do
        turn(tile)
    end
    shift(0)
    for tile = 0, last do
        if tile + s.plane + AHEAD <= last then
            turn(tile + s.plane + AHEAD)
        end
        if tile < last then
            shift(tile + 1)
        end
        add_up(tile)
        if f then
            with_x(tile, 0, function(at) f(tile, at) end)
        end
        if tile >= s.plane then
            use_up(1)
        end
    end
    use_up(s.tiles - gone)
    s.passed = before + s.tiles
end

-- Host

-- Bytes of edges that a core gets in one layer, and the first of them from each side.
local function edges_of(size, line_bytes)
    local offsets, bytes = {}, 0
    for _, side in ipairs(SIDES) do
        offsets[side.name] = bytes
        bytes = bytes + (side.is_turned and size.wide or size.high) * #side.lines * line_bytes
    end
    return bytes, offsets
end

-- Tiles of x in L1 if it comes from DRAM.
local function window_of(size)
    return 2 * size.wide * size.high + 2 + (SENT_AFTER + 2) * BLOCK
end

-- Circular buffers with their pages; `is` names the buffer whose memory it shares.
local function buffers_of(size)
    local turned = size.wide * size.high + BEFORE + AHEAD
    local buffers = {
        { name = "turned", pages = turned },
        { name = "turned_out", pages = turned, is = "turned" },
        { name = "sum", pages = 2 },
        { name = "term", pages = 1 },
        { name = "back", pages = 2 },       -- west, then east
        { name = "shifted", pages = GROUPS * #SIDES },
        { name = "filled", pages = GROUPS * #SIDES, is = "shifted" },
        { name = "whole", pages = 1 },      -- a tile before it is masked
    }
    if size.is_streamed then
        buffers[#buffers + 1] = { name = "window", pages = window_of(size) }
        buffers[#buffers + 1] = { name = "window_new", pages = window_of(size), is = "window" }
    end
    return buffers
end

-- L1 on all cores: addresses by name.
function plane.memory(host, cores, format, size)
    local tile_bytes, at, offset = host.tile_bytes(format), {}, 0
    for _, buffer in ipairs(buffers_of(size)) do
        at[buffer.name] = buffer.is and at[buffer.is] or offset
        offset = offset + (buffer.is and 0 or buffer.pages * tile_bytes)
    end
    at.edges = offset
    offset = offset + SLOTS * edges_of(size, tile_bytes // LINES)
    if offset > host.l1_free(0, 0) then
        host.refuse(("%d x %d tiles of a core in each layer: the stencil's buffers take %d bytes in %s, L1 has %d"):format(size.wide,
            size.high, offset, format, host.l1_free(0, 0)))
    end
    local first = host.l1_allocate { cores = cores, bytes = offset, name = "stencil" }
    for name in pairs(at) do
        at[name] = at[name] + first
    end
    return at
end

-- Where a tile's lines beyond each side come from, and to which cores its edges go. i and j are
-- its place on the core; `there` has the neighbouring cores.
local function ways_of(size, it, i, j, there)
    local fills, sends = {}, {}
    for place, side in ipairs(SIDES) do
        local opposite = side_of[side.opposite]
        local to_i, to_j = i + side.step[1], j + side.step[2]
        local order = side.is_turned and i or j
        local function offset(name)
            return it.offsets[name] + order * #side.lines * it.line_bytes
        end
        if to_i >= 0 and to_i < size.wide and to_j >= 0 and to_j < size.high then
            fills[place] = {
                kind = "here", is_turned = side.is_turned, lines = opposite.lines,
                step = side.step[1] * size.high + side.step[2],
            }
        elseif there[side.name] then
            local core, lines = there[side.name], {}
            for n = 1, #side.lines do
                lines[n] = n - 1
            end
            fills[place] = {
                kind = "core", arrived = it.arrived[side.name], offset = offset(side.name), order = order, lines = lines,
                count = side.is_turned and size.wide or size.high,
            }
            sends[#sends + 1] = {
                x = core.x, y = core.y, is_turned = side.is_turned, lines = side.lines, offset = offset(side.opposite),
                arrived = it.arrived[side.opposite],
            }
        else
            fills[place] = { kind = "end" }
        end
    end
    return fills, sends
end

-- As laplacian.describe(), for one chip, with halos and zeros. `it` also has mask, the index of
-- the circular buffer with masks (core_grid.masks); if vectors are in DRAM, source and target,
-- the DRAM buffers of x and y; y_out, the buffer from which y is stored, by default y. If that is
-- another one, it lies on y, and who calls apply() uses up y. y has 0 outside the grid.
function plane.describe(host, program, it)
    local size, index, arrived = it.size, {}, {}
    local tile_bytes = host.tile_bytes(it.format)
    local line_bytes = tile_bytes // LINES
    local pages = {}
    for i, buffer in ipairs(buffers_of(size)) do
        index[buffer.name], pages[buffer.name] = it.first_buffer + i - 1, buffer.pages
        program:circular_buffer {
            cores = it.cores, index = index[buffer.name], pages = buffer.pages, format = it.format, address = it.memory[buffer.name],
        }
    end
    for _, side in ipairs(SIDES) do
        arrived[side.name] = program:semaphore { cores = it.cores }
    end
    local edges_bytes, offsets = edges_of(size, line_bytes)
    return function(column, row)
        local there = core_grid.neighbours(size, column, row)
        local _, x = core_grid.at(size, column)
        local s = {
            is_planar = true, tiles = size.tiles, plane = size.wide * size.high, format = it.format, y = it.y,
            x = index.window or it.x, x_new = index.window_new,
            constants = it.constants, tile_bytes = tile_bytes,
            x_address = it.memory.window or it.x_address, x_pages = size.is_streamed and window_of(size) or size.tiles,
            line_bytes = line_bytes, turned_address = it.memory.turned, turned_pages = pages.turned,
            shifted_address = it.memory.shifted, edges_address = it.memory.edges, edges_bytes = edges_bytes,
            turned = index.turned, turned_out = index.turned_out, sum = index.sum, term = index.term, back = index.back,
            shifted = index.shifted, filled = index.filled, whole = index.whole, mask = it.mask,
            masks = core_grid.masks(size, column, row), here = { x = x, y = row }, fills = {}, sends = {}, is_sending = false,
            has_zones = it.noted and it.noted.x == x and it.noted.y == row or nil,
        }
        if size.is_streamed then
            local page = core_grid.first_page(size, column, row)
            s.source = { buffer = it.source, first = page }
            s.target = { cb = it.y_out or it.y, buffer = it.target, first = page }
            s.y_out = it.y_out
        end
        for p = 0, s.plane - 1 do
            s.fills[p + 1], s.sends[p + 1] = ways_of(size, { offsets = offsets, line_bytes = line_bytes, arrived = arrived },
                p // size.high, p % size.high, there)
            s.is_sending = s.is_sending or #s.sends[p + 1] > 0
        end
        return s
    end
end

return plane
