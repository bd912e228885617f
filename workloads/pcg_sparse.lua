-- Conjugate gradients with the Jacobi preconditioner on a general sparse matrix, in CSR or in sliced
-- ELL: see lib/cores/sparse_pcg.lua.

local field = require("field")
local history = require("residual_history")
local matrices = require("cores/sparse_matrix")
local pcg = require("cores/sparse_pcg")
local plans = require("cores/sparse_plan")
local product = require("cores/sparse_product")
local routing = require("cores/routing")
local tree = require("cores/tree")

local TILE = 1024

-- The user's right-hand side, or one from -1 to 1, with 0 where slices have no rows.
local function make_b(host, p, plan, matrix)
    local given = matrices.load_vector(host, p, plan, matrix, "rhs", true)
    if given then
        field.refuse_zeros(host, "rhs", given)
        return given
    end
    local b = host.buffer(plan.slices * host.tile_bytes(p.dtype))
    b:fill_random(p.dtype, 1, -1, 1)
    for slice = 0, plan.slices - 1 do
        local rows = math.min(plan.slice, plan.rows - slice * plan.slice)
        b:put((slice * TILE + rows) * plan.bytes, host.buffer((TILE - rows) * plan.bytes))
    end
    return b
end

local function put_into_l1(host, plan, at, b, inverse)
    local tile_bytes = TILE * plan.bytes
    for _, part in ipairs(plan.parts) do
        local first, bytes = part.first_slice * tile_bytes, part.slices * tile_bytes
        host.l1_write(part.x, part.y, at.r, b:part(first, bytes))
        host.l1_write(part.x, part.y, at.inverse, inverse:part(first, bytes))
        host.l1_write(part.x, part.y, at.x, host.buffer(bytes))
        host.l1_write(part.x, part.y, at.q, host.buffer(bytes))     -- CSR writes only rows that are there
    end
end

local function read_x(host, plan, at)
    local tile_bytes = TILE * plan.bytes
    local x = host.buffer(plan.slices * tile_bytes)
    for _, part in ipairs(plan.parts) do
        local own = host.buffer(part.slices * tile_bytes)
        host.l1_read(part.x, part.y, at.x, own)
        x:put(part.first_slice * tile_bytes, own)
    end
    return x
end

-- Says if p A p was not positive, with which the method is at its end.
local function check_curvatures(host, curvatures)
    for i, curvature in ipairs(curvatures) do
        if not (curvature > 0) then
            local why = curvature < 0 and "so the matrix is not positive definite"
                or "as it is where nothing is left to solve; tolerance=... ends before"
            print(("the method broke down in iteration %d: p A p is %g, %s"):format(i, curvature, why))
            host.check { error = math.huge, tolerance = 0, reference = "p A p, which is above 0 if the matrix is positive definite" }
            return
        end
    end
end

