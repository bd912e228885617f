-- The acoustic wave equation, 8th order in space and 2nd in time, for both kinds of chips: a
-- step is u_new = Q u - u_old, Q being 2 and the Laplacian times (dt V / h)^2. A source adds
-- a pulse to one cell.

local wave = {
    reach = 4,
    second = { [0] = -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560 },     -- the second derivative's weights, by distance
    factor = 0.1,       -- (dt V / h)^2; waves stay bounded up to 0.205
    flop = 51,          -- of a cell: 25 products and sums, and a difference
    pulse = 17,         -- steps that the source is on for
}

-- wave.ricker(): what the source adds in steps 0, 1, ...: a Ricker wavelet.
function wave.ricker()
    local samples = {}
    for i = 1, wave.pulse do
        local a = (math.pi * (i - (wave.pulse + 1) / 2) / 8) ^ 2
        samples[i] = (1 - 2 * a) * math.exp(-a)
    end
    return samples
end

return wave
