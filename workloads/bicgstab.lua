-- Stabilized biconjugate gradients on a wafer: one implicit time step of diffusion and
-- convection on a 3D grid, scaled to a diagonal of 1. Rocki et al. 2020, "Fast stencil-code
-- computation on a wafer-scale processor", solve the same system.

local bicgstab = require("wafer/bicgstab")
local workload = require("wafer/solve")

-- For the neighbours down, up, west, east, north, south.
local function coefficients_of(p)
    local list = {}
    for _, wind in ipairs { p.wind_z, p.wind_x, p.wind_y } do
        list[#list + 1] = -(1 + wind) / (6 * (1 + p.dominance))
        list[#list + 1] = -(1 - wind) / (6 * (1 + p.dominance))
    end
    return list
end

local function wind(name, default, towards)
    return { name = name, type = "number", default = default, min = -1, max = 1,
        help = "convection over diffusion of a cell, u h / (2 D), towards " .. towards }
end

local parameters = workload.parameters("mixed")
for _, parameter in ipairs {
    { name = "norms", type = "switch", default = true, help = "r.r in every iteration, a fifth dot product; off: 4 as published" },
    { name = "dominance", type = "number", default = 0.25, min = 0, max = 1000,
      help = "h^2 / (6 D dt): by how much the diagonal is above its neighbours, from a step in time; 0: none" },
    wind("wind_x", 0.5, "east"), wind("wind_y", 0.25, "south"), wind("wind_z", 0.125, "higher cells"),
} do
    parameters[#parameters + 1] = parameter
end

return {
    summary = "stabilized biconjugate gradients on a 3D grid: columns of cells in PEs",
    chips = { "wse" },
    parameters = parameters,
    inputs = workload.inputs,
    outputs = workload.outputs,
    run = function(host, p)
        if p.tolerance > 0 and not p.norms then
            host.refuse(("tolerance = %g, norms = off: without norms there is nothing to stop by"):format(p.tolerance))
        end
        local coefficients = coefficients_of(p)
        host.metric("coefficients", coefficients)
        workload.run(host, p, bicgstab, coefficients)
    end,
}
