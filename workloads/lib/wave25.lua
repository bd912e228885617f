-- The acoustic wave equation, 8th order in space and 2nd in time, for both kinds of chips. A
-- step is u_new = Q u - u_old, where Q is 2 plus (dt V / h)^2 times the Laplacian. A source
-- adds a pulse to one cell.

local field = require("field")

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

wave.starts = { "noise", "zero" }

-- wave.levels(host, p, size, format): the fields (lib/field.lua) that the user gave for the first
-- two levels, or nil if p.start is a word. Without a level before, the wave is at rest.
function wave.levels(host, p, size, format)
    local now = field.given(host, p, "start", size, format, wave.starts)
    local before = host.load("before", { format = format, shape = { size.nx, size.ny, size.nz } })
    if before and not now then
        host.refuse(("start=%s, --in before: give what the cells hold at first, too, by --in start or an expression"):format(p.start))
    end
    return now, before or now
end

return wave
