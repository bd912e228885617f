-- Vertical advection on cores with tiles, the host's part: the layout of the grid, the program,
-- and the checks. cores/vadvc_kernels.lua has the kernels.
--
-- A level is one list of numbers, y fastest and padded to an address that unpackers can reach,
-- from the first point inside the border along x on. 1,024 numbers of it are a tile and a page.
-- The pages of a column of tiles follow each other, the lowest level first. The distance
-- between columns, in pages, makes cores use all banks. Columns are dealt to the cores in turn.
-- Points of the border along y come along; their results are not used.

local bound = require("cores/vadvc_bound")
local kernels = require("cores/vadvc_kernels")
local launch = require("cores/weather_launch")
local weather = require("weather")

local ALIGNMENT = 32    -- bytes by which unpackers shift
local TILE = 1024       -- numbers
local SHARE = 0.25 * weather.vadvc.beta_p

local vadvc = { formats = { "fp32", "bf16" }, rounds = 1, kernels = kernels.kernels }

local function round_up(n, unit)
    return (n + unit - 1) // unit * unit
end

local function page_bytes(it, cb)
    return cb == kernels.wide and it.wide_bytes or it.tile_bytes
end

-- Bytes of L1 that do not depend on the number of levels.
local function fixed_bytes(it)
    local bytes = it.unit == "fpu" and #kernels.constants(0, 0) * it.tile_bytes or 0
    for cb, pages in pairs(kernels.pages(it.unit)) do
        bytes = bytes + pages * page_bytes(it, cb)
    end
    return bytes
end

local function plan(host, p)
    local columns, rows = host.grid()
    local number, tile_bytes = weather.bytes(p.dtype), host.tile_bytes(p.dtype)
    local height = round_up(p.ny, ALIGNMENT // number)
    local it = {
        grid_columns = columns, core_count = columns * rows, cores = { 0, 0, columns - 1, rows - 1 }, number = number,
        tile_bytes = tile_bytes, height = height, count = (p.nx - 2 * weather.border) * height,
        wide_bytes = tile_bytes + height * number, unit = p.dtype == "fp32" and "sfpu" or "fpu",
    }
    it.stride = launch.stride(host, p.nz)
    it.columns = (it.count + TILE - 1) // TILE
    it.beside = (height + TILE - 1) // TILE     -- columns that hold a tile's neighbours
    local fit = (host.l1_free(0, 0) - fixed_bytes(it) + tile_bytes) // (3 * tile_bytes)
    if p.nz > fit then
        host.refuse(("nz = %d, %d fit: ccol, dcol and upos of a column of tiles stay in a core's L1, in %s"):format(p.nz, math.max(fit, 0), p.dtype))
    end
    return it
end

-- A level as the list from x = 0 on, with 0 beyond the grid.
local function list_of(host, p, it, field, k)
    local plane = p.nx * p.ny * it.number
    local padded = host.buffer(p.nx * it.height * it.number)
    padded:put(0, field:part(k * plane, plane))
    return padded:transposed(p.dtype, it.height, p.nx)
end

local function into_columns(host, p, it, field)
    local columns = it.columns + it.beside
    local result, first = host.buffer(columns * it.stride * it.tile_bytes), weather.border * it.height * it.number
    for k = 0, p.nz - 1 do
        local list, level = list_of(host, p, it, field, k), host.buffer(columns * it.tile_bytes)
        level:put(0, list:part(first, math.min(#list - first, #level)))
        for column = 0, columns - 1 do
            result:put((column * it.stride + k) * it.tile_bytes, level:part(column * it.tile_bytes, it.tile_bytes))
        end
    end
    return result
end

-- The field with new numbers inside the border.
local function out_of_columns(host, p, it, columns, field)
    local plane, row = p.nx * p.ny * it.number, p.nx * it.number
    local first, inside = weather.border * it.height * it.number, it.count * it.number
    local result, inner = field:part(0, #field), (p.ny - 2 * weather.border) * row
    for k = 0, p.nz - 1 do
        local list, level = list_of(host, p, it, field, k), host.buffer(it.columns * it.tile_bytes)
        for column = 0, it.columns - 1 do
            level:put(column * it.tile_bytes, columns:part((column * it.stride + k) * it.tile_bytes, it.tile_bytes))
        end
        list:put(first, level:part(0, inside))
        local rows = list:transposed(p.dtype, p.nx, it.height)
        result:put(k * plane + weather.border * row, rows:part(weather.border * row, inner))
    end
    return result
end

local function build(host, p, it, dram)
    local program = host.program()
    local function buffer(index, pages, bytes, address)
        program:circular_buffer {
            cores = it.cores, index = index, pages = pages, format = p.dtype, page_bytes = bytes, address = address,
        }
    end
    for cb, pages in pairs(kernels.pages(it.unit)) do
        buffer(cb, pages, page_bytes(it, cb))
    end
    buffer(kernels.upos, p.nz)
    buffer(kernels.ccol, p.nz - 1)
    buffer(kernels.dcol, p.nz)
    if it.unit == "fpu" then
        local values = kernels.constants(SHARE, weather.vadvc.dtr)
        buffer(kernels.constants_buffer, #values, it.tile_bytes, launch.constants(host, it.cores, p.dtype, values))
    end
    local function args(x, y)
        local columns = {}
        for column = y * it.grid_columns + x, it.columns - 1, it.core_count do
            columns[#columns + 1] = column
        end
        return {
            columns = columns, rounds = p.rounds, levels = p.nz, stride = it.stride, tile_bytes = it.tile_bytes, wide_bytes = it.wide_bytes,
            east_bytes = it.height * it.number, fields = dram, out = dram.out, unit = it.unit, share = SHARE, dtr = weather.vadvc.dtr,
        }
    end
    launch.add_kernels(program, "vadvc", it.cores, args)
    return program
end

-- Only the reciprocal differs from the reference in single precision.
local function check(host, p, fields, result)
    if p.dtype == "fp32" and p.arithmetic == "ieee" then
        host.check_equal(result, weather.vadvc_reference(p, fields), "single precision, each operation rounded, bit for bit")
    end
    local exact = {}
    for name, field in pairs(fields) do
        exact[name] = p.dtype == "fp32" and field or field:converted(p.dtype, "fp32")
    end
    launch.check(host, p, result, weather.vadvc_reference(p, exact, "double"), bound(p.dtype, p.nz))
end

function vadvc.run(host, p)
    local it, dram = plan(host, p), {}
    local fields = weather.vadvc_fields(host, p)
    for name, field in pairs(fields) do
        local columns = into_columns(host, p, it, field)
        dram[name] = host.dram_buffer { pages = #columns // it.tile_bytes, page_bytes = it.tile_bytes }
        host.upload(columns, dram[name])
    end
    dram.out = host.dram_buffer { pages = it.columns * it.stride, page_bytes = it.tile_bytes }
    launch.measure(host, p, build(host, p, it, dram), {
        core_count = it.core_count, flop = weather.vadvc.flop, words = ("%d columns of tiles"):format(it.columns),
    })
    host.metric("columns_of_tiles", it.columns)
    if host.is_functional then
        local columns = host.buffer(it.columns * it.stride * it.tile_bytes)
        host.download(dram.out, columns)
        check(host, p, fields, out_of_columns(host, p, it, columns, fields.utensstage))
    end
end

return vadvc
