-- The largest distance between a result of cores/vadvc_kernels.lua and that of real numbers:
-- the kernel again, with the largest magnitude and the largest error in place of each number.

local weather = require("weather")

local SINGLE = 0x1p-24          -- relative error of an operation on the SFPU
local IN_DST = 0x1p-20          -- of a product that the FPU adds up in parts; generous
local NEIGHBOUR = 3             -- a reciprocal is right to the last place or its neighbour; in halves of a last place

-- bound(format, levels): the largest error of a result.
return function(format, levels)
    local stored = format == "fp32" and 0 or 0x1p-8     -- from rounding when a number leaves Dst
    local operation = format == "fp32" and SINGLE or IN_DST

    local function number(most, error)
        return { most = most, error = error or 0 }
    end
    local function rounded(most, error, by)
        return number(most, error + by * (most + error))
    end
    local function sum(a, b)
        return rounded(a.most + b.most, a.error + b.error, operation)
    end
    local function product(a, b)
        return rounded(a.most * b.most, a.most * b.error + b.most * a.error + a.error * b.error, operation)
    end
    local function store(a)
        return rounded(a.most, a.error, stored)
    end

    local constants = math.max(SINGLE, stored)
    local dtr = rounded(weather.vadvc.dtr, 0, constants)
    local wind, one = number(weather.vadvc.largest_wind), number(1)
    local share = number(0.25 * weather.vadvc.beta_p)
    local g = store(product(sum(wind, wind), share))
    local f = store(product(g, sum(one, one)))
    local right = sum(sum(sum(product(dtr, one), one), one), sum(f, f))
    local ccol, dcol, data = number(0), number(0), number(0)
    for _ = 1, levels do
        local below = product(ccol, g)
        local divisor = sum(sum(sum(dtr, g), g), below)
        local least = weather.vadvc.dtr - 2 * g.most - below.most
        local inverse = number(1 / least, divisor.error / (least * (least - divisor.error)) + NEIGHBOUR * SINGLE / least)
        ccol, dcol = store(product(g, inverse)), store(product(sum(right, product(dcol, g)), inverse))
    end
    for _ = 1, levels do
        data = store(sum(dcol, product(ccol, data)))
    end
    local result = store(product(dtr, sum(data, one)))
    return result.error + SINGLE * result.most          -- the reference is stored in fp32
end
