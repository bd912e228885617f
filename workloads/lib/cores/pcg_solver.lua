-- PCG as a script: the common part of both variants. See pcg.lua.

local chip_halo = require("cores/chip_halo")
local chips = require("cores/chips")
local core_grid = require("cores/grid")
local field = require("field")
local fused = require("cores/pcg_fused")
local grid_field = require("cores/grid_field")
local laplacian = require("cores/laplacian7_operator")
local problem = require("cores/pcg_problem")
local history = require("residual_history")
local routing = require("cores/routing")
local split = require("cores/pcg_split")
local streamed = require("cores/pcg_streamed")
local time_parts = require("cores/time_parts")
local tree = require("cores/tree")

local solver = {}

-- Variants with the formats that the paper has, and tiles per core that fit, by
-- arXiv:2603.23343 section 7.2.
local PUBLISHED_FORMAT = { fused = "bf16", split = "fp32" }
local PUBLISHED_LIMIT = { fused = 164, split = 64 }
local BLOCK = { bf16 = 8, fp32 = 4 }   -- most tiles per operation, by the room in L1

-- What stands behind a time that contains the constant which no mechanism explains.
function solver.mark(p)
    return p.unattributed and " incl. unattributed constant" or ""
end

-- Puts r and the start where vectors are, and constants and masks into L1.
local function put_vectors(host, size, plan, format, system)
    if plan.dram then
        core_grid.upload(host, size, system.r, plan.dram.r)
        core_grid.upload(host, size, system.start or host.buffer(#system.r), plan.dram.x)
    end
    local zeros = host.buffer(size.tiles * host.tile_bytes(format))
    for core, column, y, x, chip in core_grid.each_core(size) do
        local device = chip.device
        if not plan.dram then
            device.l1_write(x, y, plan.at.r, core_grid.share(host, size, system.r, core))
            device.l1_write(x, y, plan.at.x, system.start and core_grid.share(host, size, system.start, core) or zeros)
        end
        device.l1_write(x, y, plan.at.constants,
            laplacian.constants_of(host, size, format, system.diagonal and core_grid.share(host, size, system.diagonal, core)))
        core_grid.put_masks(device, size, format, column, y, plan.at.mask)
        if plan.far then
            chip_halo.clear(device, x, y, plan.far)
        end
    end
end

-- Begins with the references: the solver in the chip's own arithmetic and order, and in double
-- precision. Returns how both are called, and functions for what they return.
local function begin_references(host, p, size, trees, system)
    local it = core_grid.reference(size, {
        format = p.dtype, start = system.start, diagonal = system.diagonal, iterations = p.iterations, tolerance = p.tolerance > 0 and p.tolerance or nil,
        merges = problem.merges(size, trees), granularity = p.granularity,
    })
    it.arithmetic = "chip"
    local as_chip = p.arithmetic ~= "ieee" and host.reference(system.r, "pcg", it) or nil
    it.arithmetic = "double"
    return it, as_chip, host.reference(system.r, "pcg", it)
end

-- Compares with the references. Returns rows of norms. The norm is that of the vector r, which
-- keeps shrinking after the solution has stopped improving; so b - A x is computed too.
local function check(host, b, norms, x, it, as_chip, in_double)
    local exact, best = in_double()
    local rows = {}
    it.x = best
    local residual_of_best = host.reference(b, "residual", it)
    it.x = x
    host.metric("true_residual_norm", (b:residual(it)))
    host.metric("true_residual_norm_of_rounded_double", (residual_of_best()))
    if not as_chip then
        host.check {
            error = history.relative_difference(norms, exact), tolerance = 0.05,
            reference = "the norms of PCG in double precision, of the first norm",
        }
        for i = 0, #norms do
            rows[i + 1] = { i, norms[i], exact[i] or 0, exact[i] or 0 }
        end
    else
        local expected, solution = as_chip()
        host.check {
            error = #norms == #expected and history.difference(norms, expected) or math.huge, tolerance = 0,
            reference = "PCG in the chip's arithmetic and order, each norm of the residual, bit for bit",
        }
        host.check_equal(x, solution, "PCG in the chip's arithmetic and order, the solution, bit for bit")
        for i = 0, #norms do
            rows[i + 1] = { i, norms[i], expected[i] or 0, exact[i] or 0 }
        end
    end
    return rows
end

-- Reports an iteration and its unexplained part; `charged` is 1, or 0 if that was not charged.
local function report(host, p, size, plan, parts, charged)
    local cycles = p.unattributed and charged * size.tiles * host.number("tensix.unattributed_cycles_per_tile") or 0
    local unattributed = cycles / host.number("chip.clock_hz")
    local is_published = p.dtype == PUBLISHED_FORMAT[p.variant] and size.wide * size.high == 1 and not plan.dram
    local published = is_published and PUBLISHED_LIMIT[p.variant] or nil
    host.metric("mechanistic_seconds_per_iteration", parts.total - unattributed)
    host.metric("unattributed_seconds_per_iteration", unattributed)
    host.metric("component_seconds_per_iteration", parts.sum)
    host.metric("grid", { size.nx, size.ny, size.nz })
    host.metric("is_padded", size.is_padded)
    if plan.limit then
        host.metric("tiles_that_fit", plan.limit)
    end
    if published then
        host.metric("tiles_that_fit_published", published)
    end
    print(("%s %s %s, %d x %d x %d on %d x %d cores%s, %d tiles each: %.4f ms an iteration%s")
        :format(p.variant, p.dtype, p.structure, size.nx, size.ny, size.nz, size.cols, size.rows, chips.words_of(size), size.tiles,
            1e3 * parts.total, unattributed > 0 and ("%s, %.4f ms without it"):format(solver.mark(p), 1e3 * (parts.total - unattributed)) or ""))
    print(("spmv %.4f ms, axpy %.4f ms, dot %.4f ms, together %.4f ms"):format(1e3 * parts.spmv, 1e3 * parts.axpy, 1e3 * parts.dot,
        1e3 * parts.sum))
    if parts.times then
        time_parts.report(host, parts.times)
    end
    if plan.limit then
        print(("up to %d tiles a core fit into L1%s"):format(plan.limit, published and (", arXiv:2603.23343 says %d"):format(published) or ""))
    end
    core_grid.print_padding(size, "masked after each product with the matrix")
    return unattributed
end

local function check_settings(host, p)
    history.refuse_tolerance_without_data(host, p)
    if p.dtype == "auto" then
        p.dtype = PUBLISHED_FORMAT[p.variant]
    end
end

local function largest_divisor(number, most)
    for divisor = math.min(number, most), 1, -1 do
        if number % divisor == 0 then
            return divisor
        end
    end
end

-- Tiles per operation.
local function block_of(host, p, size)
    if p.structure ~= "batched" then
        return 1
    end
    if size.wide * size.high > 1 or size.is_streamed then
        host.refuse(("structure=batched is for one tile of a core in each layer and vectors=l1, not %d x %d and %s"):format(size.wide,
            size.high, p.vectors))
    end
    return largest_divisor(size.tiles, BLOCK[p.dtype])
end

-- The problem and the settings of its solution, for a variant.
local function set_up(p, size)
    local trees = tree.across(p.routing, routing[p.routing], size)
    local it = {
        size = size, trees = trees, parts = {}, granularity = p.granularity, iterations = p.iterations, format = p.dtype, dots = p.dots,
        tolerance = p.tolerance > 0 and p.tolerance or nil, overlap = p.overlap, has_zones = p.has_zones or #size.chips > 1,
    }
    for i = 1, #size.chips do
        it.parts[i] = problem.part(size, trees, i)
    end
    return it
end

-- Solves, checks and reports. Returns seconds per iteration: total, mechanistic, spmv, axpy,
-- dot, and sum (of these three); with several chips or `has_zones`, times
-- (cores/time_parts.lua); the rows of the residual's history; and the size and the dtype.
function solver.solve(host, settings)
    local p = {}
    for name, value in pairs(settings) do
        p[name] = value
    end
    check_settings(host, p)
    local variant = p.variant == "split" and split or p.vectors == "dram" and streamed or fused
    local size = core_grid.size(host, p)
    core_grid.set_streamed(host, size, p.vectors)
    size.block = block_of(host, p, size)
    size.has_diagonal = field.is_given(host, p, "diagonal", { "6" })
    laplacian.check_diagonal(host, size)
    local it = set_up(p, size)
    local others = variant.memory(host, it)
    others.constants = laplacian.constant_count(size) * host.tile_bytes(p.dtype)
    others.mask = core_grid.mask_count(size) * host.tile_bytes(p.dtype)
    local plan = problem.place(host, size, {
        format = p.dtype, block = size.block, trees = it.trees, names = variant.vectors(it), others = others,
        builds = variant.builds(it),
    })
    local system = problem.make(host, size, p.dtype, p)
    put_vectors(host, size, plan, p.dtype, system)

    local references = host.is_functional and { begin_references(host, p, size, it.trees, system) }
    local norms, seconds, before, times = variant.solve(host, it, plan)
    local iterations = host.is_functional and math.max(1, #norms) or p.iterations
    local rows
    if host.is_functional then
        local x = plan.dram and core_grid.download(host, size, plan.dram.x, #system.r) or
            core_grid.read(host, size, plan.at.x, size.tiles * host.tile_bytes(p.dtype))
        rows = check(host, system.b, norms, x, table.unpack(references, 1, 3))
        field.save(host, "x", size, p.dtype, function() return grid_field.unfold(host, size, p.dtype, x) end)
        history.report(host, norms)
        history.check_tolerance(host, p, norms)
    end
    local made = host.is_functional and #norms or iterations
    local parts = { total = seconds / iterations, sum = 0, history = rows, size = size, dtype = p.dtype, rhs = p.rhs, start = p.start, diagonal = p.diagonal }
    for name, after in pairs(problem.components(size)) do
        parts[name] = (after - before[name]) / iterations
        parts.sum = parts.sum + parts[name]
    end
    parts.times = it.has_zones and time_parts.finish(times, seconds, iterations) or nil
    parts.mechanistic = parts.total - report(host, p, size, plan, parts, made / iterations)
    if plan.dram and not it.tolerance then
        local each, first = variant.transfers(it)
        core_grid.report_dram(host, (each + first / iterations) * #system.r, parts.total)
    end
    for _, part in ipairs(it.parts) do
        part.device.l1_release()
    end
    return parts
end

solver.parameters = core_grid.parameters {
    { name = "variant", type = "choice", default = "fused", choices = { "fused", "split" }, chips = { "tensix" },
      help = "one kernel for all, or a kernel for each operation" },
    { name = "dtype", type = "choice", default = { tensix = "auto", wse = "fp32" },
      choices = { tensix = { "auto", "bf16", "fp32" }, wse = { "fp32", "mixed" } },
      help = "format of the numbers: bf16 on the FPU, fp32 on the SFPU, auto the paper's (bf16 fused, fp32 split); "
          .. "mixed has fp16 products and fp32 sums" },
    { name = "structure", type = "choice", default = "chain", choices = { "chain", "batched" }, chips = { "tensix" },
      help = "all operations on a tile before the next, or an operation at a time on many" },
    { name = "iterations", type = "integer", default = 10, min = 1, max = 10000, help = "iterations, the most if there is a tolerance" },
    { name = "tolerance", type = "number", default = 0, min = 0, help = "norm of the residual to stop at; 0: do all iterations" },
    { name = "dots", type = "integer", default = 4, min = 3, max = 4, chips = { "tensix" },
      help = "dot products an iteration: 4 as the algorithm is printed, 3 if delta is kept from one to the next" },
    { name = "granularity", type = "choice", default = "tile", choices = { "scalar", "tile" }, chips = { "tensix" },
      help = "what cores send to be summed: one number, or a tile" },
    { name = "routing", type = "choice", default = "naive", choices = { "naive", "center", "direct" }, chips = { "tensix" },
      help = "which core adds whose sum" },
    field.parameter("rhs", { "random" }, "right-hand side"),
    field.parameter("start", { "zero" }, "the solution to begin with"),
    chips.words.chips, chips.words.overlap, core_grid.plane_parameters[1], core_grid.plane_parameters[2],
    core_grid.vectors_parameter,
}

function solver.run(host, p)
    local done = solver.solve(host, p)
    if done.history then
        host.table { name = "residual", columns = { "iteration", "norm", "same_arithmetic", "double" }, rows = done.history }
    end
    core_grid.tell(p, done.size)
    p.dtype, p.rhs, p.start, p.diagonal = done.dtype, done.rhs, done.start, done.diagonal
end

-- The defaults on Tensix cores, overridden by `chosen`.
function solver.settings(chosen)
    local settings = {}
    for _, parameter in ipairs(solver.parameters) do
        local default = parameter.default
        settings[parameter.name] = type(default) == "table" and default.tensix or default
    end
    for name, value in pairs(chosen) do
        settings[name] = value
    end
    return settings
end

solver.kernels = {}
for _, variant in ipairs { fused, streamed, split } do
    for name, kernel in pairs(variant.kernels) do
        solver.kernels[name] = kernel
    end
end

return solver
