-- The acoustic wave equation, 8th order in space and 2nd in time, for both kinds of chips. A
-- step is u_new = Q u - u_old, where Q is 2 plus (dt V / h)^2 times the Laplacian. A source
-- adds a pulse to one cell.

local wave = {
    reach = 4,
    second = { [0] = -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560 },     -- weights of the second derivative, by distance
    factor = 0.1,       -- (dt V / h)^2; waves stay bounded up to 0.205
    flop = 51,          -- per cell: 25 products and sums, and a difference
    pulse = 17,         -- steps in which the source is on
}

-- wave.ricker(): the source's amounts in steps 0, 1, ...: a Ricker wavelet.
function wave.ricker()
    local samples = {}
    for i = 1, wave.pulse do
        local a = (math.pi * (i - (wave.pulse + 1) / 2) / 8) ^ 2
        samples[i] = (1 - 2 * a) * math.exp(-a)
    end
    return samples
end

return wave
