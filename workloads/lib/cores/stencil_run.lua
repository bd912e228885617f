-- The host's part of cores/stencil.lua: places in L1, the program, transfers and the checks.

local chip_halo = require("cores/chip_halo")
local chip_launch = require("cores/chip_launch")
local chips = require("cores/chips")
local core_grid = require("cores/grid")
local shifted = require("cores/shifted_tiles")

local TILE, SQUARE = 1024, 256  -- numbers of a tile, and of a square of it
local SQUARES = { 0, 2, 1, 3 }  -- of a tile, in the order that transposing leaves
local WORD = 4                  -- bytes that a mover stores
local FIDELITY = 4              -- of products on the FPU: all bits of both factors

-- Circular buffers: for each field, the tiles that are read and the new ones; and the rest.
local X, NEW = { 0, 1 }, { 2, 3 }
local TURNED, SHIFTED, UPRIGHT, CONSTANTS, PULSE, SLANTED, BACK, BACK_OUT, FILLED = 4, 5, 6, 7, 8, 9, 10, 11, 12
local TAKEN = 13        -- carries no data
local FAR_SLOTS = 2     -- only their halos keep chips together

local run = {}

-- Distances along y that a stencil needs, in order.
local function shifts_of(it)
    local found, shifts = {}, {}
    for _, sum in ipairs(it.sums) do
        for _, group in ipairs(sum.groups) do
            for _, dy in ipairs(group.at) do
                found[dy] = true
            end
        end
    end
    for dy in pairs(found) do
        shifts[#shifts + 1] = dy
    end
    table.sort(shifts)
    return shifts
end

-- The stencil as kernels need it: weights become indices of their tiles, distances along y
-- indices of the shifted tiles. Also returns the weights, { weight =, is_turned = }, in order.
local function resolve(it)
    local weights, index_of, place = {}, {}, {}
    for i, dy in ipairs(shifts_of(it)) do
        place[dy] = i - 1
    end
    local function constant(weight, is_turned)
        local key = ("%a %s"):format(weight, is_turned)
        if not index_of[key] then
            index_of[key] = #weights
            weights[#weights + 1] = { weight = weight, is_turned = is_turned }
        end
        return index_of[key]
    end
    local sums, groups = {}, {}
    for i, sum in ipairs(it.sums) do
        sums[i] = { at = sum.at, groups = {} }
        for j, group in ipairs(sum.groups) do
            local tiles = {}
            for t, dy in ipairs(group.at) do
                tiles[t] = { at = place[dy], shift = 0 }
            end
            sums[i].groups[j] = { weight = group.weight, constant = constant(group.weight, true), tiles = tiles }
        end
    end
    for i, group in ipairs(it.groups) do
        groups[i] = { weight = group.weight, constant = constant(group.weight, false), at = group.at }
    end
    local one = { weight = 1, constant = constant(1, false) }
    local minus_one = { weight = -1, constant = constant(-1, false) }
    return { sums = sums, groups = groups, one = one, minus_one = minus_one, shifts = shifts_of(it) }, weights
end

-- Bytes of a tile's lines of slanted sums that come from the neighbours.
local function kept_bytes(resolved, line_bytes)
    local bytes = 0
    for i = 2, #resolved.sums do
        for _, dx in ipairs(resolved.sums[i].at) do
            bytes = bytes + math.abs(dx) * line_bytes
        end
    end
    return bytes
end

-- The cores of a chip.
local function cores_of(plan, chip)
    return { 0, 0, chip.cols - 1, plan.size.rows - 1 }
end

-- L1 on the cores of one chip: addresses by name.
local function allocate_on(chip, plan)
    local host, cores, size, sizes = chip.device, cores_of(plan, chip), plan.size, plan.sizes
    local tile_bytes, slanted, ring = host.tile_bytes(plan.format), #plan.resolved.sums - 1, 2 * #plan.resolved.shifts
    local at = { fields = {} }
    local function allocate(name, bytes)
        return host.l1_allocate { cores = cores, bytes = bytes, name = name }
    end
    if plan.constant_count > 0 then
        at.constants = allocate("constants", plan.constant_count * tile_bytes)
    end
    at.turned, at.shifted = allocate("turned", 2 * tile_bytes), allocate("shifted", ring * tile_bytes)
    at.upright, at.pulse = allocate("upright", 2 * tile_bytes), allocate("pulse", tile_bytes)
    if slanted > 0 then
        at.slanted = allocate("slanted", slanted * tile_bytes)
        at.back = allocate("back", 2 * slanted * sizes.page + sizes.margin)
    end
    local semaphores = (shifted.semaphore_count + 2) * host.number("l1.noc_alignment_bytes")
    local far, flags = chip_halo.bytes(size, sizes.margin, FAR_SLOTS)
    local per_tile = 2 * (sizes.page + sizes.squares) + plan.kept_bytes + far
    local fit = (host.l1_free(0, 0) - semaphores - 2 * sizes.margin - flags) // per_tile
    if size.tiles > fit then
        host.refuse(("%s = %d, %d fit into a core's L1 in %s"):format(size.depth, size.tiles, math.max(fit, 0), plan.format))
    end
    for i = 1, 2 do
        at.fields[i] = {
            index = i, lines = allocate("lines", size.tiles * sizes.page + sizes.margin) + sizes.margin,
            squares = allocate("squares", size.tiles * sizes.squares), x = X[i], new = NEW[i],
        }
    end
    at.kept = plan.kept_bytes > 0 and allocate("kept", size.tiles * plan.kept_bytes) or 0
    at.far = chip_halo.memory(host, cores, { size = size, bytes = sizes.margin, slots = FAR_SLOTS })
    return at
end

-- Allocates L1 on all cores for a stencil `it` on a grid of this size. Returns a plan for
-- run.steps. Refuses more tiles than fit. BF16 has weights in tiles, FP32 only a mask, if it
-- needs one.
function run.place(host, size, it, format)
    local sizes = shifted.sizes(host, format, it.reach)
    local resolved, weights = resolve(it)
    local plan = {
        size = size, it = it, format = format, fidelity = FIDELITY, sizes = sizes, resolved = resolved, weights = weights,
        constant_count = format ~= "fp32" and #weights or size.is_padded and 1 or 0, kept_bytes = kept_bytes(resolved, sizes.line),
    }
    plan.at = chips.alike(size, function(chip) return allocate_on(chip, plan) end)
    return plan
end

-- The position of a tile's number after transposing.
local function turned(i)
    local line, number = i % SQUARE // shifted.line, i % shifted.line
    return SQUARES[i // SQUARE + 1] * SQUARE + number * shifted.line + line
end

-- A core's tiles of constants: weights, or ones, inside the grid and 0 outside.
local function constants_of(host, plan, column, row)
    local format, tile_bytes = plan.format, host.tile_bytes(plan.format)
    local constants, tile = host.buffer(plan.constant_count * tile_bytes), host.buffer(tile_bytes)
    local mask = core_grid.is_masked(plan.size, column, row) and core_grid.mask(host, plan.size, format, column, row)
    for i = 0, plan.constant_count - 1 do
        local it = format == "fp32" and { weight = 1, is_turned = false } or plan.weights[i + 1]
        tile:fill_with(format, it.weight)
        for number = 0, mask and TILE - 1 or -1 do
            if mask:get(format, number) == 0 then
                tile:set(format, it.is_turned and turned(number) or number, 0)
            end
        end
        constants:put(i * tile_bytes, tile)
    end
    return constants
end

-- Levels in the order of vectors on cores: zeros, and random numbers.
function run.zeros(host, plan)
    return host.buffer(plan.size.rows * plan.size.cols * plan.size.tiles * host.tile_bytes(plan.format))
end

function run.noise(host, plan, seed)
    local level = run.zeros(host, plan)
    level:fill_random(plan.format, seed, -1, 1)
    return core_grid.inside(host, plan.size, plan.format, level)
end

-- A core's `pulse`, if the source is on it: the tile's word with the source's number, step
-- after step.
local function pulse_of(host, plan, source, column, row)
    if not source or source.x // core_grid.nx ~= column or source.y // core_grid.ny ~= row then
        return
    end
    local number_bytes = host.tile_bytes(plan.format) // TILE
    local at = (source.x % core_grid.nx * core_grid.ny + source.y % core_grid.ny) * number_bytes
    local word, words = host.buffer(WORD), {}
    for step, sample in ipairs(source.samples) do
        word:set(plan.format, at % WORD // number_bytes, sample)
        words[step] = word:byte(0) | word:byte(1) << 8 | word:byte(2) << 16 | word:byte(3) << 24
    end
    return { cb = PULSE, k = source.z, address = plan.at.pulse + at // WORD * WORD, words = words }
end

-- Puts the present level and the one before on the cores of a chip, and 0 into all margins.
local function upload(chip, plan, present, before)
    local host, at = chip.device, plan.at
    local size, sizes, tile_bytes = plan.size, plan.sizes, host.tile_bytes(plan.format)
    local squares, kept = host.buffer(size.tiles * sizes.squares), host.buffer(size.tiles * plan.kept_bytes)
    for core, column, row, x in core_grid.each_core(size, chip) do
        if plan.constant_count > 0 then
            host.l1_write(x, row, at.constants, constants_of(host, plan, column, row))
        end
        host.l1_write(x, row, at.pulse, host.buffer(tile_bytes))
        for i, level in ipairs { present, before } do
            local lines = host.buffer(size.tiles * sizes.page)
            for k = 0, size.tiles - 1 do
                lines:put(k * sizes.page + sizes.margin, level:part((core * size.tiles + k) * tile_bytes, tile_bytes))
            end
            host.l1_write(x, row, at.fields[i].lines - sizes.margin, lines)
            host.l1_write(x, row, at.fields[i].squares, squares)
        end
        if plan.kept_bytes > 0 then
            host.l1_write(x, row, at.kept, kept)
        end
        if at.far then
            chip_halo.clear(host, x, row, at.far)
        end
    end
end

-- Reads the last level of a chip's cores into `result`.
local function download(chip, plan, steps, result)
    local host, size, sizes = chip.device, plan.size, plan.sizes
    local tile_bytes, lines = host.tile_bytes(plan.format), host.buffer(size.tiles * sizes.page)
    for core, _, row, x in core_grid.each_core(size, chip) do
        host.l1_read(x, row, plan.at.fields[steps % 2 + 1].lines - sizes.margin, lines)
        for k = 0, size.tiles - 1 do
            result:put((core * size.tiles + k) * tile_bytes, lines:part(k * sizes.page + sizes.margin, tile_bytes))
        end
    end
end

local function add_buffers(program, plan, cores)
    local size, sizes, at = plan.size, plan.sizes, plan.at
    local slanted = #plan.resolved.sums - 1
    local function buffer(index, pages, address, page_bytes)
        program:circular_buffer {
            cores = cores, index = index, pages = pages, format = plan.format, address = address, page_bytes = page_bytes,
        }
    end
    for i, field in ipairs(at.fields) do
        buffer(X[i], size.tiles, field.lines, sizes.page)
        buffer(NEW[i], size.tiles, field.lines, sizes.page)
    end
    buffer(TURNED, 2, at.turned)
    buffer(SHIFTED, 2 * #plan.resolved.shifts, at.shifted)
    buffer(UPRIGHT, 2, at.upright)
    if plan.constant_count > 0 then
        buffer(CONSTANTS, plan.constant_count, at.constants)
    end
    buffer(PULSE, 1, at.pulse)
    if slanted > 0 then
        buffer(SLANTED, slanted, at.slanted)
        for _, index in ipairs { BACK, BACK_OUT, FILLED } do
            buffer(index, 2 * slanted, at.back + sizes.margin, sizes.page)
        end
    end
    if at.far then
        buffer(TAKEN, 2, at.upright)
    end
end

local function build(chip, plan, p, problem)
    local host, cores, size, at = chip.device, cores_of(plan, chip), plan.size, plan.at
    local program, noted = host.program(), chip_launch.noted(size, chip)
    add_buffers(program, plan, cores)
    local describe = shifted.describe(host, program, {
        size = size, cores = cores, format = plan.format, reach = plan.it.reach, shifts = plan.resolved.shifts,
        has_lines = #plan.it.groups > 0, turned = TURNED, shifted = SHIFTED, far_memory = at.far, overlap = p.overlap,
    })
    local edges = { north = program:semaphore { cores = cores }, south = program:semaphore { cores = cores } }
    local function args(x, row)
        local column = chip.first + x
        local s = describe(column, row)
        s.format, s.tiles, s.steps, s.fields = plan.format, size.tiles, problem.steps, at.fields
        s.constants, s.constant_count, s.upright = CONSTANTS, plan.constant_count, UPRIGHT
        s.slanted, s.back, s.back_out, s.filled, s.taken = SLANTED, BACK, BACK_OUT, FILLED, TAKEN
        s.edges, s.kept, s.kept_bytes = edges, at.kept, plan.kept_bytes
        s.pulse = pulse_of(host, plan, problem.source, column, row)
        s.has_zones = noted and noted.x == x and noted.y == row or nil
        s.is_masked, s.has_before = core_grid.is_masked(size, column, row), plan.it.has_before
        s.sums, s.groups, s.one, s.minus_one = plan.resolved.sums, plan.resolved.groups, plan.resolved.one, plan.resolved.minus_one
        return s
    end
    for _, processor in ipairs { "reader", "writer", "compute" } do
        program:kernel {
            name = processor, kernel = processor, processor = processor, cores = cores, args = args,
            code = processor == "compute" and "large" or nil, fp32_dst = processor == "compute" or nil,
            fidelity = processor == "compute" and "hifi" .. FIDELITY or nil,
        }
    end
    return program
end

-- The description of a stencil, by default the plan's, that the references need.
local function reference(plan, problem, it)
    it = it or plan.it
    return core_grid.reference(plan.size, {
        format = plan.format, fidelity = FIDELITY, steps = problem.steps, before = problem.before, has_before = it.has_before,
        reach = it.reach, sums = it.sums, groups = it.groups, source = problem.source,
    })
end

-- The last level in double precision, stored in fp32; cells lie as on wafers. `it` is a
-- stencil, by default the plan's.
function run.exact(plan, problem, it)
    return problem.present:stencil_exact(reference(plan, problem, it))
end

-- Compares the last level with both references, which share no code with the chip's model; as_chip
-- is a function for one of them, or nil.
local function check(host, plan, problem, result, as_chip)
    local what = reference(plan, problem)
    what.result = result
    if as_chip then
        host.check_equal(result, as_chip(), "the stencil in the chip's rounding and order, bit for bit")
    end
    host.check {
        error = problem.present:stencil_error(what), tolerance = 1,
        reference = "the stencil in double precision, in units of what the roundings may lose",
    }
end

-- Runs and checks the steps. Returns the cycles of one until the last core has ended, their
-- mean over cores, with several chips the parts of the time and, with data, the last level. `problem` has steps, present
-- and before (levels), and source (nil, or x, y, z and samples).
function run.steps(host, plan, p, problem)
    local has_reference = host.is_functional and p.arithmetic ~= "ieee"
    local as_chip = has_reference and host.reference(problem.present, "stencil", reference(plan, problem)) or nil
    chips.each(host, plan.size, function(chip) upload(chip, plan, problem.present, problem.before) end)
    local cycles, mean, times = chip_launch.measure(host, plan.size, function(chip) return build(chip, plan, p, problem) end, problem.steps)
    local result
    if host.is_functional then
        result = run.zeros(host, plan)
        chips.each(host, plan.size, function(chip) download(chip, plan, problem.steps, result) end)
        check(host, plan, problem, result, as_chip)
    end
    return { steps = problem.steps, cycles = cycles / problem.steps, mean = mean / problem.steps, times = times, result = result }
end

return run
