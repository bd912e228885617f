-- The kernels of horizontal diffusion on cores with tiles. cores/hdiff.lua has the host's part
-- and the layout in DRAM.
--
-- Numbers along z lie together. Levels are independent, so every neighbour along x and y is a
-- whole number of lines away. A core has slabs of rows, each with two rows of margin on either
-- side, as one long list in L1. A tile is any 1,024 consecutive numbers of it, and a neighbour
-- is the same tile, read from further on. Tiles also hold useless numbers at the ends of rows;
-- these do not leave the core.
--
-- A slab goes through three passes: Laplacians; fluxes along x and y; results, which replace
-- their inputs. Rows arrive during the first pass and leave during the last.
--
-- FP32 runs on the SFPU, one operation at a time, each rounded once. BF16 runs on the FPU,
-- which adds up products with constants in a Dst of 32 bits; the limiter of fluxes runs on the
-- SFPU.

local U, LAP, FX, FY, OUT, CONSTANTS, DONE = 0, 1, 2, 3, 16, 4, 5   -- circular buffers
local ROWS_READ = 4     -- per barrier
local TILE = 1024       -- numbers

-- Tiles of BF16 constants, in their order in CONSTANTS.
local FOUR, ONE, MINUS_ONE, PLUS_C, MINUS_C = 0, 1, 2, 3, 4

local hdiff = {
    buffers = { u = U, lap = LAP, fx = FX, fy = FY, out = OUT, constants = CONSTANTS, done = DONE },
    constants = function(c) return { 4, 1, -1, c, -c } end,
}

local function tiles_for(numbers)
    return (numbers + TILE - 1) // TILE
end

-- Sizes of a slab of `rows` rows. Positions count numbers of its list: `first` is the first
-- result; Laplacians and fluxes begin a row earlier.
function hdiff.extent(row, line, rows)
    local results = (rows - 1) * row + row - 4 * line
    return {
        first = 2 * row + 2 * line, begin = row + 2 * line, numbers = (rows + 4) * row,
        laps = tiles_for(results + 2 * row), fluxes = tiles_for(results + row), results = tiles_for(results),
    }
end

-- Pages of the buffers for slabs of at most so many rows, including all that tiles reach into.
function hdiff.pages(row, line, rows)
    local it = hdiff.extent(row, line, rows)
    return {
        u = tiles_for(math.max(it.begin + it.laps * TILE + row, it.first + it.results * TILE)),
        lap = math.max(it.laps, tiles_for(it.fluxes * TILE + row)), flux = math.max(it.fluxes, tiles_for(it.results * TILE + row)),
        out = it.results,
    }
end

-- Kernels. `s` is the table of arguments from cores/hdiff.lua.

