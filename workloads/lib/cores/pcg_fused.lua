-- Conjugate gradients in one kernel: all iterations and all operations; the residual stays in
-- SRAM. Kernels find the arithmetic of their format in cores/pcg_arithmetic.lua.
--
-- Four vectors lie in L1: x, r, p and q; z takes the place of q once q is used up.

local arithmetic = require("cores/pcg_arithmetic")
local reduction = require("cores/reduction")
local laplacian = require("cores/laplacian7_operator")
local chips = require("cores/chips")
local core_grid = require("cores/grid")
local passes = require("cores/pcg_passes")
local problem = require("cores/pcg_problem")
local time_parts = require("cores/time_parts")
local vectors = require("cores/tile_vectors")

local fused = {}

-- Circular buffers. The Laplacian has 13 from `stencil` on, and `gate`; cores/reduction.lua has
-- 24 to 29.
local cb = {
    x = 0, r = 1, p = 2, q = 3, product = 4, sum = 5, alpha = 6, beta = 7, delta = 8, sixth = 9, mask = 10,
    stencil = 11, constants = 30, gate = 31,
}

-- Compute

-- z = r / 6, in the place of q.
local function precondition(args)
    local unit = arithmetic[args.format]
    passes.each_block(args, function(first, n) unit.scale(n, cb.r, first, unit.sixth(cb.sixth), cb.q) end)
end

-- q = A p, with 0 beyond the grid on cores that it does not fill.
local function multiply(args)
    laplacian.apply(args.stencil)
    if args.masks > 0 and not args.stencil.is_planar then
        passes.each_block(args, function(_, n) arithmetic[args.format].mask(n, cb.q, cb.mask, cb.q) end)
    end
end

local function start(args)
    local result = args.reduction.result
    arithmetic[args.format].start(cb.p, cb.q, cb.x)
    cb_wait_front(cb.constants, args.stencil.constant_count)
    if args.masks > 0 then
        cb_wait_front(cb.mask, args.masks)
    end
    for _, vector in ipairs { cb.x, cb.r } do
        cb_reserve_back(vector, args.tiles)
        cb_push_back(vector, args.tiles)
    end
    precondition(args)
    passes.each_block(args, function(first, n) vectors.copy(n, cb.q, first, cb.p) end)
    passes.dot(args, cb, cb.r, cb.q)
    vectors.copy(1, result, nil, cb.delta)
    passes.dot(args, cb, cb.r, cb.r)
    return passes.is_reached(args)
end

-- One iteration. Returns whether it is the last.
local function iterate(args)
    local result, unit = args.reduction.result, arithmetic[args.format]
    local is_done, alpha, beta = false, nil, nil
    unattributed(args.tiles)
    if args.dots == 4 then
        zone("dot", function()
            passes.dot(args, cb, cb.r, cb.q)
            passes.keep_delta(cb, result)
        end)
    end
    passes.use_up(cb.q, args.tiles)
    zone("spmv", function() multiply(args) end)
    zone("dot", function()
        passes.dot(args, cb, cb.p, cb.q)
        alpha = unit.quotient(cb.delta, result, cb.alpha)
        cb_pop_front(result, 1)
    end)
    zone("axpy", function() passes.step(args, cb, alpha) end)
    zone("dot", function()
        passes.dot(args, cb, cb.r, cb.r)
        is_done = passes.is_reached(args)
    end)
    if is_done then
        return true
    end
    zone("axpy", function() precondition(args) end)
    zone("dot", function()
        passes.dot(args, cb, cb.r, cb.q)
        beta = unit.quotient(result, cb.delta, cb.beta)
        passes.keep_delta(cb, result)
    end)
    zone("axpy", function() passes.turn(args, cb, beta, cb.q, true) end)
    return false
end

local function compute(args)
    local is_done = start(args)
    local has_z = true
    for _ = 1, args.iterations do
        if is_done then
            break
        end
        is_done = iterate(args)
        has_z = not is_done
    end
    for _, vector in ipairs { cb.x, cb.r, cb.p } do
        passes.use_up(vector, args.tiles)
    end
    passes.use_up(cb.delta, 1)
    if has_z then
        passes.use_up(cb.q, args.tiles)
    end
end

-- Movers

-- One mover's part of a solve. `mover` has its part of the passes over vectors, start, delta,
-- multiply(tiles of earlier products), step and turn, and of each sum over all cores.
-- is_reached(norms so far) is true when the last norm is small enough.
local function accompany(args, mover, is_reached)
    mover.start()
    mover.sum()
    mover.sum()
    local is_done = is_reached(0)
    for iteration = 1, args.iterations do
        if is_done then
            return
        end
        if args.dots == 4 then
            mover.delta()
            mover.sum()
        end
        mover.multiply((iteration - 1) * args.tiles)
        mover.sum()
        mover.step()
        mover.sum()
        is_done = is_reached(iteration)
        if not is_done then
            mover.sum()
            mover.turn()
        end
    end
end

-- The reader's part: brings in data from other cores. One core keeps the history of the norm.
function fused.read(args, mover)
    function mover.sum()
        passes.receive_sum(args)
    end
    accompany(args, mover, function(norms) return passes.reader_is_reached(args, norms) end)
    reduction.finish(args.reduction)
    laplacian.finish(args.stencil)
