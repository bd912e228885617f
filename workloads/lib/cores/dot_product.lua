-- The dot product of two vectors in the cores' L1, as a script: each core multiplies and adds
-- its own tiles, the partial sums are added along a routing pattern, and all cores get the
-- total. script(patterns) declares it with these patterns.

local chips = require("cores/chips")
local core_grid = require("cores/grid")
local reduction = require("cores/reduction")
local time_parts = require("cores/time_parts")
local tree = require("cores/tree")
local vectors = require("cores/tile_vectors")

local A, B, PRODUCT, RUNNING = 0, 1, 2, 3       -- circular buffers
local TILE = 1024                               -- numbers in a tile
local PARTIAL = reduction.buffers.partial

local dot = {}

-- Kernels

-- The vectors are there from the start; then sums come in from other cores, and the total.
local function reader(args)
    cb_reserve_back(A, args.tiles)
    cb_push_back(A, args.tiles)
    cb_reserve_back(B, args.tiles)
    cb_push_back(B, args.tiles)
    reduction.prepare(args.reduction)
    reduction.receive(args.reduction)
    reduction.total(args.reduction)
    reduction.finish(args.reduction)
end

local function writer(args)
    reduction.send(args.reduction)
end

-- The sum over all cores. A kernel that uses the total would find it here.
local function add_up(r)
    reduction.combine(r)
    cb_wait_front(r.result, 1)
    cb_pop_front(r.result, 1)
end

-- On the SFPU the sum of products stays in Dst. On the FPU it goes through PRODUCT and RUNNING,
-- tile by tile.
local function compute(args)
    if args.unit == "fpu" then
        binary_op_init_common(A, B, PARTIAL)
    else
        init_sfpu(A, PARTIAL)
        mul_binary_tile_init()
        add_binary_tile_init()
    end
    zone("local", function()
        vectors[args.unit].dot(1, args.tiles, A, B, PRODUCT, RUNNING, PARTIAL)
    end)
    zone("reduction", function() add_up(args.reduction) end)
end

dot.kernels = { reader = reader, writer = writer, compute = compute }

-- Host

local function check_settings(host, p)
    if p.dtype == "fp32" and p.unit == "fpu" then
        host.refuse("unit = fpu, dtype fp32 needs sfpu: the FPU takes only 19 bits of a number")
    end
end

-- Makes the trees of sums; refuses a user's pattern that does not give a tree.
local function make_trees(host, p, patterns)
    local is_made, sums = pcall(tree.across, p.routing, patterns[p.routing], p.size)
    if not is_made then
        host.refuse(sums)
    end
    return sums
end

-- Allocates both vectors on all cores of a chip, if they fit beside the program.
local function allocate(host, p, cols)
    local tile_bytes = host.tile_bytes(p.dtype)
    local through = p.unit == "fpu" and 3 * tile_bytes or 0
    local room = host.l1_free(0, 0) - through - reduction.program_bytes(host, p.dtype, p.unit)
    local fit = room // (2 * tile_bytes)
    if p.tiles > fit then
        host.refuse(("%s = %d, %d of each vector fit into a core's L1 in %s"):format(p.size.depth, p.tiles, fit, p.dtype))
    end
    local cores, bytes = { 0, 0, cols - 1, p.rows - 1 }, p.tiles * tile_bytes
    return host.l1_allocate { cores = cores, bytes = bytes, name = "a" },
        host.l1_allocate { cores = cores, bytes = bytes, name = "b" }
end

-- Puts numbers into every core's L1, with 0 outside the grid, where nothing may add to a sum.
-- Returns the vectors as they were made, without these zeros.
local function fill(host, p, at_a, at_b)
    local share = p.tiles * host.tile_bytes(p.dtype)
    local function make(seed)
        local vector = host.buffer(p.rows * p.size.cols * share)
        vector:fill_random(p.dtype, seed, -1, 1)
        return vector, core_grid.inside(host, p.size, p.dtype, vector)
    end
    local a, in_a = make(1)
    local b, in_b = make(2)
    for core, _, y, x, chip in core_grid.each_core(p.size) do
        chip.device.l1_write(x, y, at_a, in_a:part(core * share, share))
        chip.device.l1_write(x, y, at_b, in_b:part(core * share, share))
    end
    return a, b
end

