-- Horizontal diffusion on cores with tiles, the host's part: slabs of the grid, their place in
-- DRAM, and the checks. cores/hdiff_kernels.lua has the kernels.
--
-- In DRAM the grid lies in chunks of levels, row after row. A row is a page: its points one
-- after the other, each with the levels of the chunk, padded to an address that unpackers can
-- reach. The distance between chunks, in pages, makes cores use all banks. A slab is some rows
-- of a chunk. Slabs are dealt to the cores in turn. Levels per chunk and rows per slab are
-- chosen so that the busiest core has the least to do.

local kernels = require("cores/hdiff_kernels")
local launch = require("cores/weather_launch")
local weather = require("weather")

local ALIGNMENT = 32            -- bytes by which unpackers shift
local SLABS_OF_A_CORE = 16      -- at most, per chunk

-- The most that roundings lose, in halves of the last place of 1. Numbers are 0..1, so
-- Laplacians are at most 4, fluxes at most 8, inflow and outflow at most 32. The SFPU rounds
-- each operation. The FPU loses digits in a 32-bit Dst, in packing, and in the coefficient.
local function bound(format)
    local is_fp32, c = format == "fp32", weather.hdiff.coefficient
    local lap = is_fp32 and 2 + 2 + 4 + 4 or 4
    local flux = 2 * lap + 8
    local flow = is_fp32 and 4 * flux + 2 * 16 + 32 + 32 or 4 * flux
    local unit = is_fp32 and 0x1p-24 or 0x1p-8
    local in_dst, reference = 0x1p-16, 0x1p-24      -- many sums in Dst; the reference is in fp32
    return (c * (flow + 32) + 1) * unit + (is_fp32 and 0 or in_dst) + reference
end

local hdiff = { formats = { "fp32", "bf16" }, rounds = 1, kernels = kernels.kernels }

local function round_up(n, unit)
    return (n + unit - 1) // unit * unit
end

-- Bytes of L1 on a core.
local function l1_bytes(it, tile_bytes, constants)
    local pages = it.pages
    return (pages.u + pages.lap + 2 * pages.flux + constants) * tile_bytes + ALIGNMENT
end

-- Tile operations of the busiest core, weighted by the approximate time of each pass.
local function work(it)
    local extent = kernels.extent(it.row, it.line, it.rows)
    return it.slabs_of_a_core * (extent.laps + 2 * extent.fluxes + extent.results)
end

-- Cuts a grid into chunks of `line` levels with `slabs` slabs each.
local function cut(p, line, slabs, core_count)
    local inner, row = p.ny - 2 * weather.border, p.nx * line
    local rows = (inner + slabs - 1) // slabs
    local chunks = (p.nz + line - 1) // line
    return {
        line = line, row = row, rows = rows, chunks = chunks, slabs = slabs,
        slabs_of_a_core = (chunks * slabs + core_count - 1) // core_count, pages = kernels.pages(row, line, rows),
    }
end

-- The longest row, in points, whose one-row slab fits into `free` bytes.
local function longest_row(p, line, free, tile_bytes, constants)
    local nx = p.nx
    while nx > 0 and l1_bytes(cut({ nx = nx, ny = p.ny, nz = p.nz }, line, p.ny - 2 * weather.border, 1), tile_bytes, constants) > free do
        nx = nx - 1
    end
    return nx
end

-- The best cut that fits into L1; refuses a grid that has none.
local function plan(host, p)
    local columns, rows = host.grid()
    local core_count, number = columns * rows, weather.bytes(p.dtype)
    local unit, tile_bytes = ALIGNMENT // number, host.tile_bytes(p.dtype)
    local constants = p.dtype == "fp32" and 0 or #kernels.constants(0)
    local free = host.l1_free(0, 0) - 2 * host.number("l1.noc_alignment_bytes")
    local inner, best = p.ny - 2 * weather.border, nil
    for line = unit, round_up(p.nz, unit), unit do
        for slabs = 1, math.min(inner, SLABS_OF_A_CORE * core_count) do
            local it = cut(p, line, slabs, core_count)
            if l1_bytes(it, tile_bytes, constants) <= free and (not best or work(it) < work(best)) then
                best = it
            end
        end
    end
    if not best then
        host.refuse(("nx = %d, %d fit: a row and its margins are in a core's L1, in %s"):format(
            p.nx, longest_row(p, unit, free, tile_bytes, constants), p.dtype))
    end
    best.columns, best.core_count, best.number, best.tile_bytes, best.constant_count = columns, core_count, number, tile_bytes, constants
    best.stride = launch.stride(host, p.ny)
    best.cores = { 0, 0, columns - 1, rows - 1 }
    return best
end

-- The grid as it lies in DRAM, and back.
local function into_chunks(host, p, it, u)
    local plane, chunk = p.nx * p.ny * it.number, p.nx * p.ny * it.number * it.line
    local apart = it.stride * it.row * it.number
    local result = host.buffer(it.chunks * apart)
    for i = 0, it.chunks - 1 do
        local levels = host.buffer(chunk)
        levels:put(0, u:part(i * chunk, math.min(it.line, p.nz - i * it.line) * plane))
        result:put(i * apart, levels:transposed(p.dtype, it.line, p.nx * p.ny))
    end
    return result
