-- y = A x with the 7-point Laplacian on a grid of cores, with x in L1 or in DRAM, as a part of
-- scripts: the kernels, and product(host, p), which makes numbers, multiplies and checks.
-- cores/laplacian7.lua describes the layout. (The name stencil7.lua is taken by the script.)

local chip_halo = require("cores/chip_halo")
local chip_launch = require("cores/chip_launch")
local chips = require("cores/chips")
local core_grid = require("cores/grid")
local field = require("field")
local grid_field = require("cores/grid_field")
local laplacian = require("cores/laplacian7_operator")
local stream = require("cores/tile_stream")
local time_parts = require("cores/time_parts")
local vectors = require("cores/tile_vectors")

-- Circular buffers. The Laplacian has 13 from FIRST_BUFFER on; WHOLE lies on Y.
local X, Y, CONSTANTS, FIRST_BUFFER = 0, 1, 2, 3
local MASK = FIRST_BUFFER + laplacian.buffer_count
local WHOLE, GATE = MASK + 1, MASK + 2
local FAR_SLOTS = 2     -- only their halos keep chips together
local TILE, LINES, LINE = 1024, core_grid.nx, core_grid.ny      -- numbers of a tile, its lines, numbers of one
local SAMPLES, SAMPLE_STEP = 4096, 1000003              -- numbers checked in double precision; a prime

local product = {}

-- Kernels

local function reader(args)
    if args.stencil.format ~= "fp32" or args.stencil.has_diagonal then
        cb_reserve_back(CONSTANTS, args.stencil.constant_count)
        cb_push_back(CONSTANTS, args.stencil.constant_count)
    end
    if args.masks > 0 then
        cb_reserve_back(MASK, args.masks)
        cb_push_back(MASK, args.masks)
    end
    for i = 0, args.iterations - 1 do
        if not args.stencil.source then
            cb_reserve_back(X, args.stencil.tiles)
            cb_push_back(X, args.stencil.tiles)
        end
        laplacian.send(args.stencil, i * args.stencil.tiles)
    end
    laplacian.finish(args.stencil)
end

local function writer(args)
    for i = 0, args.iterations - 1 do
        laplacian.fill(args.stencil, i * args.stencil.tiles)
        if not args.stencil.target then
            cb_wait_front(Y, args.stencil.tiles)
            cb_pop_front(Y, args.stencil.tiles)
        end
    end
    laplacian.leave(args.stencil)
end

-- Sets y to 0 outside the grid, unless the product has done so.
local function mask(args)
    for _ = 1, args.stencil.tiles do
        if args.stencil.format == "fp32" then
            vectors.sfpu.mul(1, WHOLE, nil, MASK, 0, Y)
        else
            vectors.fpu.scale_by_tile(1, WHOLE, nil, MASK, 0, Y)
        end
    end
end

local function compute(args)
    if args.stencil.format == "fp32" then
        init_sfpu(X, Y)
        add_binary_tile_init()
        binop_with_scalar_tile_init()
        if args.masks > 0 or args.stencil.has_diagonal then
            mul_binary_tile_init()
        end
    else
        binary_op_init_common(X, CONSTANTS, Y)
    end
    for _ = 1, args.iterations do
        laplacian.apply(args.stencil)
        if args.is_masked then
            mask(args)
        end
        if not args.stencil.source then
            cb_pop_front(X, args.stencil.tiles)
        end
    end
end

product.kernels = { reader = reader, writer = writer, compute = compute }

-- Host

-- The settings, with the size of the grid and its share of the chip; refuses a grid that is too
-- large.
function product.settings(host, chosen)
    local p = {}
    for name, value in pairs(chosen) do
        p[name] = value
    end
    p.size = core_grid.size(host, p)
    core_grid.set_streamed(host, p.size, p.vectors)
    p.rows, p.cols, p.tiles = p.size.rows, p.size.cols, p.size.tiles
    p.size.has_diagonal = field.is_given(host, p, "diagonal", { "6" })
    laplacian.check_diagonal(host, p.size)
    if (p.size.wide * p.size.high > 1 or p.size.is_streamed) and not (p.halo and p.zero_fill) then
        host.refuse(("halo and zero_fill are on with %s"):format(p.size.is_streamed and "vectors=dram" or
            ("%d x %d tiles of a core in each layer"):format(p.size.wide, p.size.high)))
    end
    return p
