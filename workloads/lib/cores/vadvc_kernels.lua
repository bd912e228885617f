-- The kernels of vertical advection on cores with tiles. cores/vadvc.lua has the host's part
-- and the layout in DRAM.
--
-- A core has columns of tiles: a tile is 1,024 neighbouring points of a level, and the tiles of
-- a column lie above each other. On the way up the levels of five fields are streamed from
-- DRAM; ccol, dcol and upos stay in L1 for the way down. Numbers along y lie together, so the
-- wind at x + 1 is the same tile, read from further on.
--
-- The wind of a face counts for the level below and for the one above. With
--   g(k) = (wcon(x + 1, k + 1) + wcon(x, k + 1)) / 4 * beta   and   f(k) = g(k) * (ustage(k) - ustage(k + 1)),
-- and both betas equal, ccol' is g(k), acol is -g(k - 1), and the correction is f(k - 1) +
-- f(k), to the last bit. g and f of a face are made while the level below waits for ccol and
-- dcol.
--
-- FP32 runs on the SFPU, one operation at a time, each rounded once. BF16 runs on the FPU,
-- which adds products up in a Dst of 32 bits. It can only add, so there ccol has the other sign
-- and -g is kept beside g. The SFPU has the reciprocal and the products of values in Dst.

-- Circular buffers. Data that two levels use are there twice, because a buffer releases its
-- pages in order.
local W, US, US_BELOW, UP, UT, UTS = 0, 1, 2, 3, 4, 5
local G, F, MINUS_G, G_BELOW, F_BELOW, MINUS_G_BELOW = 6, 7, 8, 9, 10, 11
local C, D, DATA, CONSTANTS, OUT = 12, 13, 14, 15, 16
local FACES, LEVELS = 3, 4      -- pages: faces are made a level ahead, and read two

-- Tiles of BF16 constants, in their order in CONSTANTS.
local SHARE, MINUS_SHARE, ONE, MINUS_ONE, DTR = 0, 1, 2, 3, 4

-- Faces that the units keep for the level below them, and for the one above.
local KEPT = { sfpu = { here = { G, F }, below = { G_BELOW, F_BELOW } },
               fpu = { here = { MINUS_G, F }, below = { G_BELOW, MINUS_G_BELOW, F_BELOW } } }

local vadvc = {
    wide = W, upos = UP, ccol = C, dcol = D, constants_buffer = CONSTANTS,
    constants = function(share, dtr) return { share, -share, 1, -1, dtr } end,
}

-- Pages of the other buffers, by index.
function vadvc.pages(unit)
    local pages = { [W] = LEVELS, [US] = LEVELS, [US_BELOW] = 2, [UT] = LEVELS, [UTS] = LEVELS, [DATA] = 2, [OUT] = LEVELS }
    for _, list in pairs(KEPT[unit]) do
        for _, cb in ipairs(list) do
            pages[cb] = FACES
        end
    end
    return pages
end

-- Kernels. `s` is the table of arguments from cores/vadvc.lua.

local function each_column(s, f)
    for _ = 1, s.rounds do
        for _, column in ipairs(s.columns) do
            f(column)
        end
    end
end

-- Reader: reads a page of a field and the numbers after it from the next columns' pages.
local function read(s, field, column, k, cb, bytes)
    local to = get_write_ptr(cb)
    while bytes > 0 do
        local count = math.min(bytes, s.tile_bytes)
        noc_async_read(get_noc_addr(column * s.stride + k, field), to, count)
        column, to, bytes = column + 1, to + count, bytes - count
    end
end

-- Fields of a level, by the buffers they go to.
local function fields_of(k)
    local list = { { US, "ustage" }, { UP, "upos" }, { UT, "utens" }, { UTS, "utensstage" } }
    if k > 0 then
        table.insert(list, 1, { W, "wcon" })
    end
    return list
end

local function read_level(s, column, k)
    local list = fields_of(k)
    for _, it in ipairs(list) do
        cb_reserve_back(it[1], 1)
        read(s, s.fields[it[2]], column, k, it[1], it[1] == W and s.wide_bytes or s.tile_bytes)
    end
    zone("read", noc_async_read_barrier)
    for _, it in ipairs(list) do
        cb_push_back(it[1], 1)
    end
end

local function reader(s)
    if s.unit == "fpu" then     -- constants lie in L1 from the beginning
        cb_reserve_back(CONSTANTS, DTR + 1)
        cb_push_back(CONSTANTS, DTR + 1)
    end
    each_column(s, function(column)
        for k = 0, s.levels - 1 do
            read_level(s, column, k)
        end
    end)
end

