-- How a product with a sparse matrix is shared among cores: which rows each has, how its vectors
-- lie, and which parts of the other cores' vector it needs.
--
-- A vector is a row of tiles of 1024 numbers. Each tile holds `slice` numbers of it, the first ones;
-- the others are 0. A core has whole slices of rows, one after another.

local plans = {}

local TILE = 1024
local GRAIN = 16                -- rows that a slice's height is a multiple of
local BLOCK_BYTES = 64          -- of a vector that other cores have: what is read together
local GAP_BLOCKS = 8            -- blocks that are not needed and read all the same, between two that are

-- The height of slices: the one with which the core that has most has least, of several the highest.
local function choose_slice(rows, cores)
    local best, least
    for slice = TILE, GRAIN, -GRAIN do
        local slices = (rows + slice - 1) // slice
        local most = (slices + cores - 1) // cores * slice
        if slices >= cores and (not least or most < least) then
            best, least = slice, most
        end
    end
    return best
end

local function check_slice(host, p, rows, cores)
    local slice = p.slice
    if slice == 0 then
        slice = choose_slice(rows, cores) or GRAIN
    end
    if p.slice % GRAIN ~= 0 then
        host.refuse(("slice=%d is not a multiple of %d"):format(p.slice, GRAIN))
    elseif (rows + slice - 1) // slice < cores then
        host.refuse(("%d rows are %d slices of %d, too few for %d x %d cores (rows x cols)"):format(rows,
            (rows + slice - 1) // slice, slice, p.rows, p.cols))
    end
    return slice
end

-- The first slice of each core, and the number of slices at the end, if no core may have more than
-- `most` unless it is the last; at least one each.
local function fill(weights, cores, most)
    local first, slice = { 0 }, 0
    for core = 1, cores do
        local sum = weights[slice + 1]
        slice = slice + 1
        while slice < #weights - (cores - core) and (core == cores or sum + weights[slice + 1] <= most) do
            sum, slice = sum + weights[slice + 1], slice + 1
        end
        first[core + 1] = slice
        if core == cores then
            return first, sum
        end
    end
end

-- Gives each core slices, one after another, so that the core that has most has as little as can be.
local function share(weights, cores)
    local low, high = 0, 0
    for _, weight in ipairs(weights) do
        low, high = math.max(low, weight), high + weight
    end
    local best = fill(weights, cores, high)
    for _ = 1, 50 do
        local most = (low + high) / 2
        local first, last = fill(weights, cores, most)
        if last <= most then
            best, high = first, most
        else
            low = most
        end
    end
    return best
end

-- What a core does for a slice: its entries, or its tiles' lanes; and something for each tile.
local function weights_of(matrix, p, slice, rows)
    local weights = {}
    for first = 0, rows - 1, slice do
        local count = math.min(slice, rows - first)
        local entries, most = matrix:entries(first, count)
        weights[#weights + 1] = p.balance == "rows" and 1 or entries + (p.layout == "csr" and count / 8 or 32 * most)
    end
    return weights
end

-- The slices of a vector that each core has: its first one, and the number of all.
local function even(count, cores)
    local first = {}
    for core = 0, cores do
        first[core + 1] = count * core // cores
    end
    return first
end

-- Numbers that are read together: runs of needed ones, with small gaps between them closed.
local function runs_of(matrix, part, slice, block, gap)
    local needed = matrix:needed { first = part.first, rows = part.rows, slice = slice, block = block }
    local runs = {}
    for i = 1, #needed, 2 do
        local last = runs[#runs]
        if last and needed[i] - (last.at + last.count) <= gap then
            last.count = needed[i] + needed[i + 1] - last.at
        else
            runs[#runs + 1] = { at = needed[i], count = needed[i + 1] }
        end
    end
    return runs
end

-- Cuts runs where another core's numbers begin, and calls f(owner, position, count).
local function each_owned(runs, owners, f)
    for _, run in ipairs(runs) do
        local at, stop = run.at, run.at + run.count
        while at < stop do
            local owner = owners.of[at // TILE]
            local finish = math.min(stop, owners.first[owner + 1] * TILE)
            f(owner, at, finish - at)
            at = finish
        end
    end
end

-- Which core has each tile of the vector that is multiplied.
local function owners_of(first)
    local owners = { first = first, of = {} }
    for core = 1, #first - 1 do
        for tile = first[core], first[core + 1] - 1 do
            owners.of[tile] = core
        end
    end
    return owners
end

-- Lets a list begin at another place. If all cores read in the same order, they meet at one core or
-- bank after another.
local function rotated(list, first)
    local result = table.move(list, first, #list, 1, {})
    return table.move(list, 1, first - 1, #result + 1, result)
end

-- Where a core finds the numbers it needs: its own come first in the window, then those of others,
-- which it reads. Sets pieces (for matrix:csr and matrix:sliced_ell), reads and window (in numbers).
local function plan_window(plan, part, runs, owners)
    local own_first, own_count = 0, 0
    if owners.first[part.core] then
        own_first = owners.first[part.core] * TILE
        own_count = (owners.first[part.core + 1] - owners.first[part.core]) * TILE
    end
    local pieces, has_own = {}, false
    local function put(position, count, at)
        table.move({ position, count, at * plan.bytes }, 1, 3, #pieces + 1, pieces)
    end
    local function put_own()
        if not has_own and own_count > 0 then
            put(own_first, own_count, 0)
        end
        has_own = true
    end
    part.reads, part.window, part.foreign = {}, own_count, 0
    each_owned(runs, owners, function(owner, position, count)
        if position >= own_first then
            put_own()
        end
        if owner ~= part.core then
            put(position, count, part.window)
            part.reads[#part.reads + 1] = {
                owner = owner, from = (position - owners.first[owner] * TILE) * plan.bytes, to = part.window * plan.bytes,
                bytes = count * plan.bytes,
            }
            part.window, part.foreign = part.window + count, part.foreign + count
        end
    end)
    put_own()
    part.pieces = pieces
    local first = 1
    while first < #part.reads and part.reads[first].owner < part.core do
        first = first + 1
    end
    part.reads = rotated(part.reads, first)
end

-- The same for a vector in DRAM: whole pages, which are tiles.
local function plan_pages(plan, part, runs)
    part.pieces, part.reads, part.window = {}, {}, 0
    for _, run in ipairs(runs) do
        for position = run.at, run.at + run.count - 1, TILE do
            table.move({ position, TILE, part.window * plan.bytes }, 1, 3, #part.pieces + 1, part.pieces)
            part.reads[#part.reads + 1] = { page = position // TILE, to = part.window * plan.bytes, bytes = TILE * plan.bytes }
            part.window = part.window + TILE
        end
    end
    part.foreign = part.window
    part.reads = rotated(part.reads, 1 + (part.core - 1) * #part.reads // plan.core_count)
end

-- The parameters of how matrix and vectors lie.
plans.parameters = {
    { name = "layout", type = "choice", default = "sliced_ell", choices = { "sliced_ell", "csr" },
      help = "sliced_ell: movers gather, units multiply; csr: movers do it all in software" },
    { name = "slice", type = "integer", default = 0, min = 0, max = TILE,
      help = "rows of a slice, which share tiles; 0: what shares the rows best" },
    { name = "sort", type = "integer", default = 1, min = 1, max = 1 << 24,
      help = "rows of a window in which they are sorted by length; 1: not at all" },
    { name = "balance", type = "choice", default = "entries", choices = { "entries", "rows" },
      help = "what each core gets about as many of" },
}

-- The plan for a matrix on p.rows x p.cols cores; x is in DRAM or, as is_in_l1 says, in L1 with the
-- rows. `parts` has for each core: x, y, first (row), rows, first_slice, slices, and its window.
function plans.make(host, p, matrix, is_in_l1)
    local rows, columns, entries = matrix:size()
    local width, height = host.grid()
    if p.cols > width or p.rows > height then
        host.refuse(("%d x %d cores (rows x cols): the chip has %d x %d"):format(p.rows, p.cols, height, width))
    end
    local cores = p.rows * p.cols
    local slice = check_slice(host, p, rows, cores)
    local plan = {
        slice = slice, slices = (rows + slice - 1) // slice, column_slices = (columns + slice - 1) // slice, entries = entries,
        rows = rows, columns = columns, bytes = host.tile_bytes(p.dtype) // TILE, cores = { 0, 0, p.cols - 1, p.rows - 1 },
        parts = {}, tiles = 0, window = 0, core_count = cores,
    }
    local first = share(weights_of(matrix, p, slice, rows), cores)
    local owners = owners_of(rows == columns and first or even(plan.column_slices, cores))
    plan.owners = owners
    for core = 1, cores do
        local part = {
            core = core, x = (core - 1) % p.cols, y = (core - 1) // p.cols, first_slice = first[core],
            slices = first[core + 1] - first[core], first = first[core] * slice,
        }
        part.rows = math.min(rows, first[core + 1] * slice) - part.first
        local block = is_in_l1 and BLOCK_BYTES // plan.bytes or TILE
        local runs = runs_of(matrix, part, slice, block, is_in_l1 and GAP_BLOCKS * block or 0)
        if is_in_l1 then
            plan_window(plan, part, runs, owners)
        else
            plan_pages(plan, part, runs)
        end
        plan.parts[core] = part
        plan.tiles, plan.window = math.max(plan.tiles, part.slices), math.max(plan.window, part.window)
    end
    return plan
end

return plans