-- A chip's program; `sums` is its part of the trees.
local function build(host, p, sums, at_a, at_b, memory)
    local cores = { 0, 0, sums.cols - 1, p.rows - 1 }
    local program = host.program()
    local function buffer(index, pages, address)
        program:circular_buffer { cores = cores, index = index, pages = pages, format = p.dtype, address = address }
    end
    buffer(A, p.tiles, at_a)
    buffer(B, p.tiles, at_b)
    if p.unit == "fpu" then
        buffer(PRODUCT, 1)
        buffer(RUNNING, 2)
    end
    local describe = reduction.describe(host, program, {
        tree = sums, memory = memory, format = p.dtype, unit = p.unit, granularity = p.granularity,
        has_zones = #p.size.chips > 1,
    })
    local function args(x, y)
        return { tiles = p.tiles, unit = p.unit, reduction = describe(x, y) }
    end
    program:kernel { name = "reader", kernel = "reader", processor = "reader", cores = cores, args = args }
    program:kernel { name = "writer", kernel = "writer", processor = "writer", cores = cores, args = args }
    program:kernel {
        name = "compute", kernel = "compute", processor = "compute", cores = cores, args = args,
        code = "large", fp32_dst = p.dtype == "fp32", fidelity = "hifi4",
    }
    return program
end

