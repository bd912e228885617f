-- Two kernels of weather models, as COSMO has them: horizontal diffusion and vertical
-- advection. The parts that all machines need: counts, constants, fields, references, and the
-- words of the scripts hdiff.lua and vadvc.lua.
--
-- A grid has nx * ny * nz numbers, plane after plane with x fastest (order "planes"), or column
-- after column with z fastest (order "columns"). Points within `border` of a side along x or y
-- keep their values.

local weather = { border = 2 }

-- FLOP per point as the listing has them: Laplacians counted each time, comparisons not at all.
weather.hdiff = { coefficient = 0.025, flop = 34, flop_limited = 42 }
weather.vadvc = {
    beta_m = 0.5, beta_p = 0.5, dtr = 0.15, flop = 30, largest_wind = 0.1,
    fields = { "wcon", "ustage", "upos", "utens", "utensstage" },   -- the last becomes the result
}

local BYTES = { fp32 = 4, fp16 = 2, bf16 = 2 }
local GIGA = 1e9

function weather.bytes(format)
    return BYTES[format]
end

-- Number of computed points.
function weather.points(p)
    return (p.nx - 2 * weather.border) * (p.ny - 2 * weather.border) * p.nz
end

function weather.hdiff_flop(p)
    return p.limiter and weather.hdiff.flop_limited or weather.hdiff.flop
end

local function field(host, p)
    return host.buffer(p.nx * p.ny * p.nz * BYTES[p.dtype])
end

-- Random numbers from 0 to 1 in the script's dtype.
function weather.hdiff_field(host, p)
    local u = field(host, p)
    u:fill_random(p.dtype, 1, 0, 1, 1 / 1024)
    return u
end

-- No wind through the ground: wcon of level 0 is 0.
local function still_ground(host, p, wcon, order)
    if order ~= "columns" then
        wcon:put(0, host.buffer(p.nx * p.ny * BYTES[p.dtype]))
        return
    end
    for column = 0, p.nx * p.ny - 1 do
        wcon:set(p.dtype, column * p.nz, 0)
    end
end

-- Fields by name, in the script's dtype and in the given order, "planes" by default.
function weather.vadvc_fields(host, p, order)
    local fields = {}
    for seed, name in ipairs(weather.vadvc.fields) do
        local largest = name == "wcon" and weather.vadvc.largest_wind or 1
        fields[name] = field(host, p)
        fields[name]:fill_random(p.dtype, seed, -largest, largest)
    end
    if host.is_functional then
        still_ground(host, p, fields.wcon, order)
    end
    return fields
end

local function grid_of(p, format, order)
    return { columns = p.nx, rows = p.ny, layers = p.nz, format = format or p.dtype, order = order }
end

-- The expected result. `format` is as in workloads/reference/domain.h, by default the script's
-- dtype.
function weather.hdiff_reference(p, u, format, order)
    local call = grid_of(p, format, order)
    call.coefficient, call.limiter = weather.hdiff.coefficient, p.limiter
    return u:hdiff(call)
end

function weather.vadvc_reference(p, fields, format, order)
    local call = grid_of(p, format, order)
    for _, name in ipairs { "beta_m", "beta_p", "dtr" } do
        call[name] = weather.vadvc[name]
    end
    for _, name in ipairs { "ustage", "upos", "utens", "utensstage" } do
        call[name] = fields[name]
    end
    return fields.wcon:vadvc(call)
end

-- Metrics of all machines: `rounds` passes took `seconds`. Returns GFLOP/s.
function weather.report(host, p, flop, seconds, rounds)
    local points = weather.points(p)
    local gflops = points * flop * rounds / seconds / GIGA
    host.metric("gflops", gflops)
    host.metric("flops_per_point", flop)
    host.metric("points", points)
    return gflops
end

-- The table that a script returns. `sides` has, by family, a module with
--   formats     values of the word dtype, the default first
--   rounds      passes in one launch by default; nil if there is only one
--   parameters  words of its own, each with chips = { family }; or nil
--   kernels     or nil
--   run(host, p)
-- `parameters` has the script's words beside nx, ny, nz, dtype and rounds; `least_nz` is the
-- smallest number of planes.
function weather.declaration(script)
    local families, formats, usual, with_rounds, rounds, kernels = {}, {}, {}, {}, {}, {}
    local own = {}
    for family, side in pairs(script.sides) do
        families[#families + 1] = family
        formats[family], usual[family] = side.formats, side.formats[1]
        if side.rounds then
            with_rounds[#with_rounds + 1], rounds[family] = family, side.rounds
        end
        table.move(side.parameters or {}, 1, #(side.parameters or {}), #own + 1, own)
        for name, kernel in pairs(side.kernels or {}) do
            kernels[name] = kernel
        end
    end
    local parameters = {
        { name = "nx", type = "integer", default = 256, min = 5, max = 4096, help = "points along x, 2 on each side as border" },
        { name = "ny", type = "integer", default = 256, min = 5, max = 4096, help = "points along y, 2 on each side as border" },
        { name = "nz", type = "integer", default = 64, min = script.least_nz, max = 4096, help = "planes" },
        { name = "dtype", type = "choice", default = usual, choices = formats, help = "format of the numbers" },
    }
    table.move(script.parameters, 1, #script.parameters, #parameters + 1, parameters)
    if #with_rounds > 0 then
        parameters[#parameters + 1] = {
            name = "rounds", type = "integer", default = rounds, min = 1, max = 10000, chips = with_rounds,
            help = "passes over the grid in one launch, all from the same fields",
        }
    end
    table.move(own, 1, #own, #parameters + 1, parameters)
    return {
        summary = script.summary, chips = families, parameters = parameters, kernels = kernels,
        run = function(host, p) script.sides[host.family].run(host, p) end,
    }
end

return weather