end

local function out_of_chunks(host, p, it, chunks)
    local plane, chunk = p.nx * p.ny * it.number, p.nx * p.ny * it.number * it.line
    local apart = it.stride * it.row * it.number
    local result = host.buffer(p.nz * plane)
    for i = 0, it.chunks - 1 do
        local levels = chunks:part(i * apart, chunk):transposed(p.dtype, p.nx * p.ny, it.line)
        result:put(i * chunk, levels:part(0, math.min(it.line, p.nz - i * it.line) * plane))
    end
    return result
end

-- Deals slabs to cores: for each slab, the page of its first row (in the margin) and its rows.
local function deal(p, it)
    local slabs, inner, index = {}, p.ny - 2 * weather.border, 0
    for core = 0, it.core_count - 1 do
        slabs[core] = {}
    end
    for chunk = 0, it.chunks - 1 do
        local first = 0
        for slab = 0, it.slabs - 1 do
            local rows = inner // it.slabs + (slab < inner % it.slabs and 1 or 0)
            table.insert(slabs[index % it.core_count], { page = chunk * it.stride + first, rows = rows })
            first, index = first + rows, index + 1
        end
    end
    return slabs
end

local function add_buffers(host, program, p, it)
    local cb, pages = kernels.buffers, it.pages
    local function buffer(index, count, address)
        program:circular_buffer { cores = it.cores, index = index, pages = count, format = p.dtype, address = address }
    end
    local at = host.l1_allocate { cores = it.cores, bytes = pages.u * it.tile_bytes, name = "u" }
    local first = kernels.extent(it.row, it.line, it.rows).first
    buffer(cb.u, pages.u, at)
    buffer(cb.out, pages.out, at + first * it.number)
    buffer(cb.lap, pages.lap)
    buffer(cb.fx, pages.flux)
    buffer(cb.fy, pages.flux)
    if it.constant_count > 0 then
        local constants = kernels.constants(weather.hdiff.coefficient)
        buffer(cb.constants, it.constant_count, launch.constants(host, it.cores, p.dtype, constants))
    end
    program:circular_buffer { cores = it.cores, index = cb.done, pages = 1, format = p.dtype, page_bytes = ALIGNMENT }
end

local function build(host, p, it, dram)
    local program, slabs = host.program(), deal(p, it)
    local extent = kernels.extent(it.row, it.line, it.rows)
    local bytes = { begin = extent.begin * it.number, first = extent.first * it.number, line = it.line * it.number, row = it.row * it.number }
    add_buffers(host, program, p, it)
    local function args(x, y)
        return {
            slabs = slabs[y * it.columns + x], rounds = p.rounds, row = it.row, line = it.line, row_bytes = it.row * it.number,
            pages = it.pages, bytes = bytes, constant_count = it.constant_count, has_limiter = p.limiter,
            coefficient = weather.hdiff.coefficient, u = dram.u, out = dram.out,
        }
    end
    launch.add_kernels(program, "hdiff", it.cores, args)
    return program
end

-- With products on the FPU, in its rounding and in the order of the kernels.
local function products(p, u)
    return u:hdiff_dst {
        columns = p.nx, rows = p.ny, layers = p.nz, format = p.dtype, coefficient = weather.hdiff.coefficient, limiter = p.limiter,
    }
end

local function check(host, p, u, result)
    if p.dtype == "fp32" then
        host.check_equal(result, weather.hdiff_reference(p, u), "single precision, each operation rounded, bit for bit")
    else
        if p.arithmetic ~= "ieee" then
            host.check_equal(result, products(p, u), "the chip's rounding and order, bit for bit")
        end
        u = u:converted(p.dtype, "fp32")
    end
    launch.check(host, p, result, weather.hdiff_reference(p, u, "double"), bound(p.dtype))
end

function hdiff.run(host, p)
    local it, u = plan(host, p), weather.hdiff_field(host, p)
    local chunks = into_chunks(host, p, it, u)
    local function dram_buffer()
        return host.dram_buffer { pages = it.chunks * it.stride, page_bytes = it.row * it.number }
    end
    local dram = { u = dram_buffer(), out = dram_buffer() }
    host.upload(chunks, dram.u)
    host.upload(chunks, dram.out)       -- the border
    launch.measure(host, p, build(host, p, it, dram), {
        core_count = it.core_count, flop = weather.hdiff_flop(p), words = ("%d levels in slabs of %d rows"):format(it.line, it.rows),
    })
    host.metric("levels_of_a_slab", it.line)
    host.metric("rows_of_a_slab", it.rows)
    if host.is_functional then
        host.download(dram.out, chunks)
        check(host, p, u, out_of_chunks(host, p, it, chunks))
    end
end

return hdiff