end

-- Numbers beside the parts left out are unknown: copies them from `expected`.
local function leave_out(p, y, expected)
    local line_bytes = #y // (p.rows * p.cols * p.tiles * LINES)
    local function copy(number)
        y:set(p.dtype, number, expected:get(p.dtype, number))
    end
    for core, column, row in core_grid.each_core(p.size) do
        local open = laplacian.open_sides(p, column, row)
        for tile = core * p.tiles, (core + 1) * p.tiles - 1 do
            for line in pairs { [0] = open.north, [LINES - 1] = open.south } do
                local at = (tile * LINES + line) * line_bytes
                y:put(at, expected:part(at, line_bytes))
            end
            for number in pairs { [0] = open.west, [LINE - 1] = open.east } do
                for line = tile * LINES, (tile + 1) * LINES - 1 do
                    copy(line * LINE + number)
                end
            end
        end
    end
end

-- One number of A x in double precision, and the sum of its terms' magnitudes; 0 outside the
-- grid. i, j and k count along nx, ny and nz.
local function exact(p, x, diagonal, i, j, k)
    local function at(vector, i, j, k)
        if i < 0 or j < 0 or k < 0 or i >= p.size.nx or j >= p.size.ny or k >= p.size.nz then
            return 0
        end
        local column = i // LINES * p.size.tile_rows + j // LINE
        return vector:get(p.dtype, ((column * p.size.nz + k) * LINES + i % LINES) * LINE + j % LINE)
    end
    if i >= p.size.nx or j >= p.size.ny then
        return 0, 0
    end
    local sum = (diagonal and at(diagonal, i, j, k) or 6) * at(x, i, j, k)
    local size = math.abs(sum)
    for _, step in ipairs { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } do
        for sign = -1, 1, 2 do
            local term = at(x, i + sign * step[1], j + sign * step[2], k + sign * step[3])
            sum, size = sum - term, size + math.abs(term)
        end
    end
    return sum, size
end

-- The error of a sample against double precision, in units of the most that 7 products and 6
-- sums may lose: each loses half a unit in the last place of the terms' magnitudes.
local function sampled_error(p, x, diagonal, y)
    local numbers = p.rows * p.cols * p.tiles * TILE
    local unit = 13 * (p.dtype == "fp32" and 0x1p-24 or 0x1p-8)
    local worst = 0
    for sample = 0, math.min(numbers, SAMPLES) - 1 do
        local number = numbers <= SAMPLES and sample or (sample * SAMPLE_STEP) % numbers
        local column, tile = number // TILE // p.size.nz, number // TILE % p.size.nz
        local i, j = column // p.size.tile_rows * LINES + number % TILE // LINE, column % p.size.tile_rows * LINE + number % LINE
        local sum, size = exact(p, x, diagonal, i, j, tile)
        local error = math.abs(y:get(p.dtype, number) - sum)
        worst = math.max(worst, error == 0 and 0 or error / (unit * size))
    end
    return worst
end

-- The references share no code with the chip's model.
local function check(host, p, x, diagonal, y)
    local is_whole = p.halo and p.zero_fill
    local expected = x:laplacian(core_grid.reference(p.size, { format = p.dtype, diagonal = diagonal }))
    local where = is_whole and "" or ", inside: numbers next to edges that were left out are not checked"
    if not is_whole and host.is_functional then
        leave_out(p, y, expected)
    end
    if p.arithmetic ~= "ieee" then
        host.check_equal(y, expected, "7-point Laplacian in the chip's rounding, bit for bit" .. where)
    end
    if host.is_functional then
        host.check {
            error = sampled_error(p, x, diagonal, y), tolerance = 1,
            reference = "7-point Laplacian in double precision, a sample, in units of what 13 roundings may lose" .. where,
        }
    end
end

-- Bytes of an edge that goes to another chip.
local function edge_bytes(host, p)
    return host.tile_bytes(p.dtype) // LINES