-- Compares with the solver in double precision. Returns rows of norms.
local function check(host, p, matrix, plan, b, norms, x)
    local exact, best = matrix:pcg {
        b = b, slice = plan.slice, iterations = p.iterations, tolerance = p.tolerance > 0 and p.tolerance or nil,
    }
    local rows = {}
    host.check {
        error = history.difference(norms, exact) / exact[0], tolerance = p.dtype == "fp32" and 1e-4 or 0.05,
        reference = "the norms of PCG in double precision, of the first norm",
    }
    local residual = matrix:residual { b = b, x = x, slice = plan.slice }
    if p.dtype == "fp32" then
        host.check {
            error = math.abs(residual - exact[#exact]) / exact[0], tolerance = 1e-4,
            reference = "the norm of b - A x, and that of PCG in double precision, of the first norm",
        }
    end
    host.metric("true_residual_norm", residual)
    host.metric("true_residual_norm_of_rounded_double", matrix:residual { b = b, x = best, slice = plan.slice })
    for i = 0, #norms do
        rows[i + 1] = { i, norms[i], exact[i] or 0 }
    end
    return rows
end

local function report(host, p, plan, seconds, iterations)
    local parts, total = {}, seconds / iterations
    product.report(host, plan)
    product.roof(host, plan, seconds, iterations)
    host.metric("mechanistic_seconds_per_iteration", total)
    for _, name in ipairs { "spmv", "axpy", "dot" } do
        parts[name] = host.zone_seconds(name) / iterations
        host.metric(name .. "_seconds_per_iteration", parts[name])
    end
    host.metric("useful_flops_per_second", 2 * plan.entries / total)
    print(("%s on %d x %d cores, matrix in %s: %.4f ms an iteration; spmv %.4f ms, axpy %.4f ms, dot %.4f ms"):format(p.dtype, p.rows,
        p.cols, p.from == "l1" and "L1" or "DRAM", 1e3 * total, 1e3 * parts.spmv, 1e3 * parts.axpy, 1e3 * parts.dot))
end

local function make_matrix(host, p)
    local matrix = matrices.make(host, p)
    local rows, columns = matrix:size()
    if rows ~= columns then
        host.refuse(("the matrix is %d x %d: conjugate gradients need a square one"):format(rows, columns))
    end
    local fault = matrix:asymmetry()
    if fault then
        host.refuse(("%s: conjugate gradients need a symmetric positive definite matrix"):format(fault))
    end
    return p.sort > 1 and matrix:sorted(p.sort, true) or matrix
end

local parameters = matrices.parameters { "poisson7", "poisson5", "banded", "graph", "arrow", "file" }
for _, parameter in ipairs(plans.parameters) do
    table.insert(parameters, parameter)
end
for _, parameter in ipairs {
    { name = "dtype", type = "choice", default = "fp32", choices = { "fp32", "bf16" }, help = "format of matrix and vectors" },
    { name = "from", type = "choice", default = "l1", choices = { "l1", "dram" }, help = "where the matrix is; vectors are in L1" },
    { name = "iterations", type = "integer", default = 10, min = 1, max = 10000, help = "iterations, the most if there is a tolerance" },
    { name = "tolerance", type = "number", default = 0, min = 0, help = "norm of the residual to stop at; 0: do all iterations" },
    { name = "granularity", type = "choice", default = "tile", choices = { "scalar", "tile" },
      help = "what cores send to be summed: one number, or a tile" },
    { name = "routing", type = "choice", default = "naive", choices = { "naive", "center", "direct" }, help = "which core adds whose sum" },
    { name = "rows", type = "integer", default = 7, min = 1, max = 10, help = "rows of cores" },
    { name = "cols", type = "integer", default = 8, min = 1, max = 8, help = "columns of cores" },
} do
    table.insert(parameters, parameter)
end

local inputs = { { name = "rhs", help = "the right-hand side; without it, random numbers" }, table.unpack(matrices.inputs) }

return {
    summary = "preconditioned conjugate gradients with a sparse matrix in CSR or sliced ELL",
    chips = { "tensix" },
    parameters = parameters,
    inputs = inputs,
    outputs = { { name = "x", help = "the solution" } },
    kernels = pcg.kernels,
    run = function(host, p)
        history.refuse_tolerance_without_data(host, p)
        local matrix = make_matrix(host, p)
        local plan = plans.make(host, p, matrix, true)
        product.lay_out(host, p, plan, matrix, p.from == "l1")
        local it = {
            format = p.dtype, iterations = p.iterations, tolerance = p.tolerance > 0 and p.tolerance or nil, granularity = p.granularity,
            tree = tree.make(p.routing, routing[p.routing], p.cols, p.rows),
        }
        product.check_room(host, plan, (plan.window + #pcg.vectors * plan.tiles * TILE) * plan.bytes + pcg.other_bytes(host, it))
        product.place(host, plan)
        local at = pcg.place(host, it, plan)
        local b = make_b(host, p, plan, matrix)
        put_into_l1(host, plan, at, b, matrix:jacobi { slice = plan.slice })
        local program = pcg.build(host, it, plan, at)

        local norms, curvatures
        local seconds = host.measure(function()
            host.wait(host.launch(program))
            if not it.tolerance then
                return p.iterations
            end
            norms, curvatures = pcg.read_history(host, it, at)
            return math.max(1, #norms)
        end)
        if host.is_functional then
            if not norms then
                norms, curvatures = pcg.read_history(host, it, at)
            end
            local x = read_x(host, plan, at)
            local rows = check(host, p, matrix, plan, b, norms, x)
            matrices.save_vector(host, p, plan, matrix, "x", x)
            check_curvatures(host, curvatures)
            history.report(host, norms)
            history.check_tolerance(host, p, norms)
            host.table { name = "residual", columns = { "iteration", "norm", "double" }, rows = rows }
        end
        report(host, p, plan, seconds, host.is_functional and math.max(1, #norms) or p.iterations)
        p.slice = plan.slice
    end,
}
