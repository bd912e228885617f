-- The acoustic wave equation on cores with tiles: a 25-point stencil, FP32 on the SFPU or BF16
-- on the FPU. cores/stencil.lua has the kernels.

local core_grid = require("cores/grid")
local field = require("field")
local grid_field = require("cores/grid_field")
local report = require("cores/stencil_report")
local run = require("cores/stencil_run")
local wave = require("wave25")

local ROUNDED_TWICE = 0x1p-23   -- of the largest number, in single precision

local cores25 = {}

-- A sum along y, and groups along x and z.
local function stencil(factor)
    local along_y, groups = {}, { { weight = 2 + 3 * factor * wave.second[0], at = { { 0, 0 } } } }
    for d = 1, wave.reach do
        local weight = factor * wave.second[d]
        along_y[d] = { weight = weight, at = { -d, d } }
        groups[d + 1] = { weight = weight, at = { { -d, 0 }, { d, 0 }, { 0, -d }, { 0, d } } }
    end
    return { reach = wave.reach, sums = { { at = { 0 }, groups = along_y } }, groups = groups, has_before = true }
end

-- Checks that the stencil is that of the wave equation: both in double precision, stored in
-- single.
local function check_stencil(host, plan, problem)
    local levels = {}
    for i, level in ipairs { problem.present, problem.before } do
        levels[i] = run.exact(plan, { steps = 0, present = level, before = level })
    end
    local exact, largest = levels[1]:wave {
        before = levels[2], columns = plan.size.nx, rows = plan.size.ny, layers = plan.size.nz, steps = problem.steps,
        factor = problem.factor, directions = "ewns", arithmetic = "double", source = problem.source,
    }
    host.check {
        error = run.exact(plan, problem):error("fp32", exact), tolerance = ROUNDED_TWICE * largest,
        reference = "the wave equation by finite differences, both in double precision",
    }
    host.metric("largest", largest)
end

-- The first two levels: the user's, noise or zeros.
local function levels_of(host, plan, p)
    local levels = { wave.levels(host, p, plan.size, plan.format) }
    for i = 1, 2 do
        levels[i] = levels[i] and grid_field.fold(host, plan.size, plan.format, levels[i])
            or p.start == "noise" and run.noise(host, plan, i) or run.zeros(host, plan)
    end
    return levels
end

-- Runs the script stencil25.lua.
function cores25.run(host, p)
    local size = core_grid.size(host, p)
    local factor = wave.factor(host, p)
        or host.refuse("velocity: cores take one number for all cells; wafers take an expression or a file, too")
    local plan = run.place(host, size, stencil(factor), p.dtype)
    local levels = levels_of(host, plan, p)
    local problem = { steps = p.steps, present = levels[1], before = levels[2], factor = factor, source = wave.source(host, p, size) }
    if host.is_functional then
        check_stencil(host, plan, problem)
    end
    local done = run.steps(host, plan, p, problem)
    field.save(host, "u", size, plan.format, function() return grid_field.unfold(host, size, plan.format, done.result) end)
    report(host, plan, done, wave.flop)
    core_grid.tell(p, size)
end

return cores25
