-- Vertical advection on FPGA boards: a sweep upwards, a sweep downwards, and a buffer for two
-- fields between them.

local grid = require("nero/grid")
local weather = require("weather")

local vadvc = { formats = grid.formats, rounds = grid.rounds, parameters = grid.parameters }

-- The published window (Singh et al. 2020); it has all planes.
local PUBLISHED = { pes = 14, windows = { fp32 = { 64, 2 }, fp16 = { 32, 16 } } }

-- Right sides are up to 2.2, diagonals 0.1 to 0.2, solutions 22. In roundoffs: 80 for a right
-- side over its diagonal, 80 for the diagonal, 40 for the product. A quarter of that goes on to
-- the next level, up and then down, which makes it 1.8 times as much; times dtr, plus the
-- difference.
local ROUNDOFFS = 72

-- Eliminates the entries below the diagonal. The wind is 0 at level 0, and fields are 0 outside
-- the grid, so the first and the last level need no special case.
local function forward(d)
    local c = weather.vadvc
    local wcon, ustage = d.field("wcon"), d.field("ustage")
    local upos, utens, utensstage = d.field("upos")(0, 0, 0), d.field("utens")(0, 0, 0), d.field("utensstage")(0, 0, 0)
    local ccol_below, dcol_below = d.carry(), d.carry()
    local gav = -0.25 * (wcon(1, 0, 0) + wcon(0, 0, 0))
    local gcv = 0.25 * (wcon(1, 0, 1) + wcon(0, 0, 1))
    local as, cs = gav * c.beta_m, gcv * c.beta_m
    local acol, ccol = gav * c.beta_p, gcv * c.beta_p
    local bcol = (c.dtr - acol) - ccol
    local correction = as * (ustage(0, 0, 0) - ustage(0, 0, -1)) - cs * (ustage(0, 0, 1) - ustage(0, 0, 0))
    local dcol = ((c.dtr * upos + utens) + utensstage) + correction
    local divided = 1 / (bcol - ccol_below * acol)
    ccol, dcol = ccol * divided, (dcol - dcol_below * acol) * divided
    d.close(ccol_below, ccol)
    d.close(dcol_below, dcol)
    return { ccol, dcol }
end

local function backward(d)
    local above = d.carry()
    local data = d.result("dcol") - d.result("ccol") * above
    d.close(above, data)
    return { weather.vadvc.dtr * (data - d.field("upos")(0, 0, 0)) }
end

-- The kernel for grid.board(). Here one datapath is for all levels. The reference code has one for
-- the lowest, the inner and the highest level each, and so, its authors say of their large amount
-- of control flow, has their accelerator: `branches` lays operators out that often.
function vadvc.design()
    return {
        name = "vadvc", published = PUBLISHED, fields = weather.vadvc.fields, next = #weather.vadvc.fields,
        sweeps = {
            { name = "forward", direction = "up", results = { "ccol", "dcol" }, body = forward, branches = 3 },
            { name = "backward", direction = "down", results = { "out" }, body = backward, branches = 2 },
        },
    }
end

function vadvc.run(host, p)
    if p.window_z ~= 0 and p.window_z ~= p.nz then
        host.refuse(("window_z = %d, expected %d (nz): sweeps go through whole columns"):format(p.window_z, p.nz))
    end
    local fields, kernel = nil, vadvc.design()
    kernel.flop, kernel.roundoffs = weather.vadvc.flop, ROUNDOFFS
    kernel.make = function()
        local inputs = {}
        fields = weather.vadvc_fields(host, p)
        for i, name in ipairs(weather.vadvc.fields) do
            inputs[i] = fields[name]
        end
        return inputs, fields.utensstage
    end
    kernel.reference = function(format, steps)
        local now = {}
        for name, field in pairs(fields) do
            now[name] = field
        end
        for _ = 1, steps do
            now.utensstage = weather.vadvc_reference(p, now, format)
        end
        return now.utensstage
    end
    kernel.exact = function()
        local wide = {}
        for name, field in pairs(fields) do
            wide[name] = field:converted(p.dtype, "fp32")
        end
        return weather.vadvc_reference(p, wide, "double")
    end
    grid.run(host, p, kernel)
end

return vadvc