local function each_slab(s, f)
    for round = 1, s.rounds do
        for i, slab in ipairs(s.slabs) do
            f(slab, hdiff.extent(s.row, s.line, slab.rows), round == s.rounds and i == #s.slabs)
        end
    end
end

-- Reads a slab's rows, a few at a time; pages are pushed as soon as they are full.
local function read_slab(s, slab)
    local at, pushed = get_write_ptr(U), 0
    for first = 0, slab.rows + 3, ROWS_READ do
        local last = math.min(first + ROWS_READ, slab.rows + 4)
        for row = first, last - 1 do
            noc_async_read(get_noc_addr(slab.page + row, s.u), at + row * s.row_bytes, s.row_bytes)
        end
        noc_async_read_barrier()
        local pages = last == slab.rows + 4 and s.pages.u or last * s.row // TILE
        if pages > pushed then
            cb_push_back(U, pages - pushed)
            pushed = pages
        end
    end
end

local function reader(s)
    if s.constant_count > 0 then        -- constants lie in L1 from the beginning
        cb_reserve_back(CONSTANTS, s.constant_count)
        cb_push_back(CONSTANTS, s.constant_count)
    end
    each_slab(s, function(slab, _, is_last)
        cb_reserve_back(U, s.pages.u)
        zone("read", function() read_slab(s, slab) end)
        if not is_last then
            cb_wait_front(DONE, 1)
            cb_pop_front(DONE, 1)
        end
    end)
end

-- Writes rows of results, without the ends of rows, once all their tiles are there.
local function writer(s)
    local number = s.row_bytes // s.row
    local inner = (s.row - 4 * s.line) * number
    each_slab(s, function(slab, _, is_last)
        local at = get_read_ptr(OUT)
        for row = 0, slab.rows - 1 do
            cb_wait_front(OUT, tiles_for(row * s.row + s.row - 4 * s.line))
            noc_async_write(at + row * s.row_bytes, get_noc_addr(slab.page + row + 2, s.out) + 2 * s.line * number, inner)
        end
        zone("write", noc_async_write_barrier)
        cb_wait_front(OUT, s.pages.out)
        cb_pop_front(OUT, s.pages.out)
        if not is_last then
            cb_reserve_back(DONE, 1)
            cb_push_back(DONE, 1)
        end
    end)
end

-- Compute: packs a tile of Dst into a buffer.
local function pack(dst, out)
    cb_reserve_back(out, 1)
    pack_tile(dst, out)
    cb_push_back(out, 1)
end

-- The SFPU: copies a tile, read from `bytes` further on, to Dst.
local function take(cb, tile, bytes, dst)
    cb_shift_read(cb, bytes)
    copy_tile(cb, tile, dst)
end

local sfpu = {}

function sfpu.begin()
    init_sfpu(U, LAP)
    add_binary_tile_init()
    binop_with_scalar_tile_init()
    lez_tile_init()
    copy_tile_to_dst_init_short(U)
end

function sfpu.set_up() end

function sfpu.laplacian(s, i)
    local at, x, y = s.bytes.begin, s.bytes.line, s.bytes.row
    take(U, i, at + x, 0)
    take(U, i, at - x, 1)
    add_binary_tile(0, 1)
    take(U, i, at + y, 1)
    take(U, i, at - y, 2)
    add_binary_tile(1, 2)
    add_binary_tile(0, 1)
    take(U, i, at, 1)
    mul_unary_tile(1, 4)
    sub_binary_tile(1, 0)
    return 1
end

-- Sets the flux in Dst to 0 where it has the sign of the slope; overwrites the slope.
local function limit(flux, slope)
    mul_binary_tile(slope, flux)
    lez_tile(slope)
    mul_binary_tile(flux, slope)
end

function sfpu.fluxes(s, i)
    local at, x, y = s.bytes.begin, s.bytes.line, s.bytes.row
    take(LAP, i, 0, 3)
    take(LAP, i, x, 0)
    sub_binary_tile(0, 3)
    if not s.has_limiter then
        take(LAP, i, y, 1)
        sub_binary_tile(1, 3)
        return 0, 1
    end
    take(U, i, at, 2)
    take(U, i, at + x, 1)
    sub_binary_tile(1, 2)
    limit(0, 1)
    take(LAP, i, y, 1)
    sub_binary_tile(1, 3)
    take(U, i, at + y, 3)
    sub_binary_tile(3, 2)
    limit(1, 3)
    return 0, 1
end

function sfpu.result(s, i)
    local x, y = s.bytes.line, s.bytes.row
    take(FX, i, y, 0)
    take(FX, i, y - x, 1)
    sub_binary_tile(0, 1)
    take(FY, i, y, 1)
    take(FY, i, 0, 2)
    sub_binary_tile(1, 2)
    add_binary_tile(0, 1)
    mul_unary_tile(0, s.coefficient)
    take(U, i, s.bytes.first, 1)
    sub_binary_tile(1, 0)
    return 1
end

-- The FPU: adds a tile, read from `bytes` further on, times a constant to Dst.
local function add_product(cb, tile, bytes, constant, dst)
    cb_shift_read(cb, bytes)
    mul_tiles(cb, CONSTANTS, tile, constant, dst)
end

local fpu = {}

function fpu.begin(s)
    binary_op_init_common(U, CONSTANTS, LAP)
    mul_binary_tile_init()
    lez_tile_init()
    mul_tiles_init(U, CONSTANTS)
    cb_wait_front(CONSTANTS, s.constant_count)
end

function fpu.laplacian(s, i)
    local at, x, y = s.bytes.begin, s.bytes.line, s.bytes.row
    add_product(U, i, at, FOUR, 0)
    for _, shift in ipairs { x, -x, y, -y } do
        add_product(U, i, at + shift, MINUS_ONE, 0)
    end
    return 0
end

local function add_difference(cb, tile, from, shift, dst)
    add_product(cb, tile, from + shift, ONE, dst)
    add_product(cb, tile, from, MINUS_ONE, dst)
end

function fpu.fluxes(s, i)
    local at = s.bytes.begin
    for k, shift in ipairs { s.bytes.line, s.bytes.row } do
        local flux = 2 * k - 2
        add_difference(LAP, i, 0, shift, flux)
        if s.has_limiter then
            add_difference(U, i, at, shift, flux + 1)
            limit(flux, flux + 1)
        end
    end
    return 0, 2
end

function fpu.result(s, i)
    local x, y = s.bytes.line, s.bytes.row
    add_product(FX, i, y, MINUS_C, 0)
    add_product(FX, i, y - x, PLUS_C, 0)
    add_product(FY, i, y, MINUS_C, 0)
    add_product(FY, i, 0, PLUS_C, 0)
    add_product(U, i, s.bytes.first, ONE, 0)
    return 0
end

-- Makes one tile for each of the buffers from the tiles that `f` leaves in Dst.
local function make(f, s, i, out, out_2)
    tile_regs_acquire()
    local dst, dst_2 = f(s, i)
    tile_regs_commit()
    tile_regs_wait()
    pack(dst, out)
    if out_2 then
        pack(dst_2, out_2)
    end
    tile_regs_release()
end

-- Adds empty pages, so that the next slab begins at the same place of the buffer.
local function fill_up(cb, pages, made)
    if pages > made then
        cb_reserve_back(cb, pages - made)
        cb_push_back(cb, pages - made)
    end
    cb_wait_front(cb, pages)
end

local function make_slab(s, unit, slab, extent)
    local has = 0
    zone("laplacian", function()
        for i = 0, extent.laps - 1 do
            local needs = extent.begin + (i + 1) * TILE + s.row
            needs = needs >= slab.rows * s.row + 4 * s.row and s.pages.u or tiles_for(needs)
            if needs > has then
                zone("wait", function() cb_wait_front(U, needs) end)
                has = needs
            end
            make(unit.laplacian, s, i, LAP)
        end
    end)
    cb_wait_front(U, s.pages.u)
    fill_up(LAP, s.pages.lap, extent.laps)
    zone("flux", function()
        for i = 0, extent.fluxes - 1 do
            make(unit.fluxes, s, i, FX, FY)
        end
    end)
    fill_up(FX, s.pages.flux, extent.fluxes)
    fill_up(FY, s.pages.flux, extent.fluxes)
    zone("result", function()
        for i = 0, extent.results - 1 do
            make(unit.result, s, i, OUT)
        end
    end)
    if s.pages.out > extent.results then
        cb_reserve_back(OUT, s.pages.out - extent.results)
        cb_push_back(OUT, s.pages.out - extent.results)
    end
    cb_pop_front(LAP, s.pages.lap)
    cb_pop_front(FX, s.pages.flux)
    cb_pop_front(FY, s.pages.flux)
    cb_pop_front(U, s.pages.u)
end

local function compute(s)
    local unit = s.constant_count > 0 and fpu or sfpu
    unit.begin(s)
    each_slab(s, function(slab, extent)
        make_slab(s, unit, slab, extent)
    end)
end

hdiff.kernels = { hdiff_reader = reader, hdiff_writer = writer, hdiff_compute = compute }

return hdiff
