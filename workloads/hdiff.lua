-- Horizontal diffusion, a compound stencil: Laplacians, fluxes between neighbours, then inflow
-- and outflow. Planes are independent. lib/NAME/hdiff.lua has the part of each machine.

local weather = require("weather")

return weather.declaration {
    summary = "horizontal diffusion of a weather model: Laplacian, limited fluxes, output",
    sides = { nero = require("nero/hdiff"), tensix = require("cores/hdiff"), wse = require("wafer/hdiff") },
    least_nz = 1,
    parameters = {
        { name = "limiter", type = "switch", default = true, help = "fluxes up a gradient are 0" },
    },
}
