-- The problem that a PCG script solves: its place in the cores' L1, and its right-hand side.

local core_grid = require("cores/grid")
local laplacian = require("cores/laplacian7")
local reduction = require("cores/reduction")

local problem = {}

-- Seconds in the parts of a solve so far, in kernels alone.
function problem.components(host)
    local seconds = {}
    for _, name in ipairs { "spmv", "axpy", "dot" } do
        seconds[name] = host.zone_seconds(name)
    end
    return seconds
end

-- The order in which a tree adds sums up, for the reference: pairs of cores.
function problem.merges(size, tree)
    local merges = {}
    local function index(node)
        return core_grid.place(size, node.x, node.y)
    end
    local function visit(node)
        for _, child in ipairs(node.children) do
            visit(child)
            merges[#merges + 1], merges[#merges + 2] = index(node), index(child)
        end
    end
    visit(tree.root)
    return merges
end

-- The right-hand side, core after core, nothing outside the grid; and, for cores that are
-- not full, a tile of ones inside it.
function problem.make(host, size, format)
    local b = host.buffer(size.rows * size.cols * size.tiles * host.tile_bytes(format))
    b:fill_random(format, 1, -1, 1)
    local masks = {}
    for core, x, y in core_grid.each_core(size) do
        masks[core] = core_grid.is_masked(size, x, y) and core_grid.mask(host, size, format, x, y) or nil
    end
    return core_grid.inside(host, size, format, b), masks
end

-- A program that only counts what a real one would take of L1.
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

-- Gives all their places in L1: `names` of vectors, `others` (name -> bytes), the ring of
-- the Laplacian and what reductions need. build(program, plan) adds a program's buffers;
-- of several, the largest counts. Raises when the vectors do not fit and says how many
-- tiles would. The plan has at (addresses), ring, memory, and limit (tiles).
function problem.place(host, size, it)
    local cores = { 0, 0, size.cols - 1, size.rows - 1 }
    local plan = { cores = cores, at = {} }
    local tile_bytes = host.tile_bytes(it.format)
    plan.ring = laplacian.memory(host, cores, it.format, it.block)
    plan.memory = reduction.memory(host, it.tree, it.format)
    for name, bytes in pairs(it.others) do
        plan.at[name] = host.l1_allocate { cores = cores, bytes = bytes, name = name }
    end
    local most = 0
    for _, build in ipairs(it.builds) do
        local count = counter(host, it.format)
        build(count, plan)
        most = math.max(most, count.bytes)
    end
    plan.limit = (host.l1_free(0, 0) - most) // (#it.names * tile_bytes)
    if size.tiles > plan.limit then
        host.refuse(("%s=%d: %d vectors of %s do not fit into L1, %d tiles of each do"):format(size.depth, size.tiles, #it.names,
            it.format, plan.limit))
    end
    for _, name in ipairs(it.names) do
        plan.at[name] = host.l1_allocate { cores = cores, bytes = size.tiles * tile_bytes, name = name }
    end
    return plan
end

return problem
