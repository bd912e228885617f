-- Horizontal diffusion on FPGA boards: one sweep, Laplacians and fluxes in line buffers.

local grid = require("nero/grid")
local weather = require("weather")

local hdiff = { formats = grid.formats, rounds = grid.rounds, parameters = grid.parameters }

-- The published window (Singh et al. 2020).
local PUBLISHED = { pes = 16, windows = { fp32 = { 16, 64, 8 }, fp16 = { 64, 8, 64 } } }

-- Numbers are up to 1, Laplacians 8, fluxes 16. In roundoffs: 4 + 4 + 4 for a Laplacian, 32 for
-- a flux, 150 for the sum of four; times the coefficient, plus 1 for the result. Where the
-- limiter decides otherwise than in double precision, the flux is as small as its error.
local ROUNDOFFS = 9

-- The sweep; a flux goes from a point to the next one.
local function diffuse(is_limited)
    return function(d)
        local u = d.field("u")
        local lap = d.stage(4 * u(0, 0, 0) - ((u(1, 0, 0) + u(-1, 0, 0)) + (u(0, 1, 0) + u(0, -1, 0))))
        local function flux(dx, dy)
            local flow = lap(dx, dy) - lap(0, 0)
            return d.stage(is_limited and d.select(flow * (u(dx, dy, 0) - u(0, 0, 0)), 0, flow) or flow)
        end
        local fx, fy = flux(1, 0), flux(0, 1)
        return { u(0, 0, 0) - weather.hdiff.coefficient * ((fx(0, 0) - fx(-1, 0)) + (fy(0, 0) - fy(0, -1))) }
    end
end

-- The kernel for grid.board().
function hdiff.design(p)
    return {
        name = "hdiff", published = PUBLISHED, fields = { "u" }, next = 1,
        sweeps = { { name = "forward", direction = "up", results = { "out" }, body = diffuse(p.limiter) } },
    }
end

function hdiff.run(host, p)
    local u, kernel = nil, hdiff.design(p)
    kernel.flop, kernel.roundoffs = weather.hdiff_flop(p), ROUNDOFFS
    kernel.make = function()
        u = weather.hdiff_field(host, p)
        return { u }, u
    end
    kernel.reference = function(format, steps)
        local now = u
        for _ = 1, steps do
            now = weather.hdiff_reference(p, now, format)
        end
        return now
    end
    kernel.exact = function() return weather.hdiff_reference(p, u:converted(p.dtype, "fp32"), "double") end
    grid.run(host, p, kernel)
end

return hdiff
