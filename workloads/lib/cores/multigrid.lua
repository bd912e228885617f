-- Multigrid on cores: the host's part. A level has a tile of 64 x 16 cells and layer on each core,
-- masked beyond the grid, so the next one is on a quarter of the cores, those in the corner, down to
-- one. Launches of a level: sweeps with the residual and its sums along z; restriction along x and y
-- (on the coarser level's cores); after the coarser levels prolongation along x and y, then along z
-- and sweeps. cores/multigrid/smoothing.lua and cores/multigrid/transfer.lua have the kernels.

local chips = require("cores/chips")
local core_grid = require("cores/grid")
local field = require("field")
local grid_field = require("cores/grid_field")
local laplacian = require("cores/laplacian7_operator")
local multigrid = require("v_cycle")
local problem = require("cores/pcg_problem")
local reduction = require("cores/reduction")
local routing = require("cores/routing")
local smoothing = require("cores/multigrid/smoothing")
local split = require("cores/pcg_split")
local transfer = require("cores/multigrid/transfer")
local tree = require("cores/tree")

local NUMBER_BYTES = 32                 -- of the norm, which the host reads
local MOST_LEVELS = 16
local SLACK = 2e-3                      -- 2^-11 of the FPU, in two transfers to each level and back
local NOTED = { "residual", "restrict", "prolong" }
local HALF, ZERO = 1, 2                 -- the places of 1/2 and 0 among weights

local workload = { kernels = {} }
for _, part in ipairs { smoothing.kernels, transfer.kernels, split.kernels } do
    for name, kernel in pairs(part) do
        workload.kernels[name] = kernel
    end
end

-- A level's grid as cores/grid.lua has it: one tile of a core in each layer, on one chip.
local function size_of(host, cells)
    local cols, rows = -(-cells.nx // core_grid.nx), -(-cells.ny // core_grid.ny)
    return {
        nx = cells.nx, ny = cells.ny, nz = cells.nz, layers = cells.nz, tiles = cells.nz, depth = "nz", cols = cols, rows = rows, wide = 1,
        high = 1, tile_cols = cols, tile_rows = rows, count = 1, chips = chips.spread(host, 1, cols), block = 1,
        is_padded = cells.nx % core_grid.nx ~= 0 or cells.ny % core_grid.ny ~= 0,
    }
end

local function check_cores(host, p)
    local cols, rows = host.grid()
    if p.nx > cols * core_grid.nx or p.ny > rows * core_grid.ny then
        host.refuse(("nx = %d, ny = %d: %s has %d x %d cores, nx is up to %d and ny up to %d"):format(p.nx, p.ny, host.chip, cols, rows,
            cols * core_grid.nx, rows * core_grid.ny))
    end
end

-- Levels with their sizes and plans of transfers to and from the next.
local function levels_of(host, plan)
    local levels = { matrices = {} }
    for i, cells in ipairs(plan.sizes) do
        levels[i] = { number = i - 1, size = size_of(host, cells), coarse = 0 }
    end
    for i = 1, #levels - 1 do
        local fine, coarse = levels[i], levels[i + 1]
        fine.coarse = coarse.size.nz
        fine.restriction = transfer.plan("restrict", fine.size, coarse.size, levels.matrices)
        fine.prolongation = transfer.plan("prolong", coarse.size, fine.size, levels.matrices)
    end
    return levels
end

-- Refuses levels that do not fit into the L1 of the core that has all of them.
local function check_room(host, p, levels, numbers, free)
    local tile_bytes, tiles, matrices, buffers = host.tile_bytes(p.dtype), 0, #levels.matrices, smoothing.bytes(host, p.dtype)
    for _, level in ipairs(levels) do
        tiles = tiles + 3 * level.size.nz + level.coarse + 1
        for _, way in ipairs { level.restriction or false, level.prolongation or false } do
            if way then
                buffers = math.max(buffers, (transfer.ahead * way.sources + way.groups) * tile_bytes)
            end
        end
    end
    local needed = (tiles + matrices + numbers + 4) * tile_bytes + buffers
    if needed > free then
        host.refuse(("nz = %d in %s with %s needs %d bytes of L1, %d are free"):format(p.nz, p.dtype, multigrid.counted(p.levels, "level"), needed, free))
    end
end

-- Addresses of a level's vectors.
local function place(host, level, format, shared)
    local size, tile_bytes = level.size, host.tile_bytes(format)
    local at = { ring = shared.ring, constants = shared.constants, weights = shared.weights }
    local function vector(name, tiles)
        at[name] = host.l1_allocate { cores = shared.cores, bytes = tiles * tile_bytes, name = name .. level.number }
    end
    vector("u", size.tiles)
    vector("f", size.tiles)
    vector("q", size.tiles)
    vector("mask", 1)
    if level.coarse > 0 then
        vector("t", level.coarse)
    end
    for _, column, row in core_grid.each_core(size) do
        core_grid.put_masks(host, size, format, column, row, at.mask)
    end
    level.at = at
end

-- What all levels share: numbers of weights, constants, the Laplacian's buffers.
local function place_shared(host, size, format, numbers)
    local cores, tile_bytes = { 0, 0, size.cols - 1, size.rows - 1 }, host.tile_bytes(format)
    local weights, tile = host.buffer(#numbers * tile_bytes), host.buffer(tile_bytes)
    for i, number in ipairs(numbers) do
        tile:fill_with(format, number)
        weights:put((i - 1) * tile_bytes, tile)
    end
    local constants = laplacian.constants_of(host, size, format)
    local shared = {
        cores = cores,              -- L1 is taken on all, so that addresses are the same
        ring = laplacian.memory(host, cores, format, size, 1),
        constants = host.l1_allocate { cores = cores, bytes = #constants, name = "constants" },
        weights = host.l1_allocate { cores = cores, bytes = #weights, name = "weights" },
    }
    for _, column, row in core_grid.each_core(size) do
        host.l1_write(column, row, shared.constants, constants)
        host.l1_write(column, row, shared.weights, weights)
    end
    return shared
end

-- All numbers that kernels multiply by, and where those of sweeps are.
local function numbers_of(plan)
    local numbers, at = { 0.5, 0 }, {}
    for _, name in ipairs { "before", "after", "coarsest" } do
        at[name] = {}
        for i, weight in ipairs(plan[name]) do
            numbers[#numbers + 1] = weight
            at[name][i] = #numbers
        end
    end
    return numbers, at
end

-- The program that adds up squares of r, in q of the finest level, and brings the sum to DRAM.
local function norm_program(host, level, format, to)
    local size = level.size
    local trees = tree.across("naive", routing.naive, size)
    local part = problem.part(size, trees, 1)
    local cores = { 0, 0, size.cols - 1, size.rows - 1 }
    local plan = {
        at = { r = level.at.q, rr = host.l1_allocate { cores = cores, bytes = host.tile_bytes(format), name = "sum" } },
        memory = reduction.memory(host, part.tree, format, trees),
    }
    local program = host.program()
    split.build_dot({ size = size, format = format, granularity = "tile" }, program, plan, part, "r", "r", "rr", to)
    return program
end

-- Steps of a cycle: { part =, level =, program = }, in order.
local function steps_of(host, p, levels, numbers, places)
    local steps, format = {}, p.dtype
    local matrices = transfer.place(host, levels.matrices, format, { 0, 0, levels[1].size.cols - 1, levels[1].size.rows - 1 })
    local function smooth(level, it)
        it.format, it.coarse, it.numbers, it.half, it.level = format, level.coarse, numbers, HALF, level.number
        it.zone = it.zone or "smooth" .. level.number
        return smoothing.build(host, level.size, level.at, it)
    end
    local function add(part, level, program)
        steps[#steps + 1] = { part = part, level = level.number, program = program }
    end
    for i = 1, #levels - 1 do
        local level, next_level = levels[i], levels[i + 1]
        local weights = #places.before == 0 and i > 1 and { ZERO } or places.before
        add("smooth", level, smooth(level, { weights = weights, is_zero = i > 1, residual = true, restricts = true }))
        add("restrict", level, transfer.build(host, level.restriction, { zone = "restrict" .. level.number, format = format, layers = level.coarse, from = level.at.t, to = next_level.at.f, matrices = matrices }))
    end
    add("coarse", levels[#levels], smooth(levels[#levels], { weights = places.coarsest, is_zero = #levels > 1, zone = "coarse" }))
    for i = #levels - 1, 1, -1 do
        local level, next_level = levels[i], levels[i + 1]
        add("prolong", level, transfer.build(host, level.prolongation, { zone = "prolong" .. level.number, format = format, layers = level.coarse, from = next_level.at.u, to = level.at.t, matrices = matrices }))
        add("smooth", level, smooth(level, { weights = places.after, prolongs = true }))
    end
    return steps, smooth(levels[1], { weights = {}, residual = true, is_norm = true })
end

-- Right-hand side and start, PE after PE as wafers have them.
local function system_of(host, p)
    local format, shape = p.dtype, { p.nx, p.ny, p.nz }
    local function of_user(name, word)
        local given = field.of_system(host, p, name, p, format, { word })
        return given and given:permuted(format, shape, { 2, 1, 3 })
    end
    local b, start = of_user("rhs", "random"), of_user("start", "zero")
    if not b then
        b = field.buffer(host, p, format)
        b:fill_random(format, 1, -1, 1)
    end
    return b, start
end

local function put(host, p, size, address, columns)
    local vector = columns and grid_field.fold(host, size, p.dtype, columns:permuted(p.dtype, { p.ny, p.nx, p.nz }, { 2, 1, 3 }))
        or host.buffer(size.cols * size.rows * size.tiles * host.tile_bytes(p.dtype))
    for core, column, row in core_grid.each_core(size) do
        host.l1_write(column, row, address, core_grid.share(host, size, vector, core))
    end
end

-- Makes the cycles. Returns norms, seconds of all cycles, and seconds by part and level.
local function solve(host, p, steps, residual, norm, on_norm)
    local number, norms, zones = host.buffer(NUMBER_BYTES), {}, {}
    local function add(name, seconds)
        zones[name] = (zones[name] or 0) + seconds
    end
    -- A launch of sweeps has other parts, which kernels note.
    local function run(name, program, level)
        local begin, before, rest = host.now(), {}, 0
        for i, part in ipairs(NOTED) do
            before[i] = host.zone_seconds(part .. (level or ""))
        end
        host.wait(host.launch(program))
        for i, part in ipairs(level and NOTED or {}) do
            local seconds = host.zone_seconds(part .. level) - before[i]
            add(part .. level, seconds)
            rest = rest + seconds
        end
        add(name, host.now() - begin - rest)
    end
    local function keep(i)
        run("norm", residual)
        run("norm", norm)
        local begin = host.now()
        host.sleep(host.number("host.read_us") * 1e-6)
        host.download(on_norm, number)
        zones.norm = zones.norm + host.now() - begin
        norms[i] = math.sqrt(number:get(p.dtype, 0))
    end
    keep(0)
    zones = {}
    local seconds = host.measure(function()
        for i = 1, p.cycles do
            for _, step in ipairs(steps) do
                run(step.part == "coarse" and "coarse" or step.part .. step.level, step.program, step.part == "smooth" and step.level or nil)
            end
            keep(i)
        end
    end, p.cycles)
    return host.is_functional and norms or {}, seconds, zones
end

-- workload.run(host, p)
function workload.run(host, p)
    check_cores(host, p)
    local plan = multigrid.plan(host, p, MOST_LEVELS, "")
    local levels, numbers, places = levels_of(host, plan), numbers_of(plan)
    local shared = place_shared(host, levels[1].size, p.dtype, numbers)
    check_room(host, p, levels, #numbers, host.l1_free(0, 0))
    for _, level in ipairs(levels) do
        place(host, level, p.dtype, shared)
    end
    local on_norm = host.dram_buffer { pages = 1, page_bytes = NUMBER_BYTES }
    local norm = norm_program(host, levels[1], p.dtype, on_norm)
    local steps, residual = steps_of(host, p, levels, numbers, places)
    local b, start = system_of(host, p)
    put(host, p, levels[1].size, levels[1].at.f, b)
    put(host, p, levels[1].size, levels[1].at.u, start)
    local norms, seconds, zones = solve(host, p, steps, residual, norm, on_norm)
    local x
    if host.is_functional then
        local size = levels[1].size
        local found = grid_field.unfold(host, size, p.dtype, core_grid.read(host, size, levels[1].at.u, size.tiles * host.tile_bytes(p.dtype)))
        field.save(host, "x", p, p.dtype, function() return found end)
        x = found:permuted(p.dtype, { p.nx, p.ny, p.nz }, { 2, 1, 3 })
    end
    multigrid.finish(host, p, plan, {
        format = p.dtype, is_fused = false, b = b, start = start, x = x, norms = norms, seconds = seconds / p.cycles, zones = zones,
        slack = p.dtype == "fp32" and SLACK or nil,
    })
    host.metric("launches_per_cycle", #steps)
    local cores = {}
    for i, level in ipairs(levels) do
        cores[i] = level.size.cols * level.size.rows
    end
    host.metric("cores_of_levels", cores)
end

return workload
