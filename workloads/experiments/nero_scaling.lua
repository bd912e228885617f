-- The sweep of Figures 6 and 7 of NERO (Singh et al., FPL 2020) for one of its kernels, in
-- single precision: time of a pass and GFLOP/s per watt against the number of processing
-- elements, on the board with HBM and on the one with DDR4. Lines across are the printed
-- values; GFLOP/s become the time of `flop` operations per computed point.
-- nero_figure6_hdiff.lua and nero_figure6_vadvc.lua are the sweeps.

local POINTS = 252 * 252 * 64
local POWER9 = "POWER9, 64 threads, published"

-- kernel: its name, flop per point, and most PEs with HBM. published: gflops of power9, hbm and
-- ddr4, watts of power9, and efficiencies, the levels of GFLOP/s per watt.
return function(kernel)
    local most = { nero_ad9h7 = kernel.most, nero_ad9v3 = 4 }
    local published = kernel.gflops

    local function time_at(gflops)
        return POINTS * kernel.flop / (1e9 * gflops)
    end

    local function titled(what)
        return ("%s, FP32, 256 x 256 x 64: %s"):format(kernel.name, what)
    end

    local efficiencies = { { name = POWER9, y = published.power9 / kernel.power9_watts } }
    table.move(kernel.efficiencies, 1, #kernel.efficiencies, 2, efficiencies)
    return {
        summary = kernel.name .. " on FPGA boards over processing elements: HBM (9H7), DDR4 (9V3)",
        script = kernel.name,
        fixed = { dtype = "fp32" },
        axes = {
            { name = "chip", values = { "nero_ad9h7", "nero_ad9v3" } },
            { name = "pes", values = { 1, 2, 3, 4, 6, 8, 10, 12, 14, 16 } },
        },
        where = function(p) return p.pes <= most[p.chip] end,
        timing_only = true,
        record = {
            pass_seconds = "metrics.points*metrics.flops_per_point/(1e9*metrics.gflops)",
            gflops = "metrics.gflops",
            gflops_per_watt = "metrics.gflops_per_watt",
            watts = "metrics.watts",
            memory_bytes_per_second = "metrics.memory_bytes_per_second",
        },
        plots = {
            {
                x = "pes", by = "chip", y = "pass_seconds", log_y = true, title = titled("time of a pass"),
                levels = {
                    { name = POWER9, y = time_at(published.power9) },
                    { name = ("HBM, %d PEs, published"):format(kernel.most), y = time_at(published.hbm) },
                    { name = "DDR4, 4 PEs, published", y = time_at(published.ddr4) },
                },
            },
            {
                x = "pes", by = "chip", y = "gflops_per_watt", title = titled("GFLOP/s for each watt"),
                levels = efficiencies,
            },
        },
    }
end
