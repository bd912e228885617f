-- Figures 6 (a) and 7 (a) of NERO: vertical advection over processing elements. The paper's
-- energy numbers contradict each other: 1.5 GFLOP/s per watt, and 22 times less energy than the
-- POWER9. The picture shows both.
--     gridloom sweep workloads/experiments/nero_figure6_vadvc.lua --out DIR

return require("nero_scaling") {
    name = "vadvc", flop = 30, most = 14,
    gflops = { power9 = 29.1, hbm = 120.7, ddr4 = 34.1 },
    power9_watts = 99.2,
    efficiencies = {
        { name = "HBM, 14 PEs, published", y = 1.5 },
        { name = "HBM, 14 PEs, published as 22x", y = 22 * 29.1 / 99.2 },
    },
}
