-- Conjugate gradients in one kernel with vectors in DRAM (cores/tile_stream.lua): the algorithm
-- of cores/pcg_fused.lua, each tile of which passes through L1.
--
-- Vectors pass as rarely as sums over all cores allow. An iteration has three passes: q = A p with
-- the sum of p q; x and r with the sums of r r and r z; and p. z is r / 6 and is made anew where it
-- is needed, so it is stored nowhere. These are 11 vectors to and from DRAM instead of 18, and one
-- more if delta is summed anew. Tiles are added up in the same order as in L1, to the same bits.
--
-- A sum of products goes through `product` and a buffer of its own, because other operations come
-- in between. While one sum goes over all cores, the other one waits.

local arithmetic = require("cores/pcg_arithmetic")
local core_grid = require("cores/grid")
local fused = require("cores/pcg_fused")
local laplacian = require("cores/laplacian7_operator")
local passes = require("cores/pcg_passes")
local reduction = require("cores/reduction")
local stream = require("cores/tile_stream")
local vectors = require("cores/tile_vectors")

local streamed = {}

-- Circular buffers. The Laplacian has 10 from `stencil` on, cores/reduction.lua 24 to 29. `fresh`
-- has new tiles that are used here; `fresh_out` lies on it, and the writer stores them from there.
local cb = {
    x = 0, r = 1, p = 2, q = 3, product = 4, sum = 5, factor = 6, other_sum = 7, delta = 8, sixth = 9, mask = 10,
    stencil = 11, fresh = 21, fresh_out = 22, z = 23, constants = 30, out = 31,
}
local INPUTS = { "x", "r", "p", "q" }

-- Compute

-- Adds the next product, which multiply(to) makes, to a sum that ends up in `out`.
local function add_product(args, tile, sum, out, multiply)
    vectors.accumulate(arithmetic[args.format], tile, args.tiles, cb.product, sum, out, multiply)
end

-- z = a / 6 for the front tile of a, which stays or is used up.
local function precondition(args, a, at)
    local unit = arithmetic[args.format]
    unit.scale(1, a, at, unit.sixth(cb.sixth), cb.z)
end

-- The sum that has waited.
local function combine_other(args, sum)
    vectors.copy(1, sum, nil, args.reduction.partial)
    reduction.combine(args.reduction)
end

-- p = z, delta and the first norm.
local function start(args)
    local unit, r = arithmetic[args.format], args.reduction
    unit.start(cb.p, cb.q, cb.out)
    cb_wait_front(cb.constants, args.stencil.constant_count)
    if args.masks > 0 then
        cb_wait_front(cb.mask, args.masks)
    end
    for tile = 0, args.tiles - 1 do
        precondition(args, cb.r, 0)
        vectors.copy(1, cb.z, 0, cb.out)
        add_product(args, tile, cb.sum, r.partial, function(to) unit.mul(1, cb.r, 0, cb.z, nil, to) end)
        add_product(args, tile, cb.other_sum, cb.other_sum, function(to) unit.mul(1, cb.r, nil, cb.r, 0, to) end)
    end
    reduction.combine(r)
    vectors.copy(1, r.result, nil, cb.delta)
    combine_other(args, cb.other_sum)
    return passes.is_reached(args)
end

-- delta = r z
local function sum_delta(args)
    local unit, r = arithmetic[args.format], args.reduction
    for tile = 0, args.tiles - 1 do
        precondition(args, cb.r, 0)
        add_product(args, tile, cb.sum, r.partial, function(to) unit.mul(1, cb.r, nil, cb.z, nil, to) end)
    end
    reduction.combine(r)
    passes.keep_delta(cb, r.result)
end

-- q = A p, with this core's sum of p q.
local function multiply(args)
    local s, unit = args.stencil, arithmetic[args.format]
    laplacian.apply(s, function(tile, at)
        add_product(args, tile, cb.sum, args.reduction.partial, function(to) unit.mul(1, s.x, at, cb.fresh, nil, to) end)
    end)
end

