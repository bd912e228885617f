-- Figure 10 of Jacquelin et al. 2022, arXiv:2204.03775: power of a wafer over time, at rest, during
-- 10,000,000 steps of the 25-point stencil, and at rest again. Writes figure10.csv and figure10.svg,
-- with what is published of the figure: power at rest, its mean and peak, and how long it took.
--     gridloom run workloads/experiments/figure10_power.lua --timing-only --out DIR
-- Some steps are simulated; those of the long run are like the last of them. Steps are far shorter
-- than the 3.5 s between two samples, so that each sample is a mean over many. Power at rest and
-- energy of a busy cycle are the chip's numbers, the latter fitted to the published mean; the time
-- is predicted. Temperatures of the coolant are not simulated.

local acoustic = require("wafer/acoustic25")

local KILO, PICO = 1e3, 1e-12
local SAMPLING = 3.5            -- seconds
local REST = 70                 -- seconds before and after
local PUBLISHED = { idle = 16.1, mean = 22.8, peak = 22.9, seconds = 754 }

-- Cycles of a step, and the part of them in which PEs are busy, in the steps after the first.
local function simulate(host, p)
    local settings = {
        layers = p.nz, block = math.min(p.block, p.nz), directions = acoustic.directions("ewns"), factor = 0.1,
        has_idle_corners = true,
    }
    local ends, busy = {}, {}
    for i, steps in ipairs { 1, p.steps } do
        local wafer = host.wafer {
            columns = p.nx, rows = p.ny, iterations = steps,
            period = { acoustic.period, acoustic.period }, slice = { 25, 25 },
            layout = function(layout) acoustic.lay_out(layout, settings) end,
        }
        wafer:launch()
        local profile, iterations = wafer:profile(), wafer:iterations()
        ends[i], busy[i] = iterations[#iterations].mean, profile.busy * profile.cycles
        host.progress(i / 2)
    end
    local cycles = (ends[2] - ends[1]) / (p.steps - 1)
    return cycles, (busy[2] - busy[1]) / (p.steps - 1) / cycles
end

-- Points of power at rest, for some time, and at rest.
local function course(seconds, idle, working)
    local points = {}
    for i = 0, math.floor((seconds + 2 * REST) / SAMPLING) do
        local at = i * SAMPLING - REST
        points[#points + 1] = { at, (at >= 0 and at < seconds) and working or idle }
    end
    return points
end

return {
    summary = "figure 10 of arXiv:2204.03775: power of a wafer over time",
    chips = { "wse" },
    parameters = {
        { name = "nx", type = "integer", default = 755, min = 3, max = 100000, help = "columns of PEs" },
        { name = "ny", type = "integer", default = 994, min = 3, max = 100000, help = "rows of PEs" },
        { name = "nz", type = "integer", default = 1000, min = 1, max = 32766, help = "cells of a PE" },
        { name = "block", type = "integer", default = 334, min = 1, max = 32766, help = "cells that are sent at once" },
        { name = "steps", type = "integer", default = 2, min = 2, max = 1000, help = "time steps that are simulated" },
        { name = "run_steps", type = "integer", default = 10000000, min = 1, max = 1000000000, help = "time steps of the long run" },
    },
    run = function(host, p)
        local clock, idle = host.number("chip.clock_hz") + 0.0, host.number("power.idle_watts") / KILO
        local cycles, busy = simulate(host, p)
        local seconds = p.run_steps * cycles / clock
        local working = idle + p.nx * p.ny * busy * clock * host.number("power.busy_picojoules_per_cycle") * PICO / KILO
        local simulated = course(seconds, idle, working)
        local rows = {}
        for i, point in ipairs(simulated) do
            rows[i] = { ("%.1f"):format(point[1]), ("%.3f"):format(point[2]) }
        end
        host.table { name = "figure10", rows = rows, columns = { "seconds", "kW" } }
        host.plot {
            name = "figure10", title = ("25-point stencil, %d x %d x %d, %d steps: power"):format(p.nx, p.ny, p.nz, p.run_steps),
            x = "seconds", y = "kW",
            series = {
                { name = "simulated", points = simulated },
                { name = "published mean", points = course(PUBLISHED.seconds, PUBLISHED.idle, PUBLISHED.mean) },
                { name = "published peak", style = "points", points = { { PUBLISHED.seconds / 2, PUBLISHED.peak } } },
            },
        }
        host.metric("idle_kilowatts", idle)
        host.metric("run_kilowatts", working)
        host.metric("run_seconds", seconds)
        host.metric("run_megajoules", working * seconds / KILO)
        print(("%.1f kW at rest, published 16.1; %.2f kW for %.0f s, published 22.8 (at most 22.9) for 754 s"):format(idle, working, seconds))
    end,
}
