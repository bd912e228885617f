-- Conjugate gradients with a kernel for each operation. Vectors stay in L1, or pass through it
-- from DRAM and back (cores/tile_stream.lua); everything else begins anew with each launch. The
-- norm goes to DRAM and to the host in every iteration.
-- Kernels find the arithmetic of their format in cores/pcg_arithmetic.lua.

local arithmetic = require("cores/pcg_arithmetic")
local chips = require("cores/chips")
local core_grid = require("cores/grid")
local laplacian = require("cores/laplacian7_operator")
local problem = require("cores/pcg_problem")
local reduction = require("cores/reduction")
local stream = require("cores/tile_stream")
local time_parts = require("cores/time_parts")

local split = {}

-- Circular buffers. The Laplacian has 13 from `stencil` on, and `gate`; cores/reduction.lua has
-- 24 to 29.
local cb = {
    a = 0, b = 1, out = 2, product = 3, above = 4, below = 5, constants = 6, mask = 7, whole = 8, stencil = 9, gate = 22, sum = 23,
    factor = 30,
}
local SCALAR_BYTES = 32         -- of a number that the host reads

local function each_block(args, f)
    for first = 0, args.tiles - 1, args.block do
        f(first, args.block)
    end
end

local function give(buffer, pages)
    cb_reserve_back(buffer, pages)
    cb_push_back(buffer, pages)
end

-- Vectors are there from the start, or the reader brings them in. A kernel's results are in place
-- when it ends.

local function give_vectors(args, ...)
    if args.sources then
        stream.read(args.sources, args.tiles, {})
        return
    end
    for _, buffer in ipairs { ... } do
        give(buffer, args.tiles)
    end
end

-- out = A a
local function multiply_reader(args)
    give(cb.constants, args.stencil.constant_count)
    if not args.stencil.source then
        give(cb.a, args.tiles)
    end
    if args.masks > 0 then
        give(cb.mask, args.masks)
    end
    laplacian.send(args.stencil, 0)
    laplacian.finish(args.stencil)
end

local function multiply_writer(args)
    laplacian.fill(args.stencil, 0)
    if not args.stencil.target then
        cb_wait_front(cb.out, args.tiles)
        cb_pop_front(cb.out, args.tiles)
    end
    laplacian.leave(args.stencil)
end

local function multiply(args)
    local unit = arithmetic[args.format]
    unit.start(cb.a, cb.constants, cb.out)
    cb_wait_front(cb.constants, args.stencil.constant_count)
    unattributed(args.tiles)
    zone("spmv", function()
        laplacian.apply(args.stencil)
        if args.is_masked then
            for _ = 1, args.tiles do
                unit.mask(1, cb.whole, cb.mask, cb.out)
            end
        end
    end)
end

-- The sum of a * b over all cores; a and b may be the same.
local function dot_reader(args)
    give_vectors(args, cb.a, args.b == cb.b and cb.b or nil)
    reduction.prepare(args.reduction)
    reduction.receive(args.reduction)
    reduction.total(args.reduction)
    reduction.finish(args.reduction)
    if args.norm and my_x() == 0 and my_y() == 0 then
        noc_async_write(args.total_at, get_noc_addr(0, args.norm), args.norm_bytes)
        noc_async_write_barrier()
    end
end

local function dot_writer(args)
    reduction.send(args.reduction)
end

local function dot(args)
    local unit = arithmetic[args.format]
    unit.start(cb.a, args.b, args.reduction.partial)
    zone("dot", function()
        unit.dot(args.block, args.tiles, cb.a, args.b, cb.product, cb.sum, args.reduction.partial, args.sources ~= nil)
        reduction.combine(args.reduction)
        cb_wait_front(args.reduction.result, 1)
        cb_pop_front(args.reduction.result, 1)
    end)
end

-- out = a + factor * b, or a - factor * b; factor is the number `above` over the number
-- `below`.
local function update_reader(args)
    give(cb.above, 1)
    give(cb.below, 1)
    give_vectors(args, cb.b, cb.a)
end

local function out_writer(args)
    if args.target then
        stream.write({ args.target }, args.tiles)
        return
    end
    cb_wait_front(cb.out, args.tiles)
    cb_pop_front(cb.out, args.tiles)
end

local function update(args)
    local unit = arithmetic[args.format]
    unit.start(cb.a, cb.b, cb.out)
    zone("axpy", function()
        local factor = unit.quotient(cb.above, cb.below, cb.factor)
        local add = args.is_less and unit.sub or unit.add
        each_block(args, function(_, n)
            unit.scale(n, cb.b, nil, factor, cb.product)
            add(n, cb.a, nil, cb.product, nil, cb.out)
        end)
        unit.drop(factor)
    end)
end

-- out = a / 6
local function scale_reader(args)
    arithmetic[args.format].make_sixth(cb.factor)
    give_vectors(args, cb.a)
end

local function scale(args)
    local unit = arithmetic[args.format]
    unit.start(cb.a, cb.factor, cb.out)
    zone("axpy", function()
        each_block(args, function(_, n) unit.scale(n, cb.a, nil, unit.sixth(cb.factor), cb.out) end)
    end)
