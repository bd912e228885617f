-- Operations on vectors of tiles in circular buffers, for compute kernels: on the FPU or, for
-- FP32, on the SFPU.
--
-- An operand is a buffer and a place. The tile at that place, counted from the front, stays;
-- without a place (nil) the operand is the front tile, which is used up. All functions take
-- `n`, the number of tiles for one set-up of the unit. With n = 1 every operation on every tile
-- sets up its unit anew, as a chain; a larger n is one operation at a time.

local vectors = {}

local function wait_for(cb, at, i)
    cb_wait_front(cb, at and at + i + 1 or 1)
end

-- Packs a tile of Dst into `out`, without pushing it.
local function put(dst, out)
    tile_regs_commit()
    cb_reserve_back(out, 1)
    tile_regs_wait()
    pack_tile(dst, out)
    tile_regs_release()
end

-- vectors.pack(dst, out): packs a tile of Dst into `out`.
function vectors.pack(dst, out)
    put(dst, out)
    cb_push_back(out, 1)
end

-- Packs Dst 0 into `out`; operands without a place are used up.
local function finish(out, a, a_at, b, b_at)
    put(0, out)
    if a_at == nil then
        cb_pop_front(a, 1)
    end
    if b ~= nil and b_at == nil then
        cb_pop_front(b, 1)
    end
    cb_push_back(out, 1)
end

-- The FPU: two operands from L1 through Src.
local function on_fpu(init, op)
    return function(n, a, a_at, b, b_at, out)
        for i = 0, n - 1 do
            wait_for(a, a_at, i)
            wait_for(b, b_at, i)
            tile_regs_acquire()
            if i == 0 then
                init(a, b)
            end
            op(a, b, a_at and a_at + i or 0, b_at and b_at + i or 0, 0)
            finish(out, a, a_at, b, b_at)
        end
    end
end

-- The SFPU: both operands are copied to Dst first.
local function on_sfpu(op)
    return function(n, a, a_at, b, b_at, out)
        for i = 0, n - 1 do
            wait_for(a, a_at, i)
            wait_for(b, b_at, i)
            tile_regs_acquire()
            if i == 0 then
                copy_tile_to_dst_init_short(a)
            end
            copy_tile(a, a_at and a_at + i or 0, 0)
            if n == 1 then
                copy_tile_to_dst_init_short(b)
            end
            copy_tile(b, b_at and b_at + i or 0, 1)
            op(0, 1)
            finish(out, a, a_at, b, b_at)
        end
    end
end

-- out = a times element 0 of the tile at the front of `factor`, which stays.
local function scale_on_fpu(n, a, a_at, factor, out)
    cb_wait_front(factor, 1)
    for i = 0, n - 1 do
        wait_for(a, a_at, i)
        tile_regs_acquire()
        if i == 0 then
            mul_tiles_bcast_scalar_init_short(a, factor)
        end
        mul_tiles_bcast_scalar(a, factor, a_at and a_at + i or 0, 0, 0)
        finish(out, a, a_at)
    end
end

-- out = a times a number that the kernel knows.
local function scale_on_sfpu(n, a, a_at, factor, out)
    for i = 0, n - 1 do
        wait_for(a, a_at, i)
        tile_regs_acquire()
        if i == 0 then
            copy_tile_to_dst_init_short(a)
        end
        copy_tile(a, a_at and a_at + i or 0, 0)
        mul_unary_tile(0, factor)
        finish(out, a, a_at)
    end
end

-- out = a times one tile of `constants`, which stays.
local function scale_by_tile(n, a, a_at, constants, constant, out)
    cb_wait_front(constants, constant + 1)
    for i = 0, n - 1 do
        wait_for(a, a_at, i)
        tile_regs_acquire()
        if i == 0 then
            mul_tiles_init(a, constants)
        end
        mul_tiles(a, constants, a_at and a_at + i or 0, constant, 0)
        finish(out, a, a_at)
    end
end

local function move(init, op)
    return function(n, a, a_at, out)
        for i = 0, n - 1 do
            wait_for(a, a_at, i)
            tile_regs_acquire()
            if i == 0 then
                init(a)
            end
            op(a, a_at and a_at + i or 0, 0)
            finish(out, a, a_at)
        end
    end
end

-- Adds the next product to a sum of `tiles` products. multiply(out) makes it.
function vectors.accumulate(unit, tile, tiles, product, sum, out, multiply)
    local to = tile == tiles - 1 and out or sum
    multiply(tile == 0 and to or product)
    if tile > 0 then
        unit.add(1, sum, nil, product, nil, to)
    end
end

-- The sum of products of `tiles` tiles: a product and a sum each, through `product` and `sum`,
-- which has room for two blocks of n. The total goes to `out`. If is_passing, a and b are used up
-- tile by tile.
local function dot_on_fpu(n, tiles, a, b, product, sum, out, is_passing)
    for tile = 0, is_passing and tiles - 1 or -1 do
        vectors.accumulate(vectors.fpu, tile, tiles, product, sum, out, function(to)
            vectors.fpu.mul(1, a, nil, b, b == a and 0 or nil, to)
        end)
    end
    if is_passing then
        return
    end
    vectors.fpu.mul(1, a, 0, b, 0, tiles == 1 and out or sum)
    for first = 1, tiles - 1, n do
        local count = math.min(n, tiles - first)
        vectors.fpu.mul(count, a, first, b, first, product)
        for i = 1, count do
            local is_last = first + i == tiles
            vectors.fpu.add(1, sum, nil, product, nil, is_last and out or sum)
        end
    end
end

-- The same in Dst: nothing leaves it until the end.
local function dot_on_sfpu(_, tiles, a, b, _, _, out, is_passing)
    cb_wait_front(a, is_passing and 1 or tiles)
    cb_wait_front(b, is_passing and 1 or tiles)
    tile_regs_acquire()
    copy_tile_to_dst_init_short(a)
    for i = 0, tiles - 1 do
        local at = is_passing and 0 or i
        if is_passing and i > 0 then
            cb_wait_front(a, 1)
            cb_wait_front(b, 1)
        end
        copy_tile(a, at, 0)
        copy_tile(b, at, 1)
        if is_passing then
            cb_pop_front(a, 1)
            if b ~= a then
                cb_pop_front(b, 1)
            end
        end
        mul_binary_tile(0, 1)
        add_binary_tile(2, 0)
    end
    vectors.pack(2, out)
end

vectors.copy = move(copy_tile_to_dst_init_short, copy_tile)
vectors.transpose = move(transpose_wh_init_short, transpose_wh_tile)

-- out = a, with each tile read `bytes` further on in L1.
function vectors.shift(n, a, a_at, bytes, out)
    cb_shift_read(a, bytes)
    vectors.copy(n, a, a_at, out)
    cb_shift_read(a, 0)
end

vectors.fpu = {
    add = on_fpu(add_tiles_init, add_tiles), sub = on_fpu(sub_tiles_init, sub_tiles),
    mul = on_fpu(mul_tiles_init, mul_tiles), scale = scale_on_fpu, scale_by_tile = scale_by_tile, dot = dot_on_fpu,
}
vectors.sfpu = {
    add = on_sfpu(add_binary_tile), sub = on_sfpu(sub_binary_tile),
    mul = on_sfpu(mul_binary_tile), scale = scale_on_sfpu, dot = dot_on_sfpu,
}

return vectors