-- x = x + alpha p, r = r - alpha q, with this core's sums of r r and r z.
local function step(args, alpha)
    local unit = arithmetic[args.format]
    for tile = 0, args.tiles - 1 do
        unit.scale(1, cb.p, nil, alpha, cb.product)
        unit.add(1, cb.x, nil, cb.product, nil, cb.out)
        unit.scale(1, cb.q, nil, alpha, cb.product)
        cb_reserve_back(cb.fresh_out, 1)
        unit.sub(1, cb.r, nil, cb.product, nil, cb.fresh)
        cb_push_back(cb.fresh_out, 1)
        add_product(args, tile, cb.sum, args.reduction.partial, function(to) unit.mul(1, cb.fresh, 0, cb.fresh, 0, to) end)
        precondition(args, cb.fresh, 0)
        add_product(args, tile, cb.other_sum, cb.other_sum, function(to) unit.mul(1, cb.fresh, nil, cb.z, nil, to) end)
    end
    unit.drop(alpha)
end

-- p = z + beta p
local function turn(args, beta)
    local unit = arithmetic[args.format]
    for _ = 1, args.tiles do
        precondition(args, cb.r, nil)
        unit.scale(1, cb.p, nil, beta, cb.product)
        unit.add(1, cb.z, nil, cb.product, nil, cb.out)
    end
    unit.drop(beta)
end

-- One iteration. Returns whether it is the last. Sums of products count with the pass in which
-- they are made; the zone `dot` is the sums over all cores.
local function iterate(args)
    local result, unit = args.reduction.result, arithmetic[args.format]
    local is_done, alpha, beta = false, nil, nil
    unattributed(args.tiles)
    if args.dots == 4 then
        zone("dot", function() sum_delta(args) end)
    end
    zone("spmv", function() multiply(args) end)
    zone("dot", function()
        reduction.combine(args.reduction)
        alpha = unit.quotient(cb.delta, result, cb.factor)
        cb_pop_front(result, 1)
    end)
    zone("axpy", function() step(args, alpha) end)
    zone("dot", function()
        reduction.combine(args.reduction)
        is_done = passes.is_reached(args)
    end)
    if is_done then
        passes.use_up(cb.other_sum, 1)
        return true
    end
    zone("dot", function()
        combine_other(args, cb.other_sum)
        beta = unit.quotient(result, cb.delta, cb.factor)
        passes.keep_delta(cb, result)
    end)
    zone("axpy", function() turn(args, beta) end)
    return false
end

local function compute(args)
    local is_done = start(args)
    for _ = 1, args.iterations do
        if is_done then
            break
        end
        is_done = iterate(args)
    end
    passes.use_up(cb.delta, 1)
end

-- Movers. What a pass reads, the writer has stored in passes before: it counts them in a
-- semaphore.

local function reader(args)
    local v, passed, stored = args.vectors, {}, 0
    local function read(names, is_stored)
        local list = {}
        for i, name in ipairs(names) do
            list[i] = v[name]
        end
        noc_semaphore_wait_min(get_semaphore(args.stored), stored)
        stream.read(list, args.tiles, passed)
        stored = stored + (is_stored and 1 or 0)
    end
    arithmetic[args.format].make_sixth(cb.sixth)
    passes.give(cb.constants, args.stencil.constant_count)
    if args.masks > 0 then
        passes.give(cb.mask, args.masks)
    end
    reduction.prepare(args.reduction)
    fused.read(args, {
        start = function() read({ "r" }, true) end,
        delta = function() read({ "r" }, false) end,
        multiply = function(first)
            noc_semaphore_wait_min(get_semaphore(args.stored), stored)
            laplacian.send(args.stencil, first)
            stored = stored + 1
        end,
        step = function() read({ "p", "x", "q", "r" }, true) end,
        turn = function() read({ "r", "p" }, true) end,
    })
end