end

-- The cores of a chip.
local function cores_of(p, chip)
    return { 0, 0, chip.cols - 1, p.rows - 1 }
end

local function allocate_on(chip, p)
    local host, cores = chip.device, cores_of(p, chip)
    local tile_bytes = host.tile_bytes(p.dtype)
    local function allocate(name, tiles)
        return host.l1_allocate { cores = cores, bytes = tiles * tile_bytes, name = name }
    end
    local memory = {
        stencil = laplacian.memory(host, cores, p.dtype, p.size),
        constants = allocate("constants", laplacian.constant_count(p.size)),
        mask = p.size.is_padded and allocate("mask", core_grid.mask_count(p.size)) or nil,
    }
    if p.size.is_streamed then
        core_grid.refuse_buffers(host, p.size, p.dtype, stream.out_pages * tile_bytes)
        memory.y = allocate("tiles of y", stream.out_pages)
        return memory
    end
    local semaphores = laplacian.semaphore_count * host.number("l1.noc_alignment_bytes")
    local far, flags = chip_halo.bytes(p.size, p.halo and edge_bytes(host, p) or 0, FAR_SLOTS)
    -- A diagonal lies with the constants, which are allocated.
    local count, diagonal_bytes = 2, 0
    if p.size.has_diagonal then
        count, diagonal_bytes = 3, p.tiles * tile_bytes
    end
    local fit = (host.l1_free(0, 0) + diagonal_bytes - semaphores - flags) // (count * tile_bytes + far)
    if p.tiles > fit then
        local plane = p.size.wide * p.size.high
        host.refuse(("%s = %d%s, %d of x and of y fit into a core's L1 in %s; vectors=dram has room for more"):format(p.size.depth, p.size.nz,
            plane > 1 and (" with %d tiles of a core in each layer"):format(plane) or "", math.max(0, fit) // plane, p.dtype))
    end
    memory.x, memory.y = allocate("x", p.tiles), allocate("y", p.tiles)
    memory.far = p.halo and chip_halo.memory(host, cores, { size = p.size, bytes = edge_bytes(host, p), slots = FAR_SLOTS }) or nil
    return memory
end

-- L1 for x, y, the constants and the stencil's own needs, on all cores. If they do not fit,
-- says how many tiles would. With vectors in DRAM, `dram` has their buffers.
function product.memory(host, p)
    local memory = chips.alike(p.size, function(chip) return allocate_on(chip, p) end)
    if p.size.is_streamed then
        memory.dram = { x = stream.allocate(host, p.size, p.dtype), y = stream.allocate(host, p.size, p.dtype) }
    end
    return memory
end

-- x, 0 outside the grid.
local function upload(host, p, memory, x, diagonal)
    local inside = core_grid.inside(host, p.size, p.dtype, x)
    if memory.dram then
        core_grid.upload(host, p.size, inside, memory.dram.x)
    end
    chips.each(host, p.size, function(chip)
        for core, column, row, at in core_grid.each_core(p.size, chip) do
            if memory.x then
                chip.device.l1_write(at, row, memory.x, core_grid.share(host, p.size, inside, core))
            end
            chip.device.l1_write(at, row, memory.constants,
                laplacian.constants_of(host, p.size, p.dtype, diagonal and core_grid.share(host, p.size, diagonal, core)))
            core_grid.put_masks(chip.device, p.size, p.dtype, column, row, memory.mask)
            if memory.far then
                chip_halo.clear(chip.device, at, row, memory.far)
            end
        end
    end)
end

local function build(chip, p, memory)
    local cores, host = cores_of(p, chip), chip.device
    local program = host.program()
    local function buffer(index, pages, address)
        program:circular_buffer { cores = cores, index = index, pages = pages, format = p.dtype, address = address }
    end
    if memory.x then
        buffer(X, p.tiles, memory.x)
    end
    buffer(Y, memory.dram and stream.out_pages or p.tiles, memory.y)
    buffer(CONSTANTS, laplacian.constant_count(p.size), memory.constants)
    local describe = laplacian.describe(host, program, {
        size = p.size, cores = cores, format = p.dtype, halo = p.halo, zero_fill = p.zero_fill,
        memory = memory.stencil, first_buffer = FIRST_BUFFER, x = X, y = Y, constants = CONSTANTS, x_address = memory.x,
        far_memory = memory.far, overlap = p.overlap, gate = GATE, noted = chip_launch.noted(p.size, chip), mask = MASK,
        source = memory.dram and memory.dram.x, target = memory.dram and memory.dram.y,
    })
    if p.size.is_padded then
        buffer(MASK, core_grid.mask_count(p.size), memory.mask)
        if memory.x then
            buffer(WHOLE, p.tiles, memory.y)
        end
    end
    local function args(x, row)
        local column = chip.first + x
        local stencil, masks = describe(column, row), core_grid.mask_total(p.size, column, row)
        local is_masked = masks > 0 and not stencil.is_planar
        stencil.y = is_masked and WHOLE or Y
        return { iterations = p.iterations, stencil = stencil, is_masked = is_masked, masks = masks }
    end
    program:kernel { name = "reader", kernel = "reader", processor = "reader", cores = cores, args = args }
    program:kernel { name = "writer", kernel = "writer", processor = "writer", cores = cores, args = args }
    program:kernel {
        name = "compute", kernel = "compute", processor = "compute", cores = cores, args = args,
        code = "large", fp32_dst = p.dtype == "fp32", fidelity = "hifi4",
    }
    return program
end

-- A vector of the user's, or nil.
local function of_user(host, p, name, word)
    local given = field.given(host, p, name, p.size, p.dtype, { word })
    return given and grid_field.fold(host, p.size, p.dtype, given)
end

-- The user's x, or random numbers.
local function start_of(host, p)
    local x = of_user(host, p, "start", "random")
    if not x then
        x = host.buffer(p.rows * p.cols * p.tiles * host.tile_bytes(p.dtype))
        x:fill_random(p.dtype, 1, -8, 8)
    end
    return x
end

-- Multiplies, in `memory`, and checks. Returns cycles per iteration until the last core has
-- ended, their mean over cores and, with several chips, the parts of the time. p, of
-- product.settings, also has: dtype, halo, zero_fill, iterations, arithmetic, overlap.
function product.multiply(host, p, memory)
    local x, diagonal = start_of(host, p), of_user(host, p, "diagonal", "6")
    upload(host, p, memory, x, diagonal)
    local cycles, mean, times = chip_launch.measure(host, p.size, function(chip) return build(chip, p, memory) end, p.iterations)
    local y = memory.dram and core_grid.download(host, p.size, memory.dram.y, #x) or
        core_grid.read(host, p.size, memory.y, p.tiles * host.tile_bytes(p.dtype))
    field.save(host, "y", p.size, p.dtype, function() return grid_field.unfold(host, p.size, p.dtype, y) end)
    check(host, p, x, diagonal, y)
    return cycles / p.iterations, mean / p.iterations, times
end

-- Runs the script stencil7.lua.
function product.run(host, chosen)
    local p = product.settings(host, chosen)
    local cycles, mean, times = product.multiply(host, p, product.memory(host, p))
    host.metric("cycles_per_tile", cycles / p.tiles)
    host.metric("mean_core_cycles_per_tile", mean / p.tiles)
    host.metric("grid", { p.size.nx, p.size.ny, p.size.nz })
    host.metric("is_padded", p.size.is_padded)
    print(("%d x %d x %d grid, %s, %d x %d cores%s: %.0f cycles, %.1f per tile"):format(
        p.size.nx, p.size.ny, p.size.nz, p.dtype, p.rows, p.cols, chips.words_of(p.size), cycles, cycles / p.tiles))
    if times then
        time_parts.report(host, times)
    end
    if p.size.is_streamed then
        local bytes = 2 * p.rows * p.cols * p.tiles * host.tile_bytes(p.dtype)
        core_grid.report_dram(host, bytes, cycles / host.number("chip.clock_hz"))
    end
    core_grid.print_padding(p.size, "masked after each product with the matrix")
    core_grid.tell(chosen, p.size)
    chosen.start, chosen.diagonal = p.start, p.diagonal
end

return product
