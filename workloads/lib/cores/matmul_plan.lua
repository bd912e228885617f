-- How a matrix product is shared among cores: the block of C that a core computes, steps along the
-- inner dimension, what is in Dst at a time, and whether it all fits.

local plan = {}

local TILE = 32         -- rows and columns of a tile

-- C's format. Packers add to numbers of 16 or 32 bits; those that share exponents are for operands.
function plan.format_of_c(p)
    return p.dtype == "fp32" and "fp32" or "bf16"
end

local function dst_tiles(p)
    return p.fp32_dst and 4 or 8        -- of a half of Dst
end

-- Whether a part is better than another one: larger, or of shorter sides, which unpacks less.
local function is_better(part, other)
    local more = part.high * part.wide - other.high * other.wide
    return more > 0 or more == 0 and part.high + part.wide < other.high + other.wide
end

-- The part of a block that is in Dst at a time: the given one, or the best that divides the block.
-- It has one row where C stays in L1, as in tt-metal's GEMM report.
local function choose_part(host, p, block)
    local room, best = dst_tiles(p), nil
    for high = 1, math.min(block.rows, p.from == "sharded" and p.sub_rows == 0 and 1 or room) do
        for wide = math.min(block.columns, room // high), 1, -1 do
            local part = { high = high, wide = wide }
            local is_allowed = block.rows % high == 0 and block.columns % wide == 0
                and (p.sub_rows == 0 or p.sub_rows == high) and (p.sub_cols == 0 or p.sub_cols == wide)
            if is_allowed and (not best or is_better(part, best)) then
                best = part
            end
        end
    end
    if not best then
        host.refuse(("sub_rows=%d sub_cols=%d: no such part divides a core's block of %d x %d tiles and fits into "
            .. "the %d tiles of a half of Dst"):format(p.sub_rows, p.sub_cols, block.rows, block.columns, room))
    end
    return best
end

-- Bytes of L1 that a step's blocks, twice, and C take.
local function l1_bytes(host, p, block, depth, partials)
    local operand, result = host.tile_bytes(p.dtype), host.tile_bytes(plan.format_of_c(p))
    local turns = p.from == "l1" and block.inner // depth or 2
    local bytes = turns * depth * (block.rows + block.columns) * operand + block.rows * block.columns * result
    if p.from == "sharded" then
        bytes = bytes + block.rows * block.shard * operand
    end
    return bytes + (partials == "reload" and block.rows * block.columns * result or 0)
end

-- The given depth, or the largest of at most 8 tiles that divides and fits.
local function choose_depth(host, p, block, partials)
    local whole = p.from == "sharded" and block.shard or block.inner
    local room = host.l1_free(0, 0)
    if p.depth ~= 0 then
        if whole % p.depth ~= 0 then
            host.refuse(("depth=%d does not divide the %d tiles %s"):format(p.depth, whole,
                p.from == "sharded" and "of a core's shard of A along k" or "along k"))
        end
    end
    for depth = math.min(p.depth == 0 and 8 or p.depth, whole), 1, -1 do
        if whole % depth == 0 then
            local bytes = l1_bytes(host, p, block, depth, partials)
            if bytes <= room then
                return depth
            elseif depth == 1 or p.depth ~= 0 then
                host.refuse(("a core's blocks take %d KiB of L1, %d are free: use more cores, a smaller matrix "
                    .. "or a smaller depth"):format(bytes // 1024, room // 1024))
            end
        end
    end
end

local function check_sizes(host, p)
    local columns, rows = host.grid()
    if p.cols > columns or p.rows > rows then
        host.refuse(("%d x %d cores (rows x cols): the chip has %d x %d"):format(p.rows, p.cols, rows, columns))
    end
    for _, part in ipairs { { "m", p.m, p.rows }, { "n", p.n, p.cols }, { "k", p.k, p.from == "sharded" and p.cols or 1 } } do
        local name, size, cores = table.unpack(part)
        if size % (TILE * cores) ~= 0 then
            host.refuse(("%s=%d is not a multiple of 32 x %d cores"):format(name, size, cores))
        end
    end
end

-- Where sums of steps are kept: given, or in Dst if a core's block is there as a whole, else in L1.
local function choose_partials(host, p, block)
    local fits = block.rows * block.columns <= dst_tiles(p)
    if p.partials == "dst" and not fits then
        host.refuse(("partials=dst: each core would hold %d tiles of the result in Dst, there is room for %d: "
            .. "use more cores, a smaller matrix or partials=l1"):format(block.rows * block.columns, dst_tiles(p)))
    elseif p.partials ~= "auto" then
        return p.partials
    end
    local is_split = p.sub_rows ~= 0 or p.sub_cols ~= 0
    return fits and not is_split and p.from ~= "sharded" and "dst" or "l1"
end

-- The plan for parameters `p`. Ends the run with a line if there is none.
function plan.make(host, p)
    check_sizes(host, p)
    local block = { rows = p.m // TILE // p.rows, columns = p.n // TILE // p.cols, inner = p.k // TILE }
    block.shard = block.inner // p.cols
    local partials = choose_partials(host, p, block)
    local part = partials == "dst" and { high = block.rows, wide = block.columns } or choose_part(host, p, block)
    local depth = choose_depth(host, p, block, partials)
    return {
        rows = block.rows, columns = block.columns, inner = block.inner, all_columns = p.n // TILE,
        shard = block.shard, depth = depth, steps = block.inner // depth, steps_of_shard = block.shard // depth,
        high = part.high, wide = part.wide, partials = partials, is_blocked = p.blocked, from = p.from,
    }
end

return plan
