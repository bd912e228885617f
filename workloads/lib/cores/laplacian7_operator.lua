-- The 7-point Laplacian as solvers and products call it: cores/laplacian7.lua for one tile of a
-- core in each layer, tile by tile or in blocks, cores/laplacian7_plane.lua for several and for
-- vectors in DRAM.

local batched = require("cores/laplacian7_batched")
local laplacian = require("cores/laplacian7")
local plane = require("cores/laplacian7_plane")

local operator = { constants = laplacian.constants, open_sides = laplacian.open_sides }

-- Kernels. `s` is the table from describe().

-- Compute: y = A x. What lies outside the grid is 0 if s.is_planar, otherwise the caller masks.
-- f is for planes: see plane.apply.
function operator.apply(s, f)
    if s.is_planar then
        plane.apply(s, f)
    elseif s.block > 1 then
        batched.apply(s, s.block)
    else
        laplacian.apply(s)
    end
end

-- Reader: sends edges; `first` counts the earlier tiles of this launch.
function operator.send(s, first)
    (s.is_planar and plane or laplacian).send(s, first)
end

-- Writer: completes shifted tiles.
function operator.fill(s, first)
    (s.is_planar and plane or laplacian).fill(s, first)
end

-- Reader and writer, at the end of a launch.
operator.finish, operator.leave = laplacian.finish, laplacian.leave

-- Host

local function is_planar(size)
    return size.wide * size.high > 1 or size.is_streamed
end

-- The most circular buffers and semaphores of a program.
operator.buffer_count, operator.semaphore_count = laplacian.buffer_count, laplacian.semaphore_count

function operator.memory(host, cores, format, size, block)
    if is_planar(size) then
        return plane.memory(host, cores, format, size)
    end
    return laplacian.memory(host, cores, format, block)
end

-- The tiles of constants of a core, as many as constant_count: -1, and 6 or, if size.has_diagonal,
-- the matrix's diagonal, whose tiles of this core are `diagonal`.
function operator.constant_count(size)
    return size.has_diagonal and 1 + size.tiles or #laplacian.constants
end

function operator.constants_of(host, size, format, diagonal)
    local tile = host.buffer(host.tile_bytes(format))
    local constants = host.buffer(operator.constant_count(size) * #tile)
    for i, number in ipairs(laplacian.constants) do
        tile:fill_with(format, number)
        constants:put((i - 1) * #tile, tile)
    end
    if diagonal then
        constants:put(#tile, diagonal)
    end
    return constants
end

function operator.describe(host, program, it)
    local size = it.size
    local describe = (is_planar(size) and plane or laplacian).describe(host, program, it)
    return function(column, row)
        local s = describe(column, row)
        s.has_diagonal, s.constant_count = size.has_diagonal, operator.constant_count(size)
        return s
    end
end

-- Refuses a diagonal that this operator has no program for.
function operator.check_diagonal(host, size)
    if size.has_diagonal and is_planar(size) then
        host.refuse(("a diagonal of your own is for one tile of a core in each layer and vectors in L1, not %s"):format(
            size.is_streamed and "vectors=dram" or ("%d x %d"):format(size.wide, size.high)))
    end
end

return operator
