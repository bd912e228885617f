-- Conjugate gradients with a general sparse matrix and the Jacobi preconditioner, in one kernel for
-- all iterations. Products are those of cores/sparse_kernels.lua, the arithmetic is that of
-- cores/pcg_arithmetic.lua.
--
-- Vectors are circular buffers with a page for every tile of the core: x, r, p, q and z, which has q's
-- memory, and the inverse of the diagonal. p is the beginning of the window of a product: other cores
-- read it there. A core tells those that read from it when its part is there; none changes it before
-- all have added up p q, which comes after their reads.

local arithmetic = require("cores/pcg_arithmetic")
local passes = require("cores/pcg_passes")
local reduction = require("cores/reduction")
local sparse = require("cores/sparse_kernels")
local product = require("cores/sparse_product")
local vectors = require("cores/tile_vectors")

local pcg = {}

-- Circular buffers. A product has 0 to 3, cores/reduction.lua 24 to 29.
local cb = { x = 4, r = 5, p = 6, q = 7, z = 8, inverse = 9, product = 10, sum = 11, alpha = 12, beta = 13, delta = 14, gate = 15 }
local GATE_BYTES = 32
local BLOCK = { bf16 = 8, fp32 = 4 }    -- tiles for one set-up of a unit

-- Compute

-- z = r / diagonal
local function precondition(args)
    local unit = vectors[arithmetic[args.format].unit]
    passes.each_block(args, function(first, n) unit.mul(n, cb.r, first, cb.inverse, first, cb.z) end)
end

-- q = A p
local function multiply(args)
    cb_reserve_back(cb.gate, 1)         -- p is there
    cb_push_back(cb.gate, 1)
    if args.product.layout == "csr" then
        cb_wait_front(cb.q, args.tiles)
    else
        sparse.multiply(args.product, cb.q)
    end
end

local function start(args)
    arithmetic[args.format].start(cb.p, cb.z, cb.x)
    for _, vector in ipairs { cb.x, cb.r } do
        cb_reserve_back(vector, args.tiles)
        cb_push_back(vector, args.tiles)
    end
    cb_wait_front(cb.inverse, args.tiles)
    precondition(args)
    passes.each_block(args, function(first, n) vectors.copy(n, cb.z, first, cb.p) end)
    passes.dot(args, cb, cb.r, cb.z)
    vectors.copy(1, args.reduction.result, nil, cb.delta)
    passes.use_up(cb.z, args.tiles)
    passes.dot(args, cb, cb.r, cb.r)
    return passes.is_reached(args)
end

-- One iteration. Returns whether it is the last.
local function iterate(args)
    local result, unit = args.reduction.result, arithmetic[args.format]
    local is_done, alpha, beta = false, nil, nil
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
        passes.dot(args, cb, cb.r, cb.z)
        beta = unit.quotient(result, cb.delta, cb.beta)
        passes.keep_delta(cb, result)
    end)
    zone("axpy", function() passes.turn(args, cb, beta, cb.z, false) end)
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
    for _, vector in ipairs { cb.x, cb.r, cb.p, cb.inverse } do
        passes.use_up(vector, args.tiles)
    end
    passes.use_up(cb.delta, 1)
end

-- Movers

-- One mover's part of a solve: of each product and of each sum over all cores. is_reached(args,
-- norms so far) is true when the last norm is small enough; `see` gets p q.
local function accompany(args, multiply_part, sum, is_reached, see)
    sum(args)
    sum(args)
    local is_done = is_reached(args, 0)
    for iteration = 1, args.iterations do
        if is_done then
            return
        end
        multiply_part(iteration)
        sum(args)
        see(iteration)
        sum(args)
        is_done = is_reached(args, iteration)
        if not is_done then
            sum(args)
        end
    end
end

-- Waits until the own part of p and those that the core reads are there.
local function meet(args, round)
    passes.use_up(cb.gate, 1)
    for _, reader in ipairs(args.readers) do
        scalar { load = 1 }
        noc_semaphore_inc(get_noc_addr(reader.x, reader.y, get_semaphore(args.ready)), 1)
    end
    noc_semaphore_wait_min(get_semaphore(args.ready), round * args.writers)
end

-- One core keeps the history of norms and of p q.
local function reader(args)
    local is_csr = args.product.layout == "csr"
    passes.give(cb.inverse, args.tiles)
    reduction.prepare(args.reduction)
    local function multiply_part(round)
        meet(args, round)
        sparse.fetch(args.product, round)
        sparse.gather(args.product, args.product.parts[1])
        if is_csr then
            noc_semaphore_wait_min(get_semaphore(args.done), round)
            passes.give(cb.q, args.tiles)
        end
    end
    local function see(iteration)
        if args.history then
            store_words(args.history + 4 * (args.iterations + iteration), load_word(args.total_at))
        end
    end
    accompany(args, multiply_part, passes.receive_sum, passes.reader_is_reached, see)
    reduction.finish(args.reduction)
    noc_async_atomic_barrier()
end

