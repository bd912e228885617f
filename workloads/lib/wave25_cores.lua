-- The acoustic wave equation on cores with tiles: a 25-point stencil, FP32 on the SFPU or
-- BF16 on the FPU. core_stencil.lua has what cores do.

local core_grid = require("core_grid")
local report = require("core_stencil_report")
local run = require("core_stencil_run")
local wave = require("wave25")

local cores25 = {}

-- A sum along y, and groups along x and z.
local function stencil()
    local along_y, groups = {}, { { weight = 2 + 3 * wave.factor * wave.second[0], at = { { 0, 0 } } } }
    for d = 1, wave.reach do
        local weight = wave.factor * wave.second[d]
        along_y[d] = { weight = weight, at = { -d, d } }
        groups[d + 1] = { weight = weight, at = { { -d, 0 }, { d, 0 }, { 0, -d }, { 0, d } } }
    end
    return { reach = wave.reach, sums = { { at = { 0 }, groups = along_y } }, groups = groups, has_before = true }
end

-- Runs the script stencil25.lua.
function cores25.run(host, p)
    local plan = run.place(host, core_grid.size(host, p), stencil(), p.dtype)
    local levels = {}
    for seed = 1, 2 do
        levels[seed] = p.start == "noise" and run.noise(host, plan, seed) or run.zeros(host, plan)
    end
    local source = p.source and { x = plan.size.nx // 2, y = plan.size.ny // 2, z = plan.size.nz // 2, samples = wave.ricker() }
    local cycles, mean = run.steps(host, plan, p, { steps = p.steps, present = levels[1], before = levels[2], source = source or nil })
    report(host, plan, { steps = p.steps, cycles = cycles, mean = mean, flop = wave.flop })
end

return cores25
