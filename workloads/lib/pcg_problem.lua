-- The problem that a PCG script solves: its size, its place in the cores' L1, and its
-- right-hand side.

local laplacian = require("laplacian7")
local reduction = require("reduction")

local TILE = 1024               -- numbers of a tile

local problem = {}

-- Rows, columns and layers of cores and tiles from what the user gave: rows, cols, tiles,
-- or nx, ny, nz (0: not given). Tiles that the grid does not fill are masked.
function problem.size(host, p)
    local size = { cols = p.cols, rows = p.rows, tiles = p.tiles }
    if p.nx + p.ny + p.nz > 0 then
        if p.nx < 1 or p.ny < 1 or p.nz < 1 then
            host.refuse(("nx=%d ny=%d nz=%d: give all three, or none and rows, cols, tiles"):format(p.nx, p.ny, p.nz))
        end
        size = { cols = -(-p.nx // laplacian.nx), rows = -(-p.ny // laplacian.ny), tiles = p.nz }
        size.nx, size.ny = p.nx, p.ny
    end
    local cols, rows = host.grid()
    if size.cols > cols or size.rows > rows then
        host.refuse(("rows=%d cols=%d: %s has %d rows and %d columns of cores, nx is up to %d and ny up to %d")
            :format(size.rows, size.cols, host.chip, rows, cols, cols * laplacian.nx, rows * laplacian.ny))
    end
    size.nx, size.ny, size.nz = size.nx or size.cols * laplacian.nx, size.ny or size.rows * laplacian.ny, size.tiles
    size.is_padded = size.nx < size.cols * laplacian.nx or size.ny < size.rows * laplacian.ny
    return size
end

-- Seconds in the parts of a solve so far, in kernels alone.
function problem.components(host)
    local seconds = {}
    for _, name in ipairs { "spmv", "axpy", "dot" } do
        seconds[name] = host.zone_seconds(name)
    end
    return seconds
end

-- Whether the grid leaves numbers of this core's tiles out.
function problem.is_masked(size, x, y)
    return (x + 1) * laplacian.nx > size.nx or (y + 1) * laplacian.ny > size.ny
end

-- Cores in the order of a vector: those of a column of the chip one after the other.
function problem.each_core(size)
    local core = -1
    return function()
        core = core + 1
        if core < size.rows * size.cols then
            return core, core // size.rows, core % size.rows
        end
    end
end

-- The order in which a tree adds sums up, for the reference: pairs of cores.
function problem.merges(size, tree)
    local merges = {}
    local function index(node)
        return node.x * size.rows + node.y
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
    for core, x, y in problem.each_core(size) do
        if problem.is_masked(size, x, y) then
            local mask = host.buffer(host.tile_bytes(format))
            for i = 0, TILE - 1 do
                local is_inside = x * laplacian.nx + i // laplacian.ny < size.nx and y * laplacian.ny + i % laplacian.ny < size.ny
                mask:set(format, i, is_inside and 1 or 0)
            end
            masks[core] = mask
            for tile = 0, size.tiles - 1 do
                for i = 0, TILE - 1 do
                    if mask:get(format, i) == 0 then
                        b:set(format, (core * size.tiles + tile) * TILE + i, 0)
                    end
                end
            end
        end
    end
    return b, masks
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
        host.refuse(("tiles=%d: %d vectors of %s do not fit into L1, %d tiles of each do"):format(size.tiles, #it.names, it.format,
            plan.limit))
    end
    for _, name in ipairs(it.names) do
        plan.at[name] = host.l1_allocate { cores = cores, bytes = size.tiles * tile_bytes, name = name }
    end
    return plan
end

return problem
