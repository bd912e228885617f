-- Figure 3 of arXiv:2603.23343: BF16 vector addition on one core under the roofs of its
-- data path, on the FPU and on the SFPU. Writes figure3.csv and figure3.svg:
--     gridloom run workloads/experiments/figure3_roofline.lua --out DIR

local addition = require("cores/vector_addition")

-- The roofs as the paper draws them: the units' peaks for 16-bit addition (section 4), the
-- bandwidth of packers and unpackers, which the chip file has too, and the bandwidth of copies
-- to Dst. Intensities are the paper's, in FLOP per byte moved.
local FPU = { name = "FPU", unit = "fpu", peak = 128, intensity = 1 / 6 }
local SFPU = { name = "SFPU", unit = "sfpu", peak = 32, intensity = 1 / 16, bandwidth = 32 }
local SLOWDOWN = 6                              -- SFPU over FPU, published as "around 6"
local LOWEST, HIGHEST = 0.01, 10                -- intensities shown

local function attainable(unit, intensity)
    return math.min(unit.peak, intensity * unit.bandwidth)
end

local function roof(unit, name)
    local points = {}
    for _, intensity in ipairs { LOWEST, unit.peak / unit.bandwidth, HIGHEST } do
        points[#points + 1] = { intensity, attainable(unit, intensity) }
    end
    return { name = name, style = "line", points = points }
end

return {
    summary = "figure 3 of arXiv:2603.23343: vector addition on the roofline of one core",
    chips = { "tensix" },
    parameters = {
        { name = "tiles", type = "integer", default = 256, min = 1, max = 256, help = "tiles of 1024 numbers" },
    },
    kernels = addition.kernels,
    run = function(host, p)
        FPU.bandwidth = host.number("unpack.l1_bytes_per_cycle")
        local settings = { tiles = p.tiles, dtype = "bf16", rows = 1, cols = 1, reinit = true, unroll = true, arithmetic = p.arithmetic }
        local series = {
            roof(FPU, ("FPU: %d FLOP/cycle, %d B/cycle"):format(FPU.peak, FPU.bandwidth)),
            roof(SFPU, ("SFPU: %d FLOP/cycle, %d B/cycle"):format(SFPU.peak, SFPU.bandwidth)),
        }
        local near_peak = attainable(FPU, FPU.intensity)
        series[3] = { name = "published, approximately", style = "points",
            points = { { FPU.intensity, near_peak }, { SFPU.intensity, near_peak / SLOWDOWN } } }
        local rows, cycles_of = {}, {}
        for _, from in ipairs { "l1", "dram" } do
            for _, unit in ipairs { FPU, SFPU } do
                local cycles, rate = addition.add(host, settings, unit.unit, from)
                local limit = attainable(unit, unit.intensity)
                cycles_of[unit.unit .. from] = cycles
                rows[#rows + 1] = { unit.name, from, ("%.4f"):format(unit.intensity), ("%.3f"):format(rate),
                    ("%.3f"):format(limit), ("%.3f"):format(rate / limit), ("%.1f"):format(cycles / p.tiles) }
                series[#series + 1] = { name = ("%s, from %s"):format(unit.name, from == "l1" and "L1" or "DRAM"),
                    style = "points", points = { { unit.intensity, rate } } }
            end
            host.metric("sfpu_over_fpu_from_" .. from, cycles_of["sfpu" .. from] / cycles_of["fpu" .. from])
        end
        host.table {
            name = "figure3",
            columns = { "unit", "from", "FLOP/B", "FLOP/cycle", "attainable", "fraction", "cycles/tile" },
            rows = rows,
        }
        host.plot {
            name = "figure3", title = ("BF16 vector addition on one core, %d tiles"):format(p.tiles),
            x = "arithmetic intensity (FLOP per byte)", y = "FLOP per cycle",
            log_x = true, log_y = true, series = series,
        }
    end,
}
