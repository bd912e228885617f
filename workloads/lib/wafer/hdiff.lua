-- Horizontal diffusion on a wafer: a PE has a column of cells, all planes of a place (x, y).
-- Columns go to the neighbours three times (wafer/spread.lua): u to all four; its Laplacian to
-- the west and the north, which compute fluxes from it; the fluxes to the east and the south,
-- into which they flow. So each flux is computed once. Incoming Laplacians and fluxes are
-- subtracted from the PE's own on their way to memory.
--
-- Laplacians are kept with their sign changed, (east + west) + (south + north) - 4 u: one fused
-- operation without another rounding, because 4 u is exact. A flux is their difference the
-- other way round.

local classes = require("wafer/tile_classes")
local columns = require("wafer/weather_columns")
local spread = require("wafer/spread")
local weather = require("weather")

local BORDER = weather.border
local HALF = 4                          -- bytes: operands that are this far apart, modulo 8, collide in no bank
local SIGN_BIT, ALL_BITS = 15, 0xffff

-- Colors by the place of a PE, (x + 2 y) modulo 5. Fluxes to the east use colors that
-- Laplacians leave free: in a router Laplacians have the PE's own color and the next two, and
-- such a flux comes in on the one after and leaves on the last. Fluxes to the south need three.
local COLORS = {
    u = { 0, 1, 2, 3, 4 },
    laplacian = { 5, 6, 7, 8, 9 },
    east = { 9, 5, 6, 7, 8 },
    south = { 10, 11, 11, 12, 10 },
}
local BEGIN = 13
local STAGE_TASKS = { { done = 14, ended = { 15, 16, 17 } }, { done = 18, ended = { 19, 20 } }, { done = 24, ended = { 25, 26 } } }

local hdiff = { formats = { "fp32", "fp16" }, rounds = 1, parameters = {} }

-- Which PEs compute a result, a flux to the next PE along x or along y, or a Laplacian.
local function roles_of(layout)
    local nx, ny = layout.columns, layout.rows
    local function is_inside(at, extent)
        return at >= BORDER and at < extent - BORDER
    end
    -- Inside, or one place before or after.
    local function reaches(at, extent, before, after)
        return at >= BORDER - before and at < extent - BORDER + after
    end
    return {
        result = function(x, y) return is_inside(x, nx) and is_inside(y, ny) end,
        east = function(x, y) return reaches(x, nx, 1, 0) and is_inside(y, ny) end,
        south = function(x, y) return is_inside(x, nx) and reaches(y, ny, 1, 0) end,
        laplacian = function(x, y)
            return is_inside(y, ny) and reaches(x, nx, 1, 1) or is_inside(x, nx) and reaches(y, ny, 1, 1)
        end,
    }
end

local function plans_of(layout, settings, roles)
    local function plan(name, to, takes, output_queue, input_queues)
        return spread.plan(layout, {
            to = to, takes = takes, count = settings.layers, type = settings.kind.type, colors = COLORS[name],
            output_queue = output_queue, input_queues = input_queues,
        })
    end
    return {
        u = plan("u", { "west", "east", "north", "south" }, roles.laplacian, 0, { west = 4, east = 5, north = 6, south = 7 }),
        laplacian = plan("laplacian", { "west", "north" },
            function(x, y, side) return roles[side](x, y) end, 1, { east = 2, south = 3 }),
        east = plan("east", { "east" }, roles.result, 2, { west = 0 }),
        south = plan("south", { "south" }, roles.result, 3, { north = 1 }),
    }
end

-- Columns in memory. A pair of them, x first and then y, is one descriptor, so that an
-- operation on both has one start.
local function declare(pe, settings)
    local kind, layers = settings.kind, settings.layers
    local pitch, half = columns.pitch(kind, layers), HALF // kind.bytes
    local m = { pe = pe, kind = kind, pitch = pitch, layers = layers }
    local function array(name, count)
        return pe:array { name = name, type = kind.type, count = count, align = columns.line }
    end
    local function column(base, offset)
        return pe:mem1d_dsd { base = base, extent = layers, offset = offset }
    end
    local function pair(base, offset, step)
        return pe:mem4d_dsd { base = base, extents = { 2, layers }, strides = { step, 1 }, offset = offset }
    end
    local u, out = array("u", layers), array("out", layers)
    m.u, m.out, m.u_twice = column(u), column(out), pair(u, 0, 0)
    -- The neighbours' u. Those that gradients need begin HALF after a line, the others at one.
    local near, far = array("near", half + 2 * pitch), array("far", 2 * pitch)
    m.east, m.south, m.near = column(near, half), column(near, half + pitch), pair(near, half, pitch)
    m.west, m.north, m.far = column(far), column(far, pitch), pair(far, 0, pitch)
    local sums = array("sums", half + 2 * pitch)
    m.along_x, m.along_y, m.sums = column(sums), column(sums, half + pitch), pair(sums, 0, half + pitch)
    m.laplacian = column(array("laplacian", layers))
    m.flux_array, m.product_array, m.product_first = array("fluxes", 2 * pitch), array("products", half + 2 * pitch), half
    m.to_east, m.to_south, m.fluxes = column(m.flux_array), column(m.flux_array, pitch), pair(m.flux_array, 0, pitch)
    m.products = pair(m.product_array, half, pitch)
    return m
end