local function writer(args)
    local function multiply_part(round)
        sparse.await(args.product, round)
        sparse.gather(args.product, args.product.parts[2])
        if args.product.layout == "csr" then
            noc_semaphore_set(get_semaphore(args.done), round)
        end
    end
    accompany(args, multiply_part, function() reduction.send(args.reduction) end, passes.writer_is_reached, function() end)
end

pcg.kernels = { reader = reader, writer = writer, compute = compute }

-- Host

-- Which cores read p from each core.
local function readers_of(plan)
    local readers = {}
    for core in ipairs(plan.parts) do
        readers[core] = {}
    end
    for _, part in ipairs(plan.parts) do
        local seen = {}
        part.writers = 0
        for _, read in ipairs(part.reads) do
            if not seen[read.owner] then
                seen[read.owner], part.writers = true, part.writers + 1
                table.insert(readers[read.owner], { x = part.x, y = part.y })
            end
        end
    end
    return readers
end

-- Bytes of a core's L1 beside the matrix and the vectors: buffers of tiles, and the history.
function pcg.other_bytes(host, it)
    local unit, tile = arithmetic[it.format].unit, host.tile_bytes(it.format)
    return (2 * BLOCK[it.format] + 5) * tile + reduction.program_bytes(host, it.format, unit) + 8 * (it.iterations + 1) + 1024
end

pcg.vectors = { "x", "r", "q", "inverse" }      -- beside p, which is part of the window

-- Allocates vectors and what sums need, at the same addresses on all cores.
function pcg.place(host, it, plan)
    local function allocate(name, bytes)
        return host.l1_allocate { cores = plan.cores, bytes = bytes, name = name }
    end
    local at = { p = allocate("p and what others have of it", plan.window * plan.bytes) }
    for _, name in ipairs(pcg.vectors) do
        at[name] = allocate(name, plan.tiles * host.tile_bytes(it.format))
    end
    at.history = allocate("history", 8 * (it.iterations + 1))
    at.sums = reduction.memory(host, it.tree, it.format)
    return at
end

local function add_buffers(host, it, program, plan, at)
    local function buffer(cores, index, pages, address)
        program:circular_buffer { cores = cores, index = index, pages = pages, format = it.format, address = address }
    end
    for _, part in ipairs(plan.parts) do
        local core = { x = part.x, y = part.y }
        for name, address in pairs { x = at.x, r = at.r, p = at.p, q = at.q, z = at.q, inverse = at.inverse } do
            buffer(core, cb[name], part.slices, address)
        end
    end
    program:circular_buffer { cores = plan.cores, index = cb.gate, pages = 1, format = it.format, page_bytes = GATE_BYTES }
    buffer(plan.cores, cb.product, 2 * BLOCK[it.format])
    buffer(plan.cores, cb.delta, 1)
    if arithmetic[it.format].unit == "fpu" then     -- the SFPU adds up in Dst, and kernels know its factors
        buffer(plan.cores, cb.sum, 2)
        buffer(plan.cores, cb.alpha, 1)
        buffer(plan.cores, cb.beta, 1)
    end
end

function pcg.build(host, it, plan, at)
    local program, readers = host.program(), readers_of(plan)
    add_buffers(host, it, program, plan, at)
    local shares = product.describe(program, plan, { window = at.p, y_at = at.q })
    local sums = reduction.describe(host, program, {
        tree = it.tree, memory = at.sums, format = it.format, unit = arithmetic[it.format].unit, granularity = it.granularity,
    })
    local ready = program:semaphore { cores = plan.cores, value = 0, name = "parts of p are there" }
    local done = program:semaphore { cores = plan.cores, value = 0, name = "the writer's rows are done" }
    local told = program:semaphore { cores = plan.cores, value = 0, name = "whether the norm is reached" }
    local function args(x, y)
        local core = y * (plan.cores[3] + 1) + x + 1
        local part = plan.parts[core]
        return {
            format = it.format, tiles = part.slices, block = BLOCK[it.format], iterations = it.iterations, tolerance = it.tolerance,
            product = shares(x, y), reduction = sums(x, y), ready = ready, done = done, told = told, readers = readers[core],
            writers = part.writers, total_at = at.sums.result_at, history = core == 1 and at.history or nil,
        }
    end
    program:kernel { name = "reader", kernel = "reader", processor = "reader", cores = plan.cores, args = args }
    program:kernel { name = "writer", kernel = "writer", processor = "writer", cores = plan.cores, args = args }
    program:kernel { name = "compute", kernel = "compute", processor = "compute", cores = plan.cores, args = args,
        code = "large", fidelity = "hifi4", fp32_dst = true }
    return program
end

-- The norms from before the first iteration on, and p q of each iteration.
function pcg.read_history(host, it, at)
    local words = host.buffer(8 * (it.iterations + 1))
    host.l1_read(0, 0, at.history, words)
    local norms, step = passes.norms_of(host, words, it.format, it.iterations, it.tolerance)
    local curvatures = {}
    for i = 1, #norms do
        curvatures[i] = words:get(it.format, step * (it.iterations + i))
    end
    return norms, curvatures
end

return pcg