local function writer(args)
    local stored = 0
    local function count()
        stored = stored + 1
        noc_semaphore_set(get_semaphore(args.stored), stored)
    end
    local function write(list)
        stream.write(list, args.tiles)
        count()
    end
    fused.write(args, {
        start = function() write { args.new.p } end,
        delta = function() end,
        multiply = function(first)
            laplacian.fill(args.stencil, first)
            count()
        end,
        step = function() write { args.new.x, args.new.r } end,
        turn = function() write { args.new.p } end,
    })
end

streamed.kernels = { streamed_reader = reader, streamed_writer = writer, streamed_compute = compute }

-- Host

function streamed.vectors()
    return INPUTS
end

-- Vectors that go to or come from DRAM in an iteration, and before the first one.
function streamed.transfers(it)
    return it.dots == 4 and 12 or 11, 2
end

function streamed.memory(host, it)
    return { history = 4 * (it.iterations + 1), fresh = stream.out_pages * host.tile_bytes(it.format) }
end

local function add_buffers(it, program, plan, part)
    local function buffer(index, pages, address)
        program:circular_buffer { cores = part.cores, index = index, pages = pages, format = it.format, address = address }
    end
    for _, name in ipairs(INPUTS) do
        buffer(cb[name], stream.ring_pages)
    end
    buffer(cb.out, stream.out_pages)
    buffer(cb.fresh, stream.out_pages, plan.at.fresh)
    buffer(cb.fresh_out, stream.out_pages, plan.at.fresh)
    buffer(cb.constants, #laplacian.constants, plan.at.constants)
    buffer(cb.mask, core_grid.mask_count(it.size), plan.at.mask)
    buffer(cb.product, 1)
    buffer(cb.z, 1)
    buffer(cb.sum, 2)
    buffer(cb.other_sum, 2)
    buffer(cb.delta, 1)
    if arithmetic[it.format].unit == "fpu" then
        buffer(cb.factor, 1)
        buffer(cb.sixth, 1)
    end
end

-- Adds buffers and kernels to a program.
local function build(it, program, plan, part)
    local size, cores, host, dram = it.size, part.cores, part.device, plan.dram or {}
    add_buffers(it, program, plan, part)
    local sums = reduction.describe(host, program, {
        tree = part.tree, memory = plan.memory, format = it.format, unit = arithmetic[it.format].unit, granularity = it.granularity,
        has_zones = it.has_zones,
    })
    local halos = laplacian.describe(host, program, {
        size = size, cores = cores, format = it.format, memory = plan.ring, first_buffer = cb.stencil, y = cb.fresh, y_out = cb.fresh_out,
        constants = cb.constants, mask = cb.mask, source = dram.p, target = dram.q, noted = it.has_zones and part.first or nil,
    })
    local told, stored = program:semaphore { cores = cores, value = 0 }, program:semaphore { cores = cores, value = 0 }
    local function args(x, y)
        local first = core_grid.first_page(size, x, y)
        local function vector(name, index)
            return { cb = index, buffer = dram[name], first = first }
        end
        return {
            tiles = size.tiles, iterations = it.iterations, tolerance = it.tolerance, dots = it.dots, format = it.format,
            reduction = sums(x, y), stencil = halos(x, y), told = told, stored = stored, masks = core_grid.mask_total(size, x, y),
            total_at = plan.memory.result_at, history = x == 0 and y == 0 and plan.at.history or nil,
            vectors = { x = vector("x", cb.x), r = vector("r", cb.r), p = vector("p", cb.p), q = vector("q", cb.q) },
            new = { x = vector("x", cb.out), r = vector("r", cb.fresh_out), p = vector("p", cb.out) },
        }
    end
    for _, processor in ipairs { "reader", "writer", "compute" } do
        local is_compute = processor == "compute"
        program:kernel {
            name = processor, kernel = "streamed_" .. processor, processor = processor, cores = cores, args = args,
            code = is_compute and "large" or nil, fidelity = is_compute and "hifi4" or nil,
            fp32_dst = is_compute and arithmetic[it.format].has_wide_dst or nil,
        }
    end
end

function streamed.builds(it)
    return { function(program, plan, part) build(it, program, plan, part) end }
end

function streamed.solve(host, it, plan)
    return fused.solve_with(build, host, it, plan)
end

return streamed
