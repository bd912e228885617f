-- Horizontal diffusion: a compound stencil, Laplacians, fluxes between neighbours, and what
-- flows in and out; planes are on their own. lib/NAME/hdiff.lua has what each machine does.

local weather = require("weather")

return weather.declaration {
    summary = "horizontal diffusion of a weather model: Laplacian, limited fluxes, output",
    sides = { nero = require("nero/hdiff"), tensix = require("cores/hdiff"), wse = require("wafer/hdiff") },
    least_nz = 1,
    parameters = {
        { name = "limiter", type = "switch", default = true, help = "fluxes up a gradient are 0" },
    },
}
