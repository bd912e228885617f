-- Vertical advection on a wafer: a PE has a column of all fields and solves its tridiagonal
-- system in memory. The wind of the neighbour in the east comes first (wafer/spread.lua) and is
-- added to the PE's own on arrival. Everything that does not go from level to level is vector
-- operations along z; the rest is scalar: wafer/thomas.lua.
--
-- Everything follows from a = -0.25 * (wind) * beta of a face between two levels. Below level k
-- it is acol(k) and as(k). Above, with the sign changed, it is ccol(k) before the division and
-- cs(k). Signs are exact, so a difference with these is a sum with a(k + 1), and no rounding
-- differs.

local classes = require("wafer/tile_classes")
local columns = require("wafer/weather_columns")
local spread = require("wafer/spread")
local thomas = require("wafer/thomas")
local weather = require("weather")

local BORDER = weather.border
local SENT = "wind"
local COLORS = { 0, 1, 0, 1, 2 }        -- by (x + 2 y) modulo 5: different from the neighbour's in the east
local BEGIN, TASKS = 3, { { done = 4, ended = { 5 } } }
local BEFORE = 4                        -- bytes before level 0 of a row, for a level -1
local FACE = -0.25

local vadvc = { formats = { "fp32", "fp16" }, rounds = 1, parameters = {} }

assert(weather.vadvc.beta_m == weather.vadvc.beta_p, "faces have one weight")

