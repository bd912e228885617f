-- The acoustic wave equation, 8th order in space and 2nd in time, for both kinds of chips. A
-- step is u_new = Q u - u_old, where Q is 2 plus (dt V / h)^2 times the Laplacian. A source
-- adds a wavelet to one cell.

local expression = require("expression")
local field = require("field")

local wave = {
    reach = 4,
    second = { [0] = -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560 },     -- weights of the second derivative, by distance
    flop = 51,          -- per cell: 25 products and sums, and a difference
}

local STABLE = 0.205            -- the most that (dt V / h)^2 may be for waves that stay bounded
local MOST_SAMPLES = 10000      -- of a source
local LARGEST = 0x1.fffffep127  -- number of fp32
local WAVELETS, VELOCITIES = { "ricker" }, { "a number" }

wave.starts = { "noise", "zero" }

-- Parameters of the equation and of its source.
wave.parameters = {
    { name = "source", type = "switch", default = true, help = "a source, which adds a wavelet to one cell" },
    { name = "source_at", type = "text", default = "centre", help = "the source's cell: centre, or i,j,k, from 0 on" },
    { name = "wavelet", type = "text", default = WAVELETS[1],
      help = "what the source adds in step t: ricker, or an expression of t (from 0), such as sin(t/3)" },
    { name = "frequency", type = "number", default = 0.125, min = 0.0002, max = 0.5, help = "of the Ricker wavelet, in periods a step" },
    { name = "source_steps", type = "integer", default = 0, min = 0, max = MOST_SAMPLES,
      help = "steps with the source on; 0: two periods of the frequency and one more" },
    { name = "velocity", type = "text", default = "1",
      help = "of waves: a number or, on wafers, an expression of x, y, z (0..1) or i, j, k (from 0)" },
    { name = "time_step", type = "number", default = math.sqrt(0.1), min = 1e-12, max = 1e12, help = "time between two steps" },
    { name = "spacing", type = "number", default = 1, min = 1e-12, max = 1e12, help = "way between two cells" },
    field.parameter("start", wave.starts, "what the cells hold at first, and a step before"),
}

wave.inputs = {
    { name = "start", help = "what the cells hold at first, of shape (nx, ny, nz)" },
    { name = "before", help = "what they held a step before; without it the same as start" },
    { name = "velocity", help = "of waves in each cell, of shape (nx, ny, nz); wafers only" },
    { name = "wavelet", help = "what the source adds, a number for each step" },
}

-- The source's cell.
local function place_of(host, p, size)
    if p.source_at == "centre" then
        return { x = size.nx // 2, y = size.ny // 2, z = size.nz // 2 }
    end
    local x, y, z = p.source_at:match("^(%d+),(%d+),(%d+)$")
    local at = { x = math.tointeger(x), y = math.tointeger(y), z = math.tointeger(z) }
    if not x or not at.x or at.x >= size.nx or not at.y or at.y >= size.ny or not at.z or at.z >= size.nz then
        host.refuse(("source_at=%s, expected centre or i,j,k below %d,%d,%d"):format(p.source_at, size.nx, size.ny, size.nz))
    end
    return at
end

-- A Ricker wavelet: its largest number comes after a period.
local function ricker(frequency, count)
    local samples = {}
    for i = 1, count do
        local a = (math.pi * ((i - 1) * frequency - 1)) ^ 2
        samples[i] = (1 - 2 * a) * math.exp(-a)
    end
    return samples
end

-- The numbers of a file.
local function samples_of_file(host, p)
    local numbers, shape = host.load("wavelet", { format = "fp32" })
    if not numbers then
        return nil
    end
    for _, name in ipairs { "wavelet", "frequency", "source_steps" } do
        if host.is_given(name) then
            host.refuse(("%s=%s and --in wavelet: give one of them"):format(name, p[name]))
        end
    end
    if #shape ~= 1 or shape[1] > MOST_SAMPLES then
        host.refuse(("--in wavelet: the array has %d dimensions and %d numbers, expected one dimension and at most %d"):format(#shape,
            #numbers // 4, MOST_SAMPLES))
    end
    local samples = {}
    for i = 1, shape[1] do
        samples[i] = host.is_functional and numbers:get("fp32", i - 1) or 0
    end
    p.wavelet = "file"
    return samples
end

local function samples_of_expression(host, p, count)
    local f = expression.compile(host, { name = "wavelet", text = p.wavelet, words = WAVELETS, axes = { "t" } })
    local samples = {}
    for i = 1, count do
        samples[i] = f(i - 1)
        if not expression.is_number(samples[i], LARGEST) then
            host.refuse(("wavelet=%s: the value of step %d is %s, expected a number that fp32 has"):format(p.wavelet, i - 1,
                tostring(samples[i])))
        end
    end
    return samples
end

-- wave.source(host, p, size): the source's cell x, y, z and its samples, which are added in steps
-- 0, 1, ...; nil without a source.
function wave.source(host, p, size)
    if not p.source then
        return nil
    end
    local source = place_of(host, p, size)
    local count = p.source_steps > 0 and p.source_steps or 2 * math.floor(1 / p.frequency + 0.5) + 1
    source.samples = samples_of_file(host, p)
        or p.wavelet ~= WAVELETS[1] and samples_of_expression(host, p, count) or ricker(p.frequency, count)
    return source
end

-- (dt V / h)^2 of a velocity, a number or an array.
local function factor_of(p, velocity)
    return (p.time_step * velocity / p.spacing) ^ 2
end

local function tell_unstable(factor)
    if factor > STABLE then
        print(("time_step times velocity over spacing: %g, squared %g; above %g waves grow without bounds"):format(math.sqrt(factor), factor,
            STABLE))
    end
end

-- wave.factor(host, p): (dt V / h)^2 where the velocity is one number; nil where it is a field.
function wave.factor(host, p)
    local velocity = tonumber(p.velocity)
    if host.wants("velocity") or not velocity then
        return nil
    end
    local factor = factor_of(p, velocity)
    if not (factor > 0 and factor <= LARGEST) then
        host.refuse(("velocity=%s: expected a number other than 0 that, times time_step over spacing, squared, fp32 has"):format(p.velocity))
    end
    tell_unstable(factor)
    return factor
end

-- wave.factors(host, p, size): the field (lib/field.lua) of (dt V / h)^2 in fp32, where the velocity
-- is a field; nil where it is one number.
function wave.factors(host, p, size)
    if tonumber(p.velocity) and not host.wants("velocity") then
        return nil
    end
    local velocity = field.given(host, p, "velocity", size, "fp32", VELOCITIES):numbers("fp32"):as("double")
    local factors = factor_of(p, velocity)
    local most = factors:max()
    if not (most <= LARGEST) then
        host.refuse(("velocity: %g is too much for this time_step"):format(velocity:abs():max()))
    end
    tell_unstable(most)
    return factors:buffer("fp32")
end

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