local function writer(s)
    each_column(s, function(column)
        for k = s.levels - 1, 0, -1 do
            cb_wait_front(OUT, 1)
            noc_async_write_tile(column * s.stride + k, s.out, get_read_ptr(OUT))
            noc_async_writes_flushed()
            cb_pop_front(OUT, 1)
        end
    end)
    noc_async_write_barrier()
end

-- Compute: waits for the reader.
local function await(cb, pages)
    zone("wait", function() cb_wait_front(cb, pages) end)
end

-- Commits Dst and packs a tile for each pair of a buffer and an index in Dst.
local function pack(...)
    local pairs_of = { ... }
    tile_regs_commit()
    tile_regs_wait()
    for i = 1, #pairs_of, 2 do
        cb_reserve_back(pairs_of[i], 1)
        pack_tile(pairs_of[i + 1], pairs_of[i])
        cb_push_back(pairs_of[i], 1)
    end
    tile_regs_release()
end

-- Both units: divides dcol' and, if there is a level above, ccol' in Dst by the divisor there.
local function divide(d, c, divisor, has_above)
    recip_tile(divisor)
    mul_binary_tile(d, divisor)
    if has_above then
        mul_binary_tile(c, divisor)
        pack(D, d, C, c)
    else
        pack(D, d)
    end
end

-- The SFPU: copies a tile, read from `bytes` beyond a buffer's page, to Dst.
local function take(cb, page, dst, bytes)
    cb_shift_read(cb, bytes or 0)
    copy_tile(cb, page, dst)
end

local units = { sfpu = {}, fpu = {} }
local sfpu, fpu = units.sfpu, units.fpu

function sfpu.begin()
    init_sfpu(UP, OUT)
    add_binary_tile_init()
    binop_with_scalar_tile_init()
    recip_tile_init()
    copy_tile_to_dst_init_short(UP)
end

function sfpu.ground()
    take(US, 0, 0)
    pack(US_BELOW, 0)
end

function sfpu.face(s)
    take(W, 0, 0, s.east_bytes)
    take(W, 0, 1)
    add_binary_tile(0, 1)
    mul_unary_tile(0, s.share)
    take(US_BELOW, 0, 1)
    take(US, 0, 2)
    sub_binary_tile(1, 2)
    mul_binary_tile(1, 0)
    pack(G, 0, G_BELOW, 0, F, 1, F_BELOW, 1, US_BELOW, 2)
end

-- dcol' into Dst 0.
local function right_side(s, k, has_below, has_above)
    take(UP, k, 0)
    mul_unary_tile(0, s.dtr)
    take(UT, 0, 1)
    add_binary_tile(0, 1)
    take(UTS, 0, 1)
    add_binary_tile(0, 1)
    take(has_below and F_BELOW or F, 0, 1)
    if has_below and has_above then
        take(F, 0, 2)
        add_binary_tile(1, 2)
    end
    add_binary_tile(0, 1)
end

function sfpu.forward(s, k, has_below, has_above)
    right_side(s, k, has_below, has_above)
    if has_above then
        take(G, 0, 3)
    end
    if has_below then
        take(D, k - 1, 1)
        take(G_BELOW, 0, 2)
        mul_binary_tile(1, 2)
        add_binary_tile(0, 1)
        take(C, k - 1, 1)
        mul_binary_tile(1, 2)
        add_unary_tile(2, s.dtr)
        if has_above then
            sub_binary_tile(2, 3)
        end
        add_binary_tile(2, 1)
    else
        take(G, 0, 2)
        mul_unary_tile(2, -1)
        add_unary_tile(2, s.dtr)
    end
    divide(0, 3, 2, has_above)
end

function sfpu.backward(s, k, is_lid)
    take(D, k, 1)
    if not is_lid then
        take(C, k, 0)
        cb_wait_front(DATA, 1)
        take(DATA, 0, 2)
        mul_binary_tile(0, 2)
        sub_binary_tile(1, 0)
    end
    take(UP, k, 2)
    sub_binary_tile(2, 1)
    mul_unary_tile(2, -s.dtr)
    pack(DATA, 1, OUT, 2)
end

-- The FPU: adds a product to Dst; `a` is read from `bytes` beyond a buffer's page.
local function add_product(a, page_a, b, page_b, dst, bytes)
    cb_shift_read(a, bytes or 0)
    mul_tiles(a, b, page_a, page_b, dst)
end

-- The same with a constant, for the pages at the front.
local function add_scaled(cb, constant, dst, bytes)
    add_product(cb, 0, CONSTANTS, constant, dst, bytes)
end

function fpu.begin()
    binary_op_init_common(UP, CONSTANTS, OUT)
    mul_binary_tile_init()
    binop_with_scalar_tile_init()
    recip_tile_init()
    mul_tiles_init(UP, CONSTANTS)
    cb_wait_front(CONSTANTS, DTR + 1)
