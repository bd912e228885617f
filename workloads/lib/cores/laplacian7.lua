-- The 7-point Laplacian on a 3D grid: 6 times each number minus its six neighbours; numbers
-- beyond the grid count as 0.
--
-- The grid is folded onto cores as in cores/grid.lua: north and south are the lines before and
-- after, west and east the numbers before and after, up and down the layers.
--
-- North and south: the tile is read from a line before or after its place. The line from beyond
-- the tile is wrong there; the neighbour overwrites it with its own line, or a mover with 0.
-- West and east: the tile is transposed first, which turns columns into lines within each of
-- its four squares of 16 x 16, so one line of each square is wrong. Then it is transposed back,
-- which also restores the order of the squares. Seven products and six sums follow, in the
-- order centre, north, south, west, east, up, down: 20 operations per tile.
--
-- Tile k + 1 is shifted before tile k is added up, so lines have the time of one tile to
-- arrive. A core tells its neighbours when the shifted tiles are there; the neighbours write
-- their lines into them and say so. At the north and south edge of a chip the lines of all
-- tiles arrive in bulk at the start of a product (cores/chip_halo.lua), and a mover puts them
-- into their tiles.

local chip_halo = require("cores/chip_halo")
local core_grid = require("cores/grid")
local vectors = require("cores/tile_vectors")

local SQUARES, SIDE = 4, 16     -- of a tile; lines of a square
local LINES = SQUARES * SIDE
local AHEAD = 2                 -- tiles, or blocks, that may be shifted but not yet added up
local MINUS_ONE, SIX = 0, 1     -- tiles of the buffer of constants; the second may be the first of a diagonal

-- In the order in which they are made and used.
local SIDES = {
    { name = "north", opposite = "south", is_turned = false },
    { name = "south", opposite = "north", is_turned = false },
    { name = "west", opposite = "east", is_turned = true },
    { name = "east", opposite = "west", is_turned = true },
}

-- In the order in which they are needed; meanwhile lines from other chips get to their places.
local TURNED_FIRST = { SIDES[3], SIDES[4], SIDES[1], SIDES[2] }

local stencil = { constants = { -1, 6 } }

-- Numbers of a tile's lines at the edge towards a side.
function stencil.edge_lines(side)
    local is_first = side.name == "north" or side.name == "west"
    if not side.is_turned then
        return { is_first and 0 or LINES - 1 }
    end
    local lines = {}
    for square = 0, SQUARES - 1 do
        lines[square + 1] = square * SIDE + (is_first and 0 or SIDE - 1)
    end
    return lines
end

local side_of = {}
for _, side in ipairs(SIDES) do
    side.lines = stencil.edge_lines(side)
    side_of[side.name] = side
end

-- Kernels. `s` is the table from describe(); `first` counts the earlier tiles of this launch.

-- The place of a tile shifted to a side, the same on every core.
local function page_of(s, name, tile)
    return s.pages[name] + tile % s.ahead * s.tile_bytes
end

-- Writes the tile's edge towards a side into the neighbour's shifted tile.
local function send_lines(s, side, tile, from)
    local to, bytes, targets = s[side.name], s.line_bytes, side_of[side.opposite].lines
    local page = page_of(s, side.opposite, tile)
    noc_semaphore_wait_min(get_semaphore(s.ready[side.name]), tile + 1)
    for i, line in ipairs(side.lines) do
        noc_async_write(from + line * bytes, get_noc_addr(to.x, to.y, page + targets[i] * bytes), bytes)
    end
end

-- Signals a neighbour: increments its semaphore for the side of this core.
local function tell(s, side, semaphores)
    local to = s[side.name]
    noc_semaphore_inc(get_noc_addr(to.x, to.y, get_semaphore(semaphores[side.opposite])), 1)
end

