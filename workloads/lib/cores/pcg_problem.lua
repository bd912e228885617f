-- The problem that a PCG script solves: its place in the cores' L1, and its right-hand side.

local chip_halo = require("cores/chip_halo")
local chips = require("cores/chips")
local core_grid = require("cores/grid")
local field = require("field")
local grid_field = require("cores/grid_field")
local laplacian = require("cores/laplacian7_operator")
local reduction = require("cores/reduction")
local stream = require("cores/tile_stream")

local problem = {}

-- Seconds in each component so far, in kernels alone, on the chip that spent most.
function problem.components(size)
    local seconds = {}
    for _, name in ipairs { "spmv", "axpy", "dot" } do
        seconds[name] = 0
        for _, chip in ipairs(size.chips) do
            seconds[name] = math.max(seconds[name], chip.device.zone_seconds(name))
        end
    end
    return seconds
end

-- The order in which trees add sums, for the reference: pairs of cores.
function problem.merges(size, trees)
    local merges = {}
    local function index(node)
        return core_grid.place(size, node.chip.first + node.x, node.y)
    end
    local function visit(node)
        for _, child in ipairs(node.children) do
            visit(child)
            merges[#merges + 1], merges[#merges + 2] = index(node), index(child)
        end
    end
    visit(trees.root)
    return merges
end

-- The system that is solved: the right-hand side b, the solution to begin with (nil: 0), and its
-- residual r, which the host works out in double precision; the matrix's diagonal (nil: 6).
local function system_of(host, size, format, p)
    local function of_user(name, word)
        local given = field.of_system(host, p, name, size, format, { word })
        return given and grid_field.fold(host, size, format, given)
    end
    local system = { b = of_user("rhs", "random"), start = of_user("start", "zero"), diagonal = of_user("diagonal", "6") }
    if not system.b then
        local b = host.buffer(size.rows * size.cols * size.tiles * host.tile_bytes(format))
        b:fill_random(format, 1, -1, 1)
        system.b = core_grid.inside(host, size, format, b)
    end
    system.r = system.b
    if system.start then
        local _, r = system.b:residual(core_grid.reference(size, {
            format = format, x = system.start, vector = true, diagonal = system.diagonal,
        }))
        system.r = r
    end
    return system
end

-- The system's vectors, core after core, with 0 outside the grid.
function problem.make(host, size, format, p)
    return system_of(host, size, format, p)
end

-- A stand-in for a program that counts the L1 that the real one would take.
local function counter(host, format)
    local count = { bytes = 0 }
    function count:circular_buffer(it)
        if not it.address and not it.alias then
            count.bytes = count.bytes + it.pages * (it.page_bytes or host.tile_bytes(it.format or format))
        end
    end
    function count:semaphore()
        count.bytes = count.bytes + 16
        return 0
    end
    function count:kernel() end
    return count
end

-- Bytes of a tile's edge that goes to another chip: one line.
local function edge_bytes(host, format)
    return host.tile_bytes(format) // core_grid.nx
end

-- A chip's part of a problem: its device, cores, tree, and the core at which its sums come
-- together.
function problem.part(size, trees, position)
    local chip, tree = size.chips[position], trees.parts[position]
    return {
        chip = chip, device = chip.device, tree = tree, first = { x = tree.root.x, y = tree.root.y },
        cores = { 0, 0, chip.cols - 1, size.rows - 1 },
    }
end

local function place_on(part, size, it)
    local host, cores = part.device, part.cores
    local plan = { at = {} }
    local tile_bytes = host.tile_bytes(it.format)
    plan.ring = laplacian.memory(host, cores, it.format, size, it.block)
    plan.memory = reduction.memory(host, part.tree, it.format, it.trees)
    for name, bytes in pairs(it.others) do
        plan.at[name] = host.l1_allocate { cores = cores, bytes = bytes, name = name }
    end
    local most = 0
    for _, build in ipairs(it.builds) do
        local count = counter(host, it.format)
        build(count, plan, part)
        most = math.max(most, count.bytes)
    end
    if size.is_streamed then
        core_grid.refuse_buffers(host, size, it.format, most)
        return plan
    end
    local far_bytes, flag_bytes = chip_halo.bytes(size, edge_bytes(host, it.format), 1)
    -- A diagonal lies with the constants, which are allocated.
    local count, diagonal_bytes = #it.names, 0
    if size.has_diagonal then
        count, diagonal_bytes = count + 1, size.tiles * tile_bytes
    end
    plan.limit = (host.l1_free(0, 0) + diagonal_bytes - most - flag_bytes) // (count * tile_bytes + far_bytes)
    if size.tiles > plan.limit then
        local plane = size.wide * size.high
        host.refuse(("%s=%d%s: %d vectors of %s do not fit into L1, %d tiles of each do%s"):format(size.depth, size.layers,
            plane > 1 and (" with %d tiles of a core in each layer"):format(plane) or "", count, it.format, math.max(0, plan.limit),
            size.has_diagonal and "" or "; vectors=dram has room for more"))
    end
    for _, name in ipairs(it.names) do
        plan.at[name] = host.l1_allocate { cores = cores, bytes = size.tiles * tile_bytes, name = name }
    end
    plan.far = chip_halo.memory(host, cores, { size = size, bytes = edge_bytes(host, it.format), slots = 1 })
    return plan
end

-- Allocates L1, the same on all chips, for: `names` of vectors, `others` (name -> bytes), the
-- ring of the Laplacian, edges from other chips, and reductions (`trees`). build(program, plan,
-- part) adds a program's buffers; of several, the largest counts. Refuses vectors that do not
-- fit and says how many tiles would. The plan has at (addresses), ring, far, memory, and limit
-- (tiles); or, with vectors in DRAM, dram (their buffers) instead of far and limit.
function problem.place(host, size, it)
    local plan = chips.alike(size, function(_, i) return place_on(problem.part(size, it.trees, i), size, it) end)
    if size.is_streamed then
        plan.dram = {}
        for _, name in ipairs(it.names) do
            plan.dram[name] = stream.allocate(host, size, it.format)
        end
    end
    return plan
end

return problem