local function bytes_of(kind, layers)
    return (13 * columns.pitch(kind, layers) + 3 * (columns.line // kind.bytes)) * kind.bytes + columns.variable_bytes
end

-- A flux is 0 where it has the sign of its gradient: where flux * (near - far) < 0. No
-- instruction selects, but there are operations on 16-bit integers. Adding 0 turns -0 into 0;
-- then the sign of a product is set exactly where it is less than 0, however small. Spread over
-- all bits of the upper half and complemented, the sign is a mask that keeps both halves of a
-- flux, or clears both.
local function limit(m)
    local pe, kind, layers = m.pe, m.kind, m.layers
    local halves = kind.bytes // 2
    local bits = pe:view { name = "flux_bits", base = m.flux_array, type = "u16", count = halves * 2 * m.pitch }
    local signs = pe:view {
        name = "product_bits", base = m.product_array, first = m.product_first, type = "u16", count = halves * 2 * m.pitch,
    }
    local step = halves * m.pitch
    local sign = pe:mem4d_dsd { base = signs, extents = { 2, layers }, strides = { step, halves }, offset = halves - 1 }
    local mask = pe:mem4d_dsd { base = signs, extents = { 2, layers, halves }, strides = { step, halves, 0 }, offset = halves - 1 }
    local flux = pe:mem4d_dsd { base = bits, extents = { 2, layers, halves }, strides = { step, halves, 1 } }
    pe[kind.subtract](pe, m.products, m.u_twice, m.near)
    pe[kind.scale](pe, m.products, m.fluxes, m.products)
    pe[kind.add](pe, m.products, m.products, 0)
    pe:sar16(sign, sign, SIGN_BIT)
    pe:xor16(sign, sign, ALL_BITS)
    pe:and16(flux, flux, mask)
end

-- The three exchanges of a PE: the operations that start each, and the work after it.
local function stages_of(m, settings, parts, does)
    local pe, kind = m.pe, m.kind
    local move, subtract = kind.move, kind.subtract
    local u, laplacian, east, south = parts.u, parts.laplacian, parts.east, parts.south
    local stages = {
        { name = "u", after = function()
            if does.laplacian then
                pe[kind.add](pe, m.sums, m.near, m.far)
                pe[kind.add](pe, m.along_y, m.along_x, m.along_y)
                pe[kind.fuse](pe, m.laplacian, m.along_y, m.u, -4)
            end
        end },
        { name = "laplacian", after = function()
            if settings.is_limited and (does.east or does.south) then
                limit(m)
            end
        end },
        { name = "flux", after = function()
            if does.result then
                pe[kind.add](pe, m.along_y, m.along_x, m.along_y)
                pe[kind.scale](pe, m.along_y, m.along_y, weather.hdiff.coefficient)
                pe[subtract](pe, m.out, m.u, m.along_y)
            else
                pe[move](pe, m.out, m.u)
            end
        end },
    }
    local function add(stage, stream, operation, ...)
        if stream then
            table.insert(stages[stage], { operation, ... })
        end
    end
    for _, side in ipairs { "west", "east", "north", "south" } do
        add(1, u.from[side], move, m[side], u.from[side])
    end
    add(1, u.out, move, u.out, m.u)
    add(2, laplacian.from.east, subtract, m.to_east, m.laplacian, laplacian.from.east)
    add(2, laplacian.from.south, subtract, m.to_south, m.laplacian, laplacian.from.south)
    add(2, laplacian.out, move, laplacian.out, m.laplacian)
    add(3, east.from.west, subtract, m.along_x, m.to_east, east.from.west)
    add(3, south.from.north, subtract, m.along_y, m.to_south, south.from.north)
    add(3, east.out, move, east.out, m.to_east)
    add(3, south.out, move, south.out, m.to_south)
    return stages
end

-- The program of the PE (x, y).
local function program(pe, plans, settings, rounds, roles, x, y)
    local m, parts, does = declare(pe, settings), {}, {}
    for name, plan in pairs(plans) do
        parts[name] = plan:attach(pe, x, y)
    end
    for name, role in pairs(roles) do
        does[name] = role(x, y)
    end
    columns.emit_stages(pe, {
        begin = BEGIN, tasks = STAGE_TASKS, stages = stages_of(m, settings, parts, does), rounds = rounds, is_counted = does.result,
    })
end

local function lay_out(layout, settings)
    local roles = roles_of(layout)
    local plans = plans_of(layout, settings, roles)
    for _, plan in pairs(plans) do
        plan:configure(layout)
    end
    classes.each(layout, { plans.u }, function(tiles, x, y)
        layout:set_tile_code(tiles, roles.result(x, y) and "interior" or "border", function(pe)
            program(pe, plans, settings, layout.iterations, roles, x, y)
        end)
    end)
end

-- hdiff.run(host, p): the script hdiff.lua on wafers.
function hdiff.run(host, p)
    local settings = { kind = columns.kinds[p.dtype], layers = p.nz, is_limited = p.limiter }
    local u = weather.hdiff_field(host, p)
    columns.run(host, p, {
        kind = settings.kind, bytes = function(layers) return bytes_of(settings.kind, layers) end,
        lay_out = function(layout) lay_out(layout, settings) end,
        fields = { u = u }, flop = weather.hdiff_flop(p),
        reference = function(format, fields) return weather.hdiff_reference(p, fields.u, format, "columns") end,
        -- For numbers up to 1, in units of half an ulp of 1. Sums of two: 2 + 2, of four 4;
        -- Laplacian, up to 4: 4. Two of them and a flux, up to 8: 2 * 12 + 8. Two fluxes twice,
        -- up to 16: 2 * (2 * 32 + 16); their sum: 32. That times 0.025, which is rounded, as is
        -- the product; then the result, up to 1.8. Where a limiter decides otherwise, the flux
        -- is no larger than its error, because gradients are exact.
        bound = 0.025 * (2 * (2 * 32 + 16) + 32) + 2 * 0.025 * 32 + 1.8,
    })
end

return hdiff