end

split.kernels = {
    multiply_reader = multiply_reader, multiply_writer = multiply_writer, multiply = multiply,
    dot_reader = dot_reader, dot_writer = dot_writer, dot = dot,
    update_reader = update_reader, out_writer = out_writer, update = update,
    scale_reader = scale_reader, scale = scale,
}

-- Host

-- z has a place of its own, as the published capacity suggests. With one operation at a time,
-- buffers need that room, and z takes the place of q, which is free by then.
function split.vectors(it)
    return it.size.block == 1 and { "x", "r", "p", "q", "z" } or { "x", "r", "p", "q" }
end

-- L1 besides the vectors: numbers that live from one launch to the next.
function split.memory(host, it)
    local bytes = host.tile_bytes(it.format)
    return { pq = bytes, rr = bytes, delta_0 = bytes, delta_1 = bytes }
end

-- Vectors that go to or come from DRAM in an iteration, and before the first one while it is
-- measured.
function split.transfers(it)
    return it.dots == 4 and 20 or 18, 0
end

local function buffers_of(it, program, part)
    return function(index, pages, address)
        program:circular_buffer { cores = part.cores, index = index, pages = pages, format = it.format, address = address }
    end
end

-- Adds the circular buffers of vectors by name: those of `inputs`, { index, name } each, and `out`,
-- a name or nil. Returns a function that adds to the arguments of a core's kernels where they are
-- in DRAM.
local function add_vectors(it, buffer, plan, inputs, out)
    local size = it.size
    local function add(index, name, pages)
        buffer(index, size.is_streamed and pages or size.tiles, not size.is_streamed and (plan.at[name] or 0) or nil)
    end
    for _, input in ipairs(inputs) do
        add(input[1], input[2], stream.ring_pages)
    end
    if out then
        add(cb.out, out, stream.out_pages)
    end
    return function(args, x, y)
        if not plan.dram then
            return args
        end
        local first = core_grid.first_page(size, x, y)
        args.sources = {}
        for i, input in ipairs(inputs) do
            args.sources[i] = { cb = input[1], buffer = plan.dram[input[2]], first = first }
        end
        args.target = out and { cb = cb.out, buffer = plan.dram[out], first = first } or nil
        return args
    end
end

local function add_kernels(it, program, part, names, args)
    for processor, name in pairs(names) do
        local is_compute = processor == "compute"
        program:kernel {
            kernel = name, processor = processor, cores = part.cores, args = args,
            code = is_compute and "large" or nil, fp32_dst = is_compute and arithmetic[it.format].has_wide_dst or nil,
            fidelity = is_compute and "hifi4" or nil,
        }
    end
end

local function build_multiply(it, program, plan, part)
    local size, at = it.size, plan.at
    local buffer = buffers_of(it, program, part)
    if size.is_streamed then
        buffer(cb.out, stream.out_pages)
    else
        buffer(cb.a, size.tiles, at.p or 0)
        buffer(cb.out, size.tiles, at.q or 0)
        buffer(cb.whole, size.tiles, at.q or 0)
    end
    buffer(cb.constants, laplacian.constant_count(size), at.constants)
    buffer(cb.mask, core_grid.mask_count(size), at.mask)
    local halos = laplacian.describe(part.device, program, {
        size = size, cores = part.cores, format = it.format, halo = true, zero_fill = true,
        memory = plan.ring, first_buffer = cb.stencil, block = size.block,
        x = cb.a, y = cb.out, constants = cb.constants, x_address = at.p,
        far_memory = plan.far, overlap = it.overlap, gate = cb.gate, noted = it.has_zones and part.first or nil,
        mask = cb.mask, source = plan.dram and plan.dram.p, target = plan.dram and plan.dram.q,
    })
    add_kernels(it, program, part, { reader = "multiply_reader", writer = "multiply_writer", compute = "multiply" }, function(x, y)
        local column = part.chip.first + x
        local s, masks = halos(column, y), core_grid.mask_total(size, column, y)
        local is_masked = masks > 0 and not s.is_planar
        s.y = is_masked and cb.whole or cb.out
        return { tiles = size.tiles, block = size.block, format = it.format, stencil = s, is_masked = is_masked, masks = masks }
    end)
end

-- Takes the vectors a and b by name; the total goes to the number `to`.
local function build_dot(it, program, plan, part, a, b, to, norm)
    local size, at = it.size, plan.at
    local buffer = buffers_of(it, program, part)
    local place = add_vectors(it, buffer, plan, b ~= a and { { cb.a, a }, { cb.b, b } } or { { cb.a, a } })
    if arithmetic[it.format].unit == "fpu" then
        buffer(cb.product, 2 * size.block)
        buffer(cb.sum, 2)
    end
    local sums = reduction.describe(part.device, program, {
        tree = part.tree, format = it.format, unit = arithmetic[it.format].unit, granularity = it.granularity, has_zones = it.has_zones,
        memory = { slots = plan.memory.slots, slots_at = plan.memory.slots_at, flags_at = plan.memory.flags_at, result_at = at[to] },
    })
    add_kernels(it, program, part, { reader = "dot_reader", writer = "dot_writer", compute = "dot" }, function(x, y)
        return place({
            tiles = size.tiles, block = size.block, reduction = sums(x, y), b = b ~= a and cb.b or cb.a, total_at = at[to],
            norm = norm, norm_bytes = SCALAR_BYTES, format = it.format,
        }, x, y)
    end)