end

function fpu.ground()
    add_scaled(US, ONE, 0)
    pack(US_BELOW, 0)
end

function fpu.face(s)
    add_scaled(W, SHARE, 0, s.east_bytes)
    add_scaled(W, SHARE, 0)
    add_scaled(W, MINUS_SHARE, 2, s.east_bytes)
    add_scaled(W, MINUS_SHARE, 2)
    add_scaled(US_BELOW, ONE, 1)
    add_scaled(US, MINUS_ONE, 1)
    add_scaled(US, ONE, 3)
    mul_binary_tile(1, 0)
    pack(G_BELOW, 0, MINUS_G, 2, MINUS_G_BELOW, 2, F, 1, F_BELOW, 1, US_BELOW, 3)
end

function fpu.forward(s, k, has_below, has_above)
    add_product(UP, k, CONSTANTS, DTR, 0)
    add_scaled(UT, ONE, 0)
    add_scaled(UTS, ONE, 0)
    add_product(CONSTANTS, DTR, CONSTANTS, ONE, 1)
    if has_above then
        add_scaled(F, ONE, 0)
        add_scaled(MINUS_G, ONE, 1)
        add_scaled(MINUS_G, ONE, 2)
    end
    if has_below then
        add_scaled(F_BELOW, ONE, 0)
        add_scaled(G_BELOW, ONE, 1)
        add_product(D, k - 1, G_BELOW, 0, 0)
        add_product(C, k - 1, MINUS_G_BELOW, 0, 1)
    end
    divide(0, 2, 1, has_above)
end

function fpu.backward(s, k, is_lid)
    add_product(D, k, CONSTANTS, ONE, 0)
    add_product(UP, k, CONSTANTS, ONE, 1)
    if not is_lid then
        cb_wait_front(DATA, 1)
        add_product(C, k, DATA, 0, 0)
    end
    sub_binary_tile(1, 0)
    mul_unary_tile(1, -s.dtr)
    pack(DATA, 0, OUT, 1)
end

local function each(list, f)
    for _, cb in ipairs(list) do
        f(cb, 1)
    end
end

-- The lowest level's ustage lies below the first face.
local function begin_column(unit)
    await(US, 1)
    tile_regs_acquire()
    unit.ground()
    cb_pop_front(US, 1)
end

-- The face above a level: g and f.
local function make_face(s, unit)
    local inputs = { W, US }
    each(inputs, await)
    cb_wait_front(US_BELOW, 1)
    tile_regs_acquire()
    unit.face(s)
    each(inputs, cb_pop_front)
    cb_pop_front(US_BELOW, 1)
end

-- Level k upwards: ccol and dcol.
local function make_level(s, unit, k)
    local has_below, has_above = k > 0, k < s.levels - 1
    local inputs, kept = { UT, UTS }, KEPT[s.unit]
    local here, below = has_above and kept.here or {}, has_below and kept.below or {}
    await(UP, k + 1)
    each(inputs, await)
    each(here, cb_wait_front)
    each(below, cb_wait_front)
    if has_below then
        cb_wait_front(C, k)
        cb_wait_front(D, k)
    end
    tile_regs_acquire()
    unit.forward(s, k, has_below, has_above)
    each(inputs, cb_pop_front)
    each(here, cb_pop_front)
    each(below, cb_pop_front)
end

local function drop(cb, pages)
    cb_wait_front(cb, pages)
    cb_pop_front(cb, pages)
end

local function sweep_up(s, unit)
    begin_column(unit)
    make_face(s, unit)
    for k = 0, s.levels - 1 do
        if k + 1 < s.levels - 1 then
            make_face(s, unit)
        end
        make_level(s, unit, k)
    end
    drop(US_BELOW, 1)
end

local function sweep_down(s, unit)
    cb_wait_front(C, s.levels - 1)
    cb_wait_front(D, s.levels)
    for k = s.levels - 1, 0, -1 do
        local is_lid = k == s.levels - 1
        tile_regs_acquire()
        unit.backward(s, k, is_lid)
        if not is_lid then
            cb_pop_front(DATA, 1)
        end
    end
    drop(DATA, 1)
    drop(C, s.levels - 1)
    drop(D, s.levels)
    drop(UP, s.levels)
end

local function compute(s)
    local unit = units[s.unit]
    unit.begin()
    each_column(s, function()
        zone("forward", function() sweep_up(s, unit) end)
        zone("backward", function() sweep_down(s, unit) end)
    end)
end

vadvc.kernels = { vadvc_reader = reader, vadvc_writer = writer, vadvc_compute = compute }

return vadvc
