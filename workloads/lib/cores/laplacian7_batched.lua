-- The 7-point Laplacian of cores/laplacian7.lua with one operation at a time: each goes over a
-- block of tiles before the next begins, so units are set up once per block. The movers' part
-- is the same; buffers have room for a block.

local laplacian = require("cores/laplacian7")
local vectors = require("cores/tile_vectors")

local MINUS_ONE, SIX = 0, 1     -- tiles of the buffer of constants

local batched = {}

-- Compute: y = A x, in blocks of `block` tiles.
function batched.apply(s, block)
    local is_fp32 = s.format == "fp32"
    local unit = is_fp32 and vectors.sfpu or vectors.fpu
    local line, x = s.line_bytes, s.x

    local function scale(n, a, at, number, constant, out)
        if is_fp32 then
            unit.scale(n, a, at, number, out)
        else
            unit.scale_by_tile(n, a, at, s.constants, constant, out)
        end
    end
    local function subtract(n, a, at, out)
        scale(n, a, at, -1, MINUS_ONE, s.term)
        unit.add(n, s.sum, nil, s.term, nil, out)
    end
    -- Tiles for the neighbours, transposed for the shifts.
    local function turn(n, at)
        if s.is_sending then
            cb_reserve_back(s.turned_out, n)
        end
        vectors.transpose(n, x, at, s.turned)
        if s.is_sending then
            cb_push_back(s.turned_out, n)
        end
    end

    -- The tiles above and below; without one, the sum stays as it is.
    local function subtract_layers(n, first)
        local has_none_above, has_none_below = first == 0, first + n == s.tiles
        if has_none_above then
            vectors.copy(1, s.sum, nil, s.sum)
            subtract(n - 1, x, 0, s.sum)
        else
            subtract(n, x, first - 1, s.sum)
        end
        subtract(has_none_below and n - 1 or n, x, first + 1, s.y)
        if has_none_below then
            vectors.copy(1, s.sum, nil, s.y)
        end
    end

    laplacian.begin(s)
    for first = 0, s.tiles - 1, block do
        local n = math.min(block, s.tiles - first)
        turn(n, first)
        vectors.shift(n, x, first, -line, s.shifted.north)
        vectors.shift(n, x, first, line, s.shifted.south)
        vectors.shift(n, s.turned, 0, -line, s.shifted.west)
        vectors.shift(n, s.turned, nil, line, s.shifted.east)
        if s.has_diagonal then
            unit.mul(n, x, first, s.constants, SIX + first, s.sum)
        else
            scale(n, x, first, 6, SIX, s.sum)
        end
        laplacian.await_far(s, first, n)
        laplacian.await_near(s)
        subtract(n, s.filled.north, nil, s.sum)
        subtract(n, s.filled.south, nil, s.sum)
        vectors.transpose(n, s.filled.west, nil, s.back)
        subtract(n, s.back, nil, s.sum)
        vectors.transpose(n, s.filled.east, nil, s.back)
        subtract(n, s.back, nil, s.sum)
        subtract_layers(n, first)
    end
end

return batched
