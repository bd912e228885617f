-- Tiles of a grid on cores, shifted along x and y, with the neighbours' numbers beyond their
-- edges.
--
-- cores/grid.lua describes the layout. North and south, along x, are the lines before and
-- after; west and east, along y, are the numbers of a line. In L1 a tile lies twice.
--
-- Lines: the tile with `reach` lines of margin before and after. Shifted along x, it is read
-- from another line on, without a copy.
--
-- Squares: the tile transposed (turned), which makes columns lines in each of its four squares of
-- 16 x 16; every square has `reach` lines of margin. Shifted along y, it is four pieces of 16
-- lines, which a mover assembles.
--
-- Movers publish a tile when it is complete: its squares here, its edges in the neighbours'
-- margins. Margins at the end of the grid stay 0, as the host has left them. A grid has two
-- fields, that of one step and that of the next, and counts the tiles that have arrived in
-- each. Nobody asks whether a margin is free: a core that publishes a tile for the second time
-- has used the neighbour's result of the first time, so the neighbour has used the margin.
-- Lines to and from other chips go in bulk (cores/chip_halo.lua).

local chip_halo = require("cores/chip_halo")
local core_grid = require("cores/grid")

local LINES, SIDE = core_grid.nx, core_grid.ny  -- of a tile; lines, and numbers of a line, of a square
local SQUARES = LINES // SIDE

-- The sides of neighbours. An edge goes to the margin at the neighbour's other end.
local SIDES = {
    { name = "north", is_turned = false, is_first = true },
    { name = "south", is_turned = false, is_first = false },
    { name = "west", is_turned = true, is_first = true },
    { name = "east", is_turned = true, is_first = false },
}
local OPPOSITE = { north = "south", south = "north", west = "east", east = "west" }

local shifted = { lines = LINES, line = SIDE, semaphore_count = 2 * (#SIDES + 1) }

-- Kernels. `s` is the table from describe(). A field has an index, 1 or 2, and the addresses of
-- its lines and squares. Its tiles are published one after the other, again and again.

-- Bytes from the beginning of a tile's squares to the first line of a square.
local function square_offset(s, square)
    return (square * (SIDE + 2 * s.reach) + s.reach) * s.line_bytes
end

-- Sends one edge of `reach` lines: `from` and `to` are the beginning of the lines here and
-- there; the edge lands in the margin.
local function send_edge(s, side, from, to, lines)
    local there, bytes = s[side.name], s.reach * s.line_bytes
    local first = side.is_first and 0 or (lines - s.reach) * s.line_bytes
    local margin = side.is_first and lines * s.line_bytes or -bytes
    noc_async_write(from + first, get_noc_addr(there.x, there.y, to + margin), bytes)
end

local function send_edges(s, side, plain, turned, squares)
    if not side.is_turned then
        send_edge(s, side, plain, plain, LINES)
        return
    end
    for square = 0, SQUARES - 1 do
        send_edge(s, side, turned + square * SIDE * s.line_bytes, squares + square_offset(s, square), SIDE)
    end
end

-- Reader: publishes tile k of a field, the next tile that the compute kernel has transposed.
function shifted.publish(s, field, k)
    cb_wait_front(s.turned, 1)
    local turned, squares = get_read_ptr(s.turned), field.squares + k * s.squares_bytes
    local plain = field.lines + k * s.page_bytes
    for square = 0, SQUARES - 1 do
        noc_async_write(turned + square * SIDE * s.line_bytes,
            get_noc_addr(s.here.x, s.here.y, squares + square_offset(s, square)), SIDE * s.line_bytes)
    end
    for _, side in ipairs(SIDES) do
        if s[side.name] and (side.is_turned or s.has_lines) then
            send_edges(s, side, plain, turned, squares)
        end
    end
    noc_async_write_barrier()
    for name, there in pairs(s.told) do
        noc_semaphore_inc(get_noc_addr(there.x, there.y, get_semaphore(s.arrived[field.index][name])), 1)
    end
    cb_pop_front(s.turned, 1)
end

-- Reader: sends the lines of tile k of a field to other chips; `round` counts passes over all
-- tiles.
function shifted.send_far(s, field, round, k)
    local first, last = field.lines + k * s.page_bytes, (LINES - s.reach) * s.line_bytes
    for name in pairs(s.far.to) do
        chip_halo.send(s.far, name, round, k, name == "north" and first or first + last)
    end
end

-- Writer: puts the lines of tile k from other chips into the margins.
function shifted.take_far(s, field, round, k)
    local lines = field.lines + k * s.page_bytes
    for name in pairs(s.far.to) do
        local from = chip_halo.receive(s.far, name, round, k)
        local margin = name == "north" and -s.reach or LINES
        noc_async_write(from, get_noc_addr(s.here.x, s.here.y, lines + margin * s.line_bytes), s.reach * s.line_bytes)
    end
    noc_async_write_barrier()
end

-- Writer: waits until `count` tiles of a field, the last of them k, have been published here
-- and next door. Then assembles tile k, shifted by each of s.shifts.
function shifted.gather(s, field, k, count)
    for name in pairs(s.told) do
        noc_semaphore_wait_min(get_semaphore(s.arrived[field.index][OPPOSITE[name] or name]), count)
    end
    cb_reserve_back(s.shifted, #s.shifts)
    local to, squares = get_write_ptr(s.shifted), field.squares + k * s.squares_bytes
    local bytes = SIDE * s.line_bytes
    for _, shift in ipairs(s.shifts) do
        for square = 0, SQUARES - 1 do
            noc_async_write(squares + square_offset(s, square) + shift * s.line_bytes, get_noc_addr(s.here.x, s.here.y, to), bytes)
            to = to + bytes
        end
    end
    noc_async_write_barrier()
    cb_push_back(s.shifted, #s.shifts)
end

-- Host

-- Bytes of a tile of one field, and of the margin before its lines.
function shifted.sizes(host, format, reach)
    local line = host.tile_bytes(format) // LINES
    return {
        line = line, margin = reach * line, page = (LINES + 2 * reach) * line,
        squares = SQUARES * (SIDE + 2 * reach) * line,
    }
end

-- Adds semaphores to a program on `cores`. Returns a function of column and row that gives a
-- core's `s`. `it` has: size (cores/grid.lua), cores, format, reach, shifts (along y, in
-- numbers), has_lines (whether tiles are shifted along x); turned and shifted, circular buffers
-- of tiles from the compute kernel and to it, the latter with room for two times #shifts; with
-- several chips also far_memory (cores/chip_halo.lua) and overlap.
function shifted.describe(host, program, it)
    local arrived = { {}, {} }
    for _, of_field in ipairs(arrived) do
        of_field.here = program:semaphore { cores = it.cores }
        for _, side in ipairs(SIDES) do
            of_field[side.name] = program:semaphore { cores = it.cores }
        end
    end
    local sizes = shifted.sizes(host, it.format, it.reach)
    return function(column, row)
        local _, x = core_grid.at(it.size, column)
        local here = { x = x, y = row }
        local s = {
            here = here, told = { here = here }, arrived = arrived, reach = it.reach, shifts = it.shifts, has_lines = it.has_lines,
            turned = it.turned, shifted = it.shifted, line_bytes = sizes.line, page_bytes = sizes.page, squares_bytes = sizes.squares,
            far = chip_halo.describe(it.size, it.far_memory, it.overlap, column, row),
        }
        for name, there in pairs(core_grid.neighbours(it.size, column, row)) do
            if there and not there.chip then
                s[name], s.told[name] = there, there
            end
        end
        return s
    end
end

return shifted