end

-- The writer's part.
function fused.write(args, mover)
    function mover.sum()
        reduction.send(args.reduction)
    end
    accompany(args, mover, function(norms) return passes.writer_is_reached(args, norms) end)
    laplacian.leave(args.stencil)
end

-- Vectors in L1 need no mover but for the stencil.
local function resident(multiply)
    local function nothing() end
    return { start = nothing, delta = nothing, multiply = multiply, step = nothing, turn = nothing }
end

local function reader(args)
    arithmetic[args.format].make_sixth(cb.sixth)
    passes.give(cb.constants, args.stencil.constant_count)
    if args.masks > 0 then
        passes.give(cb.mask, args.masks)
    end
    reduction.prepare(args.reduction)
    fused.read(args, resident(function(first) laplacian.send(args.stencil, first) end))
end

local function writer(args)
    fused.write(args, resident(function(first) laplacian.fill(args.stencil, first) end))
end

fused.kernels = { fused_reader = reader, fused_writer = writer, fused_compute = compute }

-- Host

function fused.vectors()
    return { "x", "r", "p", "q" }
end

-- L1 besides the vectors: bytes by name.
function fused.memory(_, it)
    return { history = 4 * (it.iterations + 1) }
end

-- Adds buffers and kernels of a chip's part to a program.
local function build(it, program, plan, part)
    local size, at, cores, host = it.size, plan.at, part.cores, part.device
    local unit = arithmetic[it.format]
    local function buffer(index, pages, address)
        program:circular_buffer { cores = cores, index = index, pages = pages, format = it.format, address = address }
    end
    for _, name in ipairs(fused.vectors()) do
        buffer(cb[name], size.tiles, at[name] or 0)
    end
    buffer(cb.constants, laplacian.constant_count(size), at.constants)
    buffer(cb.mask, core_grid.mask_count(size), at.mask)
    buffer(cb.product, 2 * size.block)
    buffer(cb.delta, 1)
    if unit.unit == "fpu" then      -- the SFPU adds up in Dst, and kernels know its factors
        buffer(cb.sum, 2)
        for _, name in ipairs { "alpha", "beta", "sixth" } do
            buffer(cb[name], 1)
        end
    end
    local sums = reduction.describe(host, program, {
        tree = part.tree, memory = plan.memory, format = it.format, unit = unit.unit, granularity = it.granularity, has_zones = it.has_zones,
    })
    local halos = laplacian.describe(host, program, {
        size = size, cores = cores, format = it.format, halo = true, zero_fill = true,
        memory = plan.ring, first_buffer = cb.stencil, block = size.block,
        x = cb.p, y = cb.q, constants = cb.constants, x_address = at.p,
        far_memory = plan.far, overlap = it.overlap, gate = cb.gate, noted = it.has_zones and part.first or nil,
        mask = cb.mask,
    })
    local told = program:semaphore { cores = cores, value = 0 }
    local function args(x, y)
        local column = part.chip.first + x
        return {
            tiles = size.tiles, block = size.block, iterations = it.iterations, tolerance = it.tolerance,
            dots = it.dots, format = it.format,
            reduction = sums(x, y), stencil = halos(column, y), told = told, masks = core_grid.mask_total(size, column, y),
            total_at = plan.memory.result_at, history = column == 0 and y == 0 and at.history or nil,
        }
    end
    program:kernel { name = "reader", kernel = "fused_reader", processor = "reader", cores = cores, args = args }
    program:kernel { name = "writer", kernel = "fused_writer", processor = "writer", cores = cores, args = args }
    program:kernel {
        name = "compute", kernel = "fused_compute", processor = "compute", cores = cores, args = args,
        code = "large", fidelity = "hifi4", fp32_dst = unit.has_wide_dst,
    }
end

function fused.builds(it)
    return { function(program, plan, part) build(it, program, plan, part) end }
end

-- Reads the history after the run, for the check or for the number of iterations.
local function read_norms(host, it, plan)
    local history = host.buffer(4 * (it.iterations + 1))
    host.l1_read(0, 0, plan.at.history, history)
    local norms = passes.norms_of(host, history, it.format, it.iterations, it.tolerance)
    return norms
end

-- Returns the norms from before the first iteration on, the seconds of all iterations, the
-- components before them, and the parts of the time.
function fused.solve(host, it, plan)
    return fused.solve_with(build, host, it, plan)
end

-- The same with programs that build(it, program, plan, part) makes.
function fused.solve_with(build_one, host, it, plan)
    local programs = {}
    for i, part in ipairs(it.parts) do
        programs[i] = part.device.program()
        build_one(it, programs[i], plan, part)
    end
    local norms
    local before, times = problem.components(it.size), time_parts.begin(it.size)
    local seconds = host.measure(function()
        chips.each(host, it.size, function(chip, i)
            time_parts.count(times, i, chip.device.wait(chip.device.launch(programs[i])))
        end)
        if not it.tolerance then
            return it.iterations
        end
        norms = read_norms(host, it, plan)
        return math.max(1, #norms)
    end)
    return norms or read_norms(host, it, plan), seconds, before, times
end

return fused
