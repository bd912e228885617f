-- 2D stencils on the layers of a grid on cores with tiles. cores/stencil.lua has the kernels.

local core_grid = require("cores/grid")
local report = require("cores/stencil_report")
local run = require("cores/stencil_run")
local weights = require("stencil2d_weights")

local ROUNDED_TWICE = 0x1p-23   -- of 1, the largest number there can be, in single precision

local stencil2d = {}

-- Points of one dx, as groups along y: equal distances have the same weight.
local function groups_of(points)
    local groups = {}
    for _, point in ipairs(points) do
        local i = math.abs(point.dy) + 1
        groups[i] = groups[i] or { weight = point.weight, at = {} }
        table.insert(groups[i].at, point.dy)
    end
    return groups
end

-- A star is a sum along y without the centre, and groups along x. A box is sums along y, one
-- for each distance along x.
local function stencil(shape, radius)
    local columns = {}
    for _, point in ipairs(weights.of(shape, radius)) do
        columns[point.dx] = columns[point.dx] or {}
        table.insert(columns[point.dx], point)
    end
    local sums, groups = { { at = { 0 }, groups = groups_of(columns[0]) } }, {}
    if shape == "star" then
        local centre = table.remove(sums[1].groups, 1)
        groups[1] = { weight = centre.weight, at = { { 0, 0 } } }
    end
    for dx = 1, radius do
        if shape == "box" then
            sums[#sums + 1] = { at = { -dx, dx }, groups = groups_of(columns[dx]) }
        else
            groups[#groups + 1] = { weight = columns[dx][1].weight, at = { { -dx, 0 }, { dx, 0 } } }
        end
    end
    return { reach = radius, sums = sums, groups = groups, has_before = false }
end

-- The same without grouping, point by point, for references.
local function pointwise(shape, radius)
    local sums = { { at = { 0 }, groups = {} } }
    for _, point in ipairs(weights.of(shape, radius)) do
        local group = { weight = point.weight, at = { point.dy } }
        if point.dx == 0 then
            table.insert(sums[1].groups, group)
        else
            sums[#sums + 1] = { at = { point.dx }, groups = { group } }
        end
    end
    return { reach = radius, sums = sums, groups = {}, has_before = false }
end

-- Runs the script stencil2d.lua.
function stencil2d.run(host, p)
    if (host.chip_count or 1) > 1 then
        print(("on chip 0 of %d: stencil2d runs on one chip"):format(host.chip_count))
    end
    local size = core_grid.size(host, p)
    local plan = run.place(host, size, stencil(p.shape, p.radius), p.dtype)
    local problem = { steps = p.iterations, present = run.noise(host, plan, 1), before = run.zeros(host, plan) }
    if host.is_functional then
        host.check {
            error = run.exact(plan, problem):error("fp32", run.exact(plan, problem, pointwise(p.shape, p.radius))),
            tolerance = ROUNDED_TWICE, reference = "the weights point by point, both in double precision",
        }
    end
    report(host, plan, run.steps(host, plan, p, problem), weights.flop(p.shape, p.radius))
    core_grid.tell(p, size)
end

return stencil2d
