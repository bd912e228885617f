-- Vertical advection: each column is a tridiagonal system, solved upwards and then downwards
-- (Thomas algorithm). lib/NAME/vadvc.lua has the part of each machine.

local weather = require("weather")

return weather.declaration {
    summary = "vertical advection of a weather model: a tridiagonal system in every column",
    sides = { nero = require("nero/vadvc"), tensix = require("cores/vadvc"), wse = require("wafer/vadvc") },
    least_nz = 2,
    parameters = {},
}