-- Sends the edges of a tile to the neighbours on this chip.
local function send_near(s, first, k)
    if not s.is_sending then
        return
    end
    cb_wait_front(s.turned_out, 1)
    local turned, plain = get_read_ptr(s.turned_out), s.x_address + k * s.tile_bytes
    for _, side in ipairs(SIDES) do
        if s[side.name] then
            send_lines(s, side, first + k, side.is_turned and turned or plain)
        end
    end
    noc_async_write_barrier()
    for _, side in ipairs(SIDES) do
        if s[side.name] then
            tell(s, side, s.arrived)
        end
    end
    cb_pop_front(s.turned_out, 1)
end

-- Sends the edges of one message's tiles to other chips.
local function send_far(s, first, from)
    for k = from, math.min(from + s.far.piece, s.tiles) - 1 do
        for name in pairs(s.far.to) do
            local line = side_of[name].lines[1]
            chip_halo.send(s.far, name, first // s.tiles, k, s.x_address + k * s.tile_bytes + line * s.line_bytes)
        end
    end
end

-- Reader: sends the edges of all tiles to the neighbours. Other chips come first: one message
-- before each tile.
function stencil.send(s, first)
    if s.far then
        for _ = 1, s.ahead do
            cb_wait_front(s.turned_out, 1)      -- stencil.begin() says that x is there
            cb_pop_front(s.turned_out, 1)
        end
    end
    for k = 0, (s.is_sending or s.far) and s.tiles - 1 or -1 do
        if s.far and k < s.far.messages then
            send_far(s, first, k * s.far.piece)
        end
        send_near(s, first, k)
    end
end

-- Once the next tile is shifted to a side, the neighbour may write into it. The page stays as
-- it is until the compute kernel has used it, because that works in order. Lines from other
-- chips are put into their places.
local function announce(s, tile)
    for _, side in ipairs(SIDES) do
        cb_wait_front(s.shifted[side.name], 1)
        cb_pop_front(s.shifted[side.name], 1)
        if s[side.name] then
            tell(s, side, s.ready)
        end
    end
    for name in pairs(s.far and s.far.to or {}) do
        local from = chip_halo.receive(s.far, name, tile // s.tiles, tile % s.tiles)
        local to = page_of(s, name, tile) + side_of[name].lines[1] * s.line_bytes
        noc_async_write(from, get_noc_addr(s.far.here.x, s.far.here.y, to), s.line_bytes)
    end
end

-- Hands the tile over to the compute kernel, side by side: with the neighbour's lines, or with
-- 0 at the end of the grid.
local function complete(s, tile)
    for _, side in ipairs(s.far and TURNED_FIRST or SIDES) do
        local filled = s.filled[side.name]
        if s.far and s.far.to[side.name] then
            noc_async_write_barrier()
        elseif s[side.name] then
            noc_semaphore_wait_min(get_semaphore(s.arrived[side.name]), tile + 1)
        elseif s.is_edge[side.name] and s.zero_fill then
            local page = page_of(s, side.name, tile)
            for _, line in ipairs(side.lines) do
                fill_words(page + line * s.line_bytes, 0, s.line_bytes // 4)
            end
        end
        cb_reserve_back(filled, 1)
        cb_push_back(filled, 1)
    end
end

-- Writer: completes each tile when the next one is on its way. With one operation at a time,
-- completes a block when all of it is there.
function stencil.fill(s, first)
    local last = first + s.tiles - 1
    if s.gate then
        for name in pairs(s.far.to) do
            chip_halo.receive(s.far, name, first // s.tiles, 0)
        end
        cb_reserve_back(s.gate, 1)
        cb_push_back(s.gate, 1)
    end
    if s.block == 1 then
        announce(s, first)
        for tile = first + 1, last do
            announce(s, tile)
            complete(s, tile - 1)
        end
        complete(s, last)
        return
    end
    for from = first, last, s.block do
        local to = math.min(from + s.block - 1, last)
        for tile = from, to do
            announce(s, tile)
        end
        for tile = from, to do
            complete(s, tile)
        end
    end
end

-- Reader, at the end of a launch.
function stencil.finish(s)
    if s.far then
        chip_halo.finish()
    end
end

-- Writer, at the end of a launch.
function stencil.leave(s)
    if s.far then
        chip_halo.leave(s.far)
    end
end

-- Compute, before a product: tells the reader that x is there, to be sent to other chips. With
-- `gate`, waits for all their lines.
function stencil.begin(s)
    if s.far then
        for _ = 1, s.ahead do                   -- all pages, so the next one is at the same place
            cb_reserve_back(s.turned_out, 1)
            cb_push_back(s.turned_out, 1)
        end
    end
    if s.gate then
        zone("ethernet", function() cb_wait_front(s.gate, 1) end)
        cb_pop_front(s.gate, 1)
    end
end

-- Whether a message begins within the n tiles from k on.
local function begins(piece, k, n)
    return (k + n - 1) // piece > (k - 1) // piece
end

-- Compute, before it uses north and south of n tiles from k on: waits for any message from
-- other chips that is due.
function stencil.await_far(s, k, n)
    if s.far and not s.gate and begins(s.far.piece, k, n) then
        zone("ethernet", function()
            for name in pairs(s.far.to) do
                cb_wait_front(s.filled[name], n)
            end
        end)
    end
end

-- Compute, on the core that notes its waits: waits for the lines of a tile from cores of this
-- chip.
function stencil.await_near(s)
    if s.has_zones then
        zone("noc", function()
            cb_wait_front(s.filled.west, 1)
            cb_wait_front(s.filled.east, 1)
        end)
    end
end

-- Compute: y = A x, tile by tile. If s.has_diagonal, the matrix has its own diagonal instead of 6, a
-- tile of constants for each of x. Both are circular buffers of `tiles` pages; x stays.
function stencil.apply(s)
    local is_fp32, last = s.format == "fp32", s.tiles - 1
    local unit = is_fp32 and vectors.sfpu or vectors.fpu
    local line, x = s.line_bytes, s.x

    local function shift(k)
        vectors.shift(1, x, k, -line, s.shifted.north)
        vectors.shift(1, x, k, line, s.shifted.south)
        if s.is_sending then
            cb_reserve_back(s.turned_out, 1)
        end
        vectors.transpose(1, x, k, s.turned)
        if s.is_sending then
            cb_push_back(s.turned_out, 1)
        end
        vectors.shift(1, s.turned, 0, -line, s.shifted.west)
        vectors.shift(1, s.turned, nil, line, s.shifted.east)
    end
    local function scale(cb, tile, number, constant, out)
        if is_fp32 then
            unit.scale(1, cb, tile, number, out)
        else
            unit.scale_by_tile(1, cb, tile, s.constants, constant, out)
        end
    end
    local function subtract(cb, tile, out)
        scale(cb, tile, -1, MINUS_ONE, s.term)
        unit.add(1, s.sum, nil, s.term, nil, out)
    end

    stencil.begin(s)
    shift(0)
    for k = 0, last do
        if k < last then
            shift(k + 1)
        end
        stencil.await_near(s)
        vectors.transpose(1, s.filled.west, nil, s.back)
        vectors.transpose(1, s.filled.east, nil, s.back)
        if s.has_diagonal then
            unit.mul(1, x, k, s.constants, SIX + k, s.sum)
        else
            scale(x, k, 6, SIX, s.sum)
        end
        stencil.await_far(s, k, 1)
        subtract(s.filled.north, nil, s.sum)
        subtract(s.filled.south, nil, s.sum)
        subtract(s.back, nil, s.sum)
        subtract(s.back, nil, last == 0 and s.y or s.sum)
        if k > 0 then
            subtract(x, k - 1, k == last and s.y or s.sum)
        end
        if k < last then
            subtract(x, k + 1, s.y)
        end
    end
end

-- Host

-- Circular buffers of the stencil, with their pages; `is` names the buffer whose memory it
-- shares.
local BUFFERS = {
    { name = "turned", pages = 2 },
    { name = "turned_out", pages = 2, is = "turned" },
    { name = "sum", pages = 2 },
    { name = "term", pages = 1 },
    { name = "back", pages = 2 },   -- west, then east
}
for _, side in ipairs(SIDES) do
    BUFFERS[#BUFFERS + 1] = { name = "shifted_" .. side.name, pages = AHEAD }
    BUFFERS[#BUFFERS + 1] = { name = "filled_" .. side.name, pages = AHEAD, is = "shifted_" .. side.name }
end
stencil.buffer_count = #BUFFERS
stencil.semaphore_count = 2 * #SIDES

-- The sides of a core that get no valid numbers: no neighbour's without `halo`, no 0 without
-- `zero_fill`.
function stencil.open_sides(it, column, row)
    local open = {}
    for name, neighbour in pairs(core_grid.neighbours(it.size, column, row)) do
        open[name] = neighbour and not it.halo or not neighbour and not it.zero_fill or nil
    end
    return open
end

-- L1 for the circular buffers, the same on all cores: their addresses by name. With one
-- operation at a time they have room for blocks of tiles.
function stencil.memory(host, cores, format, block)
    local tile_bytes, at, offset = host.tile_bytes(format), {}, 0
    for _, buffer in ipairs(BUFFERS) do
        at[buffer.name] = buffer.is and at[buffer.is] or offset
        offset = offset + (buffer.is and 0 or buffer.pages * (block or 1) * tile_bytes)
    end
    local first = host.l1_allocate { cores = cores, bytes = offset, name = "stencil" }
    for name in pairs(at) do
        at[name] = at[name] + first
    end
    return at
end

-- Adds buffers and semaphores to a program on `cores` of a chip's device, from circular buffer
-- `first_buffer` on. Returns a function of column and row that gives a core's `s`. `it` has:
-- size (cores/grid.lua), cores, block (1), format, halo, zero_fill, memory, first_buffer; x, y
-- and constants, the indices of circular buffers; x_address, the address of x; with several
-- chips also far_memory (cores/chip_halo.lua), overlap, and gate, the index of a circular
-- buffer; noted, the core whose compute kernel notes its waits (cores/time_parts.lua), or nil.
function stencil.describe(host, program, it)
    local cores, size = it.cores, it.size
    local block, index, ready, arrived = it.block or 1, {}, {}, {}
    for i, buffer in ipairs(BUFFERS) do
        index[buffer.name] = it.first_buffer + i - 1
        program:circular_buffer {
            cores = cores, index = index[buffer.name], pages = buffer.pages * block, format = it.format,
            address = it.memory[buffer.name],
        }
    end
    local is_gated = it.halo and it.far_memory and not it.overlap
    if is_gated then
        program:circular_buffer { cores = cores, index = it.gate, pages = 1, format = it.format, address = it.memory.term }
    end
    for _, side in ipairs(SIDES) do
        ready[side.name] = program:semaphore { cores = cores }
        arrived[side.name] = program:semaphore { cores = cores }
    end
    local tile_bytes = host.tile_bytes(it.format)
    return function(column, row)
        local s = {
            tiles = size.tiles, block = block, ahead = AHEAD * block, format = it.format, x = it.x, y = it.y, constants = it.constants, x_address = it.x_address,
            tile_bytes = tile_bytes, line_bytes = tile_bytes // LINES, zero_fill = it.zero_fill, is_sending = false,
            turned = index.turned, turned_out = index.turned_out, sum = index.sum, term = index.term, back = index.back,
            ready = ready, arrived = arrived, shifted = {}, filled = {}, pages = {}, is_edge = {},
            far = it.halo and chip_halo.describe(size, it.far_memory, it.overlap, column, row) or nil,
        }
        local _, x = core_grid.at(size, column)
        s.has_zones = it.noted and it.noted.x == x and it.noted.y == row or nil
        s.gate = s.far and is_gated and it.gate or nil
        for name, neighbour in pairs(core_grid.neighbours(size, column, row)) do
            s.shifted[name], s.filled[name] = index["shifted_" .. name], index["filled_" .. name]
            s.pages[name], s.is_edge[name] = it.memory["shifted_" .. name], not neighbour
            if it.halo and neighbour and not neighbour.chip then
                s[name], s.is_sending = neighbour, true
            end
        end
        return s
    end
end

return stencil
