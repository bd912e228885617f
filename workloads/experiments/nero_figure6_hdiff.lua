-- Figures 6 (b) and 7 (b) of NERO: horizontal diffusion over processing elements.
--     gridloom sweep workloads/experiments/nero_figure6_hdiff.lua --out DIR

return require("nero_scaling") {
    name = "hdiff", flop = 42, most = 16,
    gflops = { power9 = 58.5, hbm = 485.4, ddr4 = 145.8 },
    power9_watts = 97.9,
    efficiencies = { { name = "HBM, 16 PEs, published", y = 17.3 } },
}