end

-- out = a +- above / below * b, all by name.
local function build_update(it, program, plan, part, out, a, b, above, below, is_less)
    local size, at = it.size, plan.at
    local buffer = buffers_of(it, program, part)
    local place = add_vectors(it, buffer, plan, { { cb.b, b }, { cb.a, a } }, out)
    buffer(cb.product, 2 * size.block)
    buffer(cb.above, 1, at[above])
    buffer(cb.below, 1, at[below])
    if arithmetic[it.format].unit == "fpu" then
        buffer(cb.factor, 1)
    end
    add_kernels(it, program, part, { reader = "update_reader", writer = "out_writer", compute = "update" },
        function(x, y)
            return place({ tiles = size.tiles, block = size.block, format = it.format, is_less = is_less }, x, y)
        end)
end

local function build_scale(it, program, plan, part, out, a)
    local size = it.size
    local buffer = buffers_of(it, program, part)
    local place = add_vectors(it, buffer, plan, { { cb.a, a } }, out)
    if arithmetic[it.format].unit == "fpu" then
        buffer(cb.factor, 1)
    end
    add_kernels(it, program, part, { reader = "scale_reader", writer = "out_writer", compute = "scale" },
        function(x, y) return place({ tiles = size.tiles, block = size.block, format = it.format }, x, y) end)
end

split.build_dot = build_dot

function split.builds(it)
    return {
        function(program, plan, part) build_multiply(it, program, plan, part) end,
        function(program, plan, part) build_dot(it, program, plan, part, "p", "q", "pq") end,
        function(program, plan, part) build_update(it, program, plan, part, "x", "x", "p", "delta_0", "pq", false) end,
    }
end

-- All programs of a chip, by name. Names with 0 or 1 say which delta is the new one.
local function build_all(it, plan, part, norm)
    local function new(build, ...)
        local program = part.device.program()
        build(it, program, plan, part, ...)
        return program
    end
    local programs = {
        multiply = new(build_multiply),
        pq = new(build_dot, "p", "q", "pq"), rr = new(build_dot, "r", "r", "rr", norm),
        z = new(build_scale, "z", "r"), p = new(build_scale, "p", "r"),
    }
    for new_one = 0, 1 do
        local now, before = "delta_" .. new_one, "delta_" .. 1 - new_one
        programs["rz_" .. new_one] = new(build_dot, "r", "z", now)
        programs["x_" .. new_one] = new(build_update, "x", "x", "p", now, "pq", false)
        programs["r_" .. new_one] = new(build_update, "r", "r", "q", now, "pq", true)
        programs["turn_" .. new_one] = new(build_update, "p", "z", "p", now, before, false)
    end
    return programs
end

-- Returns the norms from before the first iteration on, the seconds of all iterations, the
-- components before them, and the parts of the time.
function split.solve(host, it, plan)
    plan.at.z = plan.at.z or plan.at.q          -- in L1
    local on_norm = host.dram_buffer { pages = 1, page_bytes = SCALAR_BYTES }
    local programs = {}
    for i, part in ipairs(it.parts) do
        programs[i] = build_all(it, plan, part, i == 1 and on_norm or nil)
    end
    local norms, number = {}, host.buffer(SCALAR_BYTES)
    local times = time_parts.begin(it.size)
    local function run(...)
        for _, name in ipairs { ... } do
            chips.each(host, it.size, function(chip, i)
                time_parts.count(times, i, chip.device.wait(chip.device.launch(programs[i][name])))
            end)
        end
    end
    local function read_norm()
        host.sleep(host.number("host.read_us") * 1e-6)
        host.download(on_norm, number)
        return math.sqrt(number:get(it.format, 0))
    end
    run("z", "p", "rz_0", "rr")
    norms[0] = read_norm()
    local before = problem.components(it.size)
    times = time_parts.begin(it.size)
    local seconds = host.measure(function()
        local now = 0
        for i = 1, it.iterations do
            if it.tolerance and norms[i - 1] <= it.tolerance then
                break
            end
            if it.dots == 4 then
                run("rz_" .. now)
            end
            run("multiply", "pq", "x_" .. now, "r_" .. now, "rr")
            norms[i] = read_norm()
            if not (it.tolerance and norms[i] <= it.tolerance) then
                run("z", "rz_" .. 1 - now, "turn_" .. 1 - now)
            end
            now = 1 - now
        end
        return math.max(1, #norms)
    end)
    return norms, seconds, before, times
end

return split