-- The expected total: each core's own tiles, then up the tree, in the chip's arithmetic and
-- order. One number, in a buffer.
local function reference(host, p, sums, a, b)
    local partials = a:partials(p.dtype, b, p.tiles)
    local tile_bytes = host.tile_bytes(p.dtype)
    local function as_number(tile)
        local number = host.buffer(tile_bytes // TILE)
        number:set(p.dtype, 0, tile:total(p.dtype))
        return number
    end
    local function sum_at(node)
        local sum = partials:part(core_grid.place(p.size, node.chip.first + node.x, node.y) * tile_bytes, tile_bytes)
        if p.granularity == "scalar" then
            sum = as_number(sum)
        end
        for _, child in ipairs(node.children) do
            sum = sum:sum(p.dtype, sum_at(child), p.unit)
        end
        return sum
    end
    local sum = sum_at(sums.root)
    return p.granularity == "scalar" and sum or as_number(sum)
end

-- Each rounding is of a sum no larger than the sum of magnitudes. `roundings` is the most that
-- any product takes part in.
local function bound(p, sums, magnitude)
    local unit_roundoff = p.dtype == "fp32" and 2 ^ -23 or 2 ^ -7
    local roundings = 4 + p.tiles + 36 + sums.hops * sums.inputs
    return roundings * unit_roundoff * magnitude
end

-- Compares the total on every core with both references, inside the grid.
local function check(host, p, sums, memory, a, b)
    local size = host.tile_bytes(p.dtype) // TILE
    local cores = p.rows * p.size.cols
    local totals, one = host.buffer(cores * size), host.buffer(32)
    for core, _, y, x, chip in core_grid.each_core(p.size) do
        chip.device.l1_read(x, y, memory.result_at, one)
        totals:put(core * size, one:part(0, size))
    end
    if not host.is_functional then
        return
    end
    if p.size.is_padded then
        local it = core_grid.reference(p.size, { format = p.dtype })
        a, b = a:masked(it), b:masked(it)
    end
    local exact, magnitude = a:dot(p.dtype, b)
    local total = totals:get(p.dtype, 0)
    host.metric("total", total)
    host.metric("total_in_double", exact)
    host.metric("error_over_magnitudes", math.abs(total - exact) / magnitude)
    host.check {
        error = math.abs(total - exact), tolerance = bound(p, sums, magnitude),
        reference = "in double precision; every rounding at its worst",
    }
    if p.arithmetic == "chip" and (p.unit == "fpu") == (p.dtype == "bf16") then
        local expected, number = host.buffer(cores * size), reference(host, p, sums, a, b)
        for core = 0, cores - 1 do
            expected:put(core * size, number)
        end
        host.check_equal(totals, expected, "the chip's arithmetic and order, on every core, bit for bit")
    end
end

-- The unit that auto stands for.
local function unit_of(p)
    if p.unit == "auto" or p.unit == nil then
        return p.dtype == "fp32" and "sfpu" or "fpu"
    end
    return p.unit
end

-- The settings, with the size of the grid and its share of the chip.
local function copy_of(host, settings)
    local p = {}
    for name, value in pairs(settings) do
        p[name] = value
    end
    p.unit = unit_of(p)
    p.size = core_grid.size(host, p)
    p.rows, p.tiles = p.size.rows, p.size.tiles
    return p
end

-- Launches on all chips and waits for the last. Returns cycles of the slowest chip.
local function launch(host, p, programs, times)
    local most = 0
    chips.each(host, p.size, function(chip, i)
        local cycles = chip.device.wait(chip.device.launch(programs[i]))
        time_parts.count(times, i, cycles)
        most = math.max(most, cycles)
    end)
    return most
end

-- dot.place(host, settings, patterns): memory for dot products of these settings, or of any
-- with fewer cores or tiles on the same chips; the same addresses on all of them.
function dot.place(host, settings, patterns)
    local p = copy_of(host, settings)
    check_settings(host, p)
    local sums = make_trees(host, p, patterns)
    return chips.alike(p.size, function(chip, i)
        local memory = reduction.memory(chip.device, sums.parts[i], p.dtype, sums)
        local at_a, at_b = allocate(chip.device, p, chip.cols)
        return { memory = memory, at_a = at_a, at_b = at_b }
    end)
end

-- dot.measure(host, settings, patterns, place): runs and checks it. Returns seconds and chip
-- cycles per iteration, and the size. The settings are the script's parameters.
function dot.measure(host, settings, patterns, place)
    local p = copy_of(host, settings)
    local sums, programs = make_trees(host, p, patterns), {}
    local a, b = fill(host, p, place.at_a, place.at_b)
    for i, chip in ipairs(p.size.chips) do
        programs[i] = build(chip.device, p, sums.parts[i], place.at_a, place.at_b, place.memory)
    end
    local cycles, times = 0, time_parts.begin(p.size)
    local seconds = host.measure(function()
        for _ = 1, p.iterations do
            cycles = cycles + launch(host, p, programs, times)
        end
    end, p.iterations)
    if #p.size.chips > 1 then
        time_parts.report(host, time_parts.finish(times, seconds, p.iterations))
    end
    check(host, p, sums, place.memory, a, b)
    host.metric("device_cycles_per_iteration", cycles / p.iterations)
    host.metric("longest_way_hops", sums.hops)
    host.metric("most_inputs", sums.inputs)
    return seconds / p.iterations, cycles / p.iterations, p.size
end

local function run(host, p, patterns)
    local seconds, cycles, size = dot.measure(host, p, patterns, dot.place(host, p, patterns))
    print(("%s on the %s, %d x %d cores%s, %d tiles each, %s, %s: %.2f us an iteration, %.0f cycles of it on the chip")
        :format(p.dtype, unit_of(p):upper(), size.rows, size.cols, chips.words_of(size), size.tiles, p.granularity, p.routing,
            1e6 * seconds, cycles))
    host.metric("grid", { size.nx, size.ny, size.nz })
    host.metric("is_padded", size.is_padded)
    core_grid.print_padding(size, "what they hold outside the grid is 0")
    core_grid.tell(p, size)
    p.unit = unit_of(p)
end

-- Names of patterns, those that come with gridloom first.
local function names_of(patterns)
    local names = {}
    for _, name in ipairs { "naive", "center", "direct" } do
        if patterns[name] then
            names[#names + 1] = name
        end
    end
    for name in pairs(patterns) do
        if name ~= "naive" and name ~= "center" and name ~= "direct" then
            names[#names + 1] = name
        end
    end
    return names
end

function dot.script(patterns)
    local names = names_of(patterns)
    return {
        summary = "dot product: tiles multiplied and added, then a sum over all cores",
        chips = { "tensix" },
        parameters = core_grid.parameters {
            { name = "dtype", type = "choice", default = "fp32", choices = { tensix = { "fp32", "bf16" }, wse = { "fp32", "mixed", "fp16" } },
              help = "format of the numbers; mixed has fp16 numbers and fp32 sums" },
            { name = "granularity", type = "choice", default = "scalar", choices = { "scalar", "tile" }, chips = { "tensix" },
              help = "what cores send: one number, or a tile that the root adds up" },
            { name = "routing", type = "choice", default = names[1], choices = names, chips = { "tensix" }, help = "which core adds whose sum" },
            { name = "iterations", type = "integer", default = 1, min = 1, max = 1000000, help = "times the program is launched" },
            chips.words.chips,
            { name = "unit", type = "choice", default = "auto", choices = { "auto", "fpu", "sfpu" }, chips = { "tensix" },
              help = "which unit multiplies and adds; auto: fp32 sfpu, bf16 fpu" },
        },
        kernels = dot.kernels,
        run = function(host, p) run(host, p, patterns) end,
    }
end

return dot
