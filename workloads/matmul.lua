-- C = A B on a grid of cores. Each core computes a block of C, in steps along the inner dimension.
-- Blocks of A are sent along rows of cores and those of B along columns, or each core reads its own
-- from DRAM, or has them in L1.

local kernels = require("cores/matmul_kernels")
local plans = require("cores/matmul_plan")

local TILE = 32                 -- rows and columns of a tile

-- Small integers are exact in every format, fidelity and order of addition. Other numbers show
-- the rounding. Returns the tiles that the chip gets, and their numbers row by row.
local function make_matrix(host, p, rows, columns, seed)
    local format = plans.format_of_c(p)
    local matrix = host.buffer(rows * columns * host.tile_bytes(format) // (TILE * TILE))
    if p.values == "exact" then
        matrix:fill_random(format, seed, -1, 1, 1)
    else
        matrix:fill_random(format, seed, -1, 1)
    end
    local tiles = matrix:tilize(format, rows, columns)
    if format == p.dtype then
        return tiles, matrix
    end
    tiles = tiles:converted(format, p.dtype)
    return tiles, tiles:converted(p.dtype, format):untilize(format, rows, columns)
end

local function dram_buffer(host, format, rows, columns)
    return host.dram_buffer { pages = rows * columns // (TILE * TILE), page_bytes = host.tile_bytes(format) }
end

-- Calls `f` for each core of the grid.
local function each_core(p, f)
    for y = 0, p.rows - 1 do
        for x = 0, p.cols - 1 do
            f(x, y)
        end
    end
end

-- Puts the steps of each core into its L1, in the order of use.
local function place_in_l1(host, p, plan, cores, a, b)
    local bytes = host.tile_bytes(p.dtype)
    local tiles_a, tiles_b = plan.inner * plan.rows, plan.inner * plan.columns
    local at_a = host.l1_allocate { cores = cores, bytes = tiles_a * bytes, name = "A" }
    local at_b = host.l1_allocate { cores = cores, bytes = tiles_b * bytes, name = "B" }
    each_core(p, function(x, y)
        local part_a, part_b = host.buffer(tiles_a * bytes), host.buffer(tiles_b * bytes)
        for step = 0, plan.steps - 1 do
            for i = 0, plan.rows - 1 do
                local page = (y * plan.rows + i) * plan.inner + step * plan.depth
                part_a:put((step * plan.rows + i) * plan.depth * bytes, a:part(page * bytes, plan.depth * bytes))
            end
            for k = step * plan.depth, (step + 1) * plan.depth - 1 do
                local page = k * plan.all_columns + x * plan.columns
                part_b:put(k * plan.columns * bytes, b:part(page * bytes, plan.columns * bytes))
            end
        end
        host.l1_write(x, y, at_a, part_a)
        host.l1_write(x, y, at_b, part_b)
    end)
    return at_a, at_b
end

-- Puts a block of A into the L1 of each core, and B into DRAM.
local function place_in_shards(host, p, plan, cores, a, b)
    local bytes = host.tile_bytes(p.dtype)
    local at_a = host.l1_allocate { cores = cores, bytes = plan.rows * plan.shard * bytes, name = "A" }
    local on_b = dram_buffer(host, p.dtype, p.k, p.n)
    each_core(p, function(x, y)
        local part = host.buffer(plan.rows * plan.shard * bytes)
        for i = 0, plan.rows - 1 do
            local page = (y * plan.rows + i) * plan.inner + x * plan.shard
            part:put(i * plan.shard * bytes, a:part(page * bytes, plan.shard * bytes))
        end
        host.l1_write(x, y, at_a, part)
    end)
    host.upload(b, on_b)
    return at_a, on_b
end

-- Puts both into DRAM.
local function place_in_dram(host, p, _, _, a, b)
    local on_a, on_b = dram_buffer(host, p.dtype, p.m, p.k), dram_buffer(host, p.dtype, p.k, p.n)
    host.upload(a, on_a)
    host.upload(b, on_b)
    return on_a, on_b
end

-- The lines of cores that core (x, y) is on: whom it sends to or gets from.
local function lines(p, semaphores, x, y)
    local row = { ready = semaphores.row_ready, sent = semaphores.row_sent, place = x }
    local column = { ready = semaphores.column_ready, sent = semaphores.column_sent, place = y }
    local is_sent = p.multicast
    row.cores, column.cores = is_sent and p.cols or 1, is_sent and p.rows or 1
    row.is_first, column.is_first = not is_sent or x == 0, not is_sent or y == 0
    row.first_x, row.first_y, column.first_x, column.first_y = 0, y, x, 0
    -- A core that sends its shard is itself in the row.
    row.x0, row.y0, row.x1, row.y1 = p.from == "sharded" and 0 or 1, y, p.cols - 1, y
    column.x0, column.y0, column.x1, column.y1 = x, 1, x, p.rows - 1
    return row, column
end

local function add_buffers(p, plan, program, cores, at)
    local tiles_a, tiles_b = plan.rows * plan.depth, plan.depth * plan.columns
    local turns = p.from == "l1" and plan.steps or 2
    local tiles_c, format = plan.rows * plan.columns, plans.format_of_c(p)
    local in_l1 = p.from == "l1"
    program:circular_buffer { cores = cores, index = kernels.A, pages = turns * tiles_a, format = p.dtype,
        address = in_l1 and at.a or nil }
    program:circular_buffer { cores = cores, index = kernels.B, pages = turns * tiles_b, format = p.dtype,
        address = in_l1 and at.b or nil }
    program:circular_buffer { cores = cores, index = kernels.OUT, pages = tiles_c, format = format, address = at.c_in_l1 }
    if plan.partials == "reload" then
        program:circular_buffer { cores = cores, index = kernels.PARTIAL, pages = tiles_c, format = format }
    end
end

-- `at` says where A, B and C are.
local function build(host, p, plan, cores, at)
    local program = host.program()
    add_buffers(p, plan, program, cores, at)
    local semaphores = {}
    for _, name in ipairs { "row_ready", "row_sent", "column_ready", "column_sent" } do
        semaphores[name] = program:semaphore { cores = cores, value = 0, name = name }
    end
    local function share(x, y)
        local args = {}
        for name, value in pairs(plan) do
            args[name] = value
        end
        args.row, args.column = lines(p, semaphores, x, y)
        args.a, args.b, args.c = at.a, at.b, at.c
        args.first_row, args.first_column = y * plan.rows, x * plan.columns
        return args
    end
    -- NoC 0 is for B and C: what DRAM sends leaves its columns at once.
    program:kernel { name = "in0", kernel = "in0", processor = "reader", noc = 1, cores = cores, args = share }
    program:kernel { name = "in1", kernel = "in1", processor = "writer", noc = 0, cores = cores, args = share }
    program:kernel { name = "compute", kernel = "compute", processor = "compute", cores = cores, args = share,
        fidelity = p.fidelity, fp32_dst = p.fp32_dst }
    return program
end

-- The product row by row, from DRAM or from the cores.
local function fetch(host, p, plan, at)
    local format = plans.format_of_c(p)
    local bytes = host.tile_bytes(format)
    local tiled = host.buffer(p.m * p.n * bytes // (TILE * TILE))
    if at.c then
        host.download(at.c, tiled)
    else
        each_core(p, function(x, y)
            local part = host.buffer(plan.rows * plan.columns * bytes)
            host.l1_read(x, y, at.c_in_l1, part)
            for i = 0, plan.rows - 1 do
                local page = (y * plan.rows + i) * plan.all_columns + x * plan.columns
                tiled:put(page * bytes, part:part(i * plan.columns * bytes, plan.columns * bytes))
            end
        end)
    end
    return tiled:untilize(format, p.m, p.n)
end

-- Six standard deviations of the lost digits, relative to a sum of products of numbers in -1..1:
-- those of products by the fidelity, which has all of BFP4's, and by Src, which has 11 of FP32's;
-- those of sums by a 16-bit Dst, once per tile of the inner dimension, and by a C of 16 bits, once
-- per step that leaves Dst.
local function tolerance(p, plan)
    if p.values == "exact" then
        return 0
    end
    local dropped = { lofi = 2 ^ -4, hifi2 = 2 ^ -6, hifi3 = 2 ^ -7, hifi4 = 0 }
    local of_products = p.dtype == "bfp4" and 0 or dropped[p.fidelity] + (p.dtype == "fp32" and 2 ^ -9 or 0)
    local of_steps = p.dtype == "fp32" and 0 or plan.partials == "dst" and 1 or math.sqrt(plan.steps)
    local of_dst = p.fp32_dst and 0 or math.sqrt(plan.inner)
    return 6 * math.sqrt(p.k) / 3 * (of_products / math.sqrt(3) + 2 ^ -8 * (of_steps + of_dst))
end

local function report(host, p, plan, cycles)
    local products = (p.m // TILE) * (p.n // TILE) * (p.k // TILE)
    local flop = 2 * p.m * p.n * p.k
    local phases = { lofi = 1, hifi2 = 2, hifi3 = 3, hifi4 = 4 }
    local cycles_of_product = cycles * p.rows * p.cols / products
    host.metric("flops_per_cycle", flop / cycles)
    host.metric("cycles_per_matmul_tile", cycles_of_product)
    host.metric("fpu_utilisation", host.number("fpu.matmul_cycles_per_phase") * phases[p.fidelity] / cycles_of_product)
    print(("%d x %d x %d %s %s on %d x %d cores: %d cycles, %.1f FLOP/cycle"):format(
        p.m, p.k, p.n, p.dtype, p.fidelity, p.rows, p.cols, cycles, flop / cycles))
    print(("blocks of %d x %d tiles, %d steps of %d along K, %d x %d tiles in Dst, sums of steps in %s: "
        .. "%.1f cycles per product of tiles"):format(plan.rows, plan.columns, plan.steps, plan.depth, plan.high, plan.wide,
        plan.partials == "dst" and "Dst" or plan.partials == "l1" and "L1, by the packers" or "L1, and back",
        cycles_of_product))
end

return {
    summary = "matrix product on a grid of cores, with multicasts of both operands",
    chips = { "tensix" },
    parameters = {
        { name = "m", type = "integer", default = 64, min = 32, max = 16384, help = "rows of A and C" },
        { name = "k", type = "integer", default = 512, min = 32, max = 16384, help = "columns of A, rows of B" },
        { name = "n", type = "integer", default = 128, min = 32, max = 16384, help = "columns of B and C" },
        { name = "dtype", type = "choice", default = "bf16", choices = { "bf16", "bfp8", "bfp4", "fp32" },
          help = "format of A and B; C is bf16, or fp32" },
        { name = "fidelity", type = "choice", default = "hifi4", choices = { "lofi", "hifi2", "hifi3", "hifi4" },
          help = "passes of the multiplier over the bits of its operands" },
        { name = "fp32_dst", type = "switch", default = false, help = "add up in a Dst of 32 bits; on for fp32" },
        { name = "blocked", type = "switch", default = true, help = "keep an operand in Src, matmul_block" },
        { name = "from", type = "choice", default = "dram", choices = { "dram", "l1", "sharded" },
          help = "where A and B are; sharded: A and C in blocks in the cores' L1, B in DRAM" },
        { name = "multicast", type = "switch", default = true,
          help = "send A along rows of cores and B along columns, else each core reads its own" },
        { name = "depth", type = "integer", default = 0, min = 0, max = 512, help = "tiles of a step along k; 0: up to 8" },
        { name = "sub_rows", type = "integer", default = 0, min = 0, max = 8, help = "rows of tiles in Dst; 0: as many as fit" },
        { name = "sub_cols", type = "integer", default = 0, min = 0, max = 8, help = "columns of tiles in Dst; 0: as many as fit" },
        { name = "partials", type = "choice", default = "auto", choices = { "auto", "dst", "l1", "reload" },
          help = "sums of steps stay in Dst, are added up in L1 by the packers, or come back into Dst" },
        { name = "values", type = "choice", default = "exact", choices = { "exact", "random" },
          help = "-1, 0 and 1, checked bit for bit, or numbers between" },
        { name = "rows", type = "integer", default = 1, min = 1, max = 10, help = "rows of cores" },
        { name = "cols", type = "integer", default = 1, min = 1, max = 8, help = "columns of cores" },
    },
    kernels = { in0 = kernels.in0, in1 = kernels.in1, compute = kernels.compute },
    run = function(host, p)
        p.fp32_dst = p.fp32_dst or p.dtype == "fp32"
        if p.from == "sharded" and not p.multicast then
            host.refuse("multicast=off: with from=sharded, cores have only a part of A, which must be sent")
        end
        local plan = plans.make(host, p)
        local cores = { 0, 0, p.cols - 1, p.rows - 1 }
        local tiles_a, a = make_matrix(host, p, p.m, p.k, 1)
        local tiles_b, b = make_matrix(host, p, p.k, p.n, 2)
        local place = { dram = place_in_dram, l1 = place_in_l1, sharded = place_in_shards }
        local at = {}
        at.a, at.b = place[p.from](host, p, plan, cores, tiles_a, tiles_b)
        local format = plans.format_of_c(p)
        if p.from == "sharded" then
            at.c_in_l1 = host.l1_allocate { cores = cores, bytes = plan.rows * plan.columns * host.tile_bytes(format), name = "C" }
        else
            at.c = dram_buffer(host, format, p.m, p.n)
        end

        local product = host.reference(a, "product", format, b, p.m, p.k, p.n)
        local cycles
        local launch = host.launch(build(host, p, plan, cores, at))
        host.measure(function() cycles = host.wait(launch) end)
        local c = fetch(host, p, plan, at)
        host.check {
            error = c:error(format, (product())), tolerance = tolerance(p, plan),
            reference = "the product in double precision, rounded at the end",
        }
        report(host, p, plan, cycles)
    end,
}