-- Rows of the system: the levels of a row, one row after the other, in one array.
local function pitch(kind, layers)
    return columns.pitch(kind, BEFORE // kind.bytes + layers + 1)
end

local function declare(pe, settings)
    local kind, layers = settings.kind, settings.layers
    local m = { pe = pe, kind = kind, layers = layers }
    local function array(name, count)
        return pe:array { name = name, type = kind.type, count = count, align = columns.line }
    end
    local function levels(base, first, count)
        return pe:mem1d_dsd { base = base, extent = count or layers, offset = first }
    end
    for _, name in ipairs(weather.vadvc.fields) do
        local base = array(name, layers)
        m[name] = levels(base)
        m[name .. "_low"], m[name .. "_high"] = levels(base, 0, layers - 1), levels(base, 1, layers - 1)
    end
    m.out_array = array("out", layers)
    m.out = levels(m.out_array)
    return m, array, levels
end

-- For the PEs that compute.
local function declare_system(m, array, levels)
    local kind, layers = m.kind, m.layers
    local before, step = BEFORE // kind.bytes, pitch(kind, layers)
    local system = array("system", thomas.rows(kind) * step)
    -- Faces 0 and `layers` have no wind and stay 0.
    m.faces = levels(system, before + 1, layers - 1)
    m.below, m.above = levels(system, before), levels(system, before + 1)
    m.diagonal, m.right = levels(system, before + step), levels(system, before + 2 * step)
    m.divided_above = thomas.is_paired(kind) and levels(system, before + 3 * step) or nil
    local moved = array("transports", layers + 1)
    m.transports, m.moved_below, m.moved_above = levels(moved, 1, layers - 1), levels(moved, 0), levels(moved, 1)
    m.corrections = levels(array("corrections", layers))
    m.solver = thomas.declare(m.pe, { kind = kind, layers = layers, system = system, first = before, pitch = step, out = m.out_array })
end

local function bytes_of(kind, layers)
    local line = columns.line // kind.bytes
    local numbers = (#weather.vadvc.fields + 2) * columns.pitch(kind, layers) + columns.pitch(kind, layers + 1)
        + thomas.rows(kind) * pitch(kind, layers)
    return (numbers + 2 * line) * kind.bytes + thomas.bytes(kind) + columns.variable_bytes
end

-- The part without wind: dtr upos + utens + utensstage, and differences of ustage.
local function emit_before(m)
    local pe, kind, dtr = m.pe, m.kind, weather.vadvc.dtr
    pe[kind.subtract](pe, m.transports, m.ustage_high, m.ustage_low)
    pe[kind.scale](pe, m.right, m.upos, dtr)
    pe[kind.add](pe, m.right, m.right, m.utens)
    pe[kind.add](pe, m.right, m.right, m.utensstage)
end

local function emit_after(m)
    local pe, kind, c = m.pe, m.kind, weather.vadvc
    pe[kind.scale](pe, m.faces, m.faces, FACE)
    pe[kind.scale](pe, m.faces, m.faces, c.beta_p)
    pe[kind.scale](pe, m.transports, m.faces, m.transports)
    pe[kind.add](pe, m.corrections, m.moved_below, m.moved_above)
    pe[kind.add](pe, m.right, m.right, m.corrections)
    pe[kind.subtract](pe, m.diagonal, c.dtr, m.below)
    pe[kind.add](pe, m.diagonal, m.diagonal, m.above)
    if m.divided_above then
        pe[kind.negate](pe, m.divided_above, m.above)
    end
    m.solver:emit()
    pe[kind.subtract](pe, m.out, m.out, m.upos)
    pe[kind.scale](pe, m.out, m.out, c.dtr)
end

-- The program of the PE (x, y); `computes`: it is not in the border.
local function program(pe, plan, settings, rounds, x, y, computes)
    local m, array, levels = declare(pe, settings)
    local kind, part, stage = m.kind, plan:attach(pe, x, y), { name = SENT }
    if computes then
        declare_system(m, array, levels)
        stage[1] = { kind.add, m.faces, m.wcon_high, part.from.east }
        stage.meanwhile = function() emit_before(m) end
        stage.after = function() emit_after(m) end
    else
        stage.after = function() pe[kind.move](pe, m.out, m.utensstage) end
    end
    if part.out then
        stage[#stage + 1] = { kind.move, part.out, m.wcon_high }
    end
    columns.emit_stages(pe, { begin = BEGIN, tasks = TASKS, stages = { stage }, rounds = rounds, is_counted = computes })
end

local function lay_out(layout, settings)
    local function is_inside(at, extent)
        return at >= BORDER and at < extent - BORDER
    end
    local function computes(x, y)
        return is_inside(x, layout.columns) and is_inside(y, layout.rows)
    end
    local plan = spread.plan(layout, {
        to = { "west" }, takes = computes, count = settings.layers - 1, type = settings.kind.type, colors = COLORS,
        output_queue = 0, input_queues = { east = 4 },
    })
    plan:configure(layout)
    classes.each(layout, { plan }, function(tiles, x, y)
        layout:set_tile_code(tiles, computes(x, y) and "interior" or "border", function(pe)
            program(pe, plan, settings, layout.iterations, x, y, computes(x, y))
        end)
    end)
end

-- vadvc.run(host, p): the script vadvc.lua on wafers.
function vadvc.run(host, p)
    local settings = { kind = columns.kinds[p.dtype], layers = p.nz }
    local fields = weather.vadvc_fields(host, p, "columns")
    columns.run(host, p, {
        kind = settings.kind, bytes = function(layers) return bytes_of(settings.kind, layers) end,
        lay_out = function(layout) lay_out(layout, settings) end,
        fields = fields, flop = weather.vadvc.flop,
        reference = function(format, given) return weather.vadvc_reference(p, given, format, "columns") end,
        -- In units of roundoff, to first order, for fields up to 1 and faces up to 0.025. The
        -- diagonal is at least 0.1 and loses 0.5; less ccol acol, 0.09 and 0.74; so one over it
        -- is at most 11.1 and loses 9.2 of itself. ccol is at most 0.28 and loses 3.1. The
        -- right side is at most 2.25 and loses 6.2; dcol, at most 34.6, loses d = 11.1 (11 +
        -- 0.025 d) + 34.6 * 10.2 = 660. data, at most 48, loses e = d + 0.28 e + 48 * 3.1 + 48
        -- + 13 = 1210; the result, at most 7.4, loses 0.15 (e + 49) + 2 * 7.4.
        bound = 204,
    })
end

return vadvc
