-- y = A x with a general sparse matrix, in CSR or in sliced ELL, on a grid of cores. The data movers
-- gather the numbers of x: see lib/cores/sparse_kernels.lua.

local kernels = require("cores/sparse_kernels")
local matrices = require("cores/sparse_matrix")
local plans = require("cores/sparse_plan")
local product = require("cores/sparse_product")

local OUT = 16                  -- circular buffer
local TILE = 1024

local function write_y(args)
    local bytes = TILE * args.product.bytes
    for i = 0, args.slices - 1 do
        noc_async_write_tile(args.first_slice + i, args.y, args.y_at + i * bytes)
    end
    noc_async_write_barrier()
end

local function reader(args)
    zone("fetch", function() kernels.fetch(args.product, 1) end)
    zone("gather", function() kernels.gather(args.product, args.product.parts[1]) end)
    if args.product.layout == "csr" then
        noc_semaphore_wait(get_semaphore(args.done), 1)
        if args.y then
            write_y(args)
        end
    end
end

local function writer(args)
    kernels.await(args.product, 1)
    zone("gather", function() kernels.gather(args.product, args.product.parts[2]) end)
    if args.product.layout == "csr" then
        noc_semaphore_set(get_semaphore(args.done), 1)
        return
    end
    cb_wait_front(OUT, args.slices)
    if args.y then
        write_y(args)
    end
    cb_pop_front(OUT, args.slices)
end

local function compute(args)
    local values, gathered = product.buffers.values[1], product.buffers.gathered[1]
    if args.product.unit == "fpu" then
        binary_op_init_common(values, gathered, OUT)
    else
        init_sfpu(values, OUT)
        mul_binary_tile_init()
        add_binary_tile_init()
    end
    zone("multiply", function() kernels.multiply(args.product, OUT) end)
end

local function build(host, p, plan, at)
    local program = host.program()
    local shares = product.describe(program, plan, { window = at.window, y_at = at.y, x = at.x })
    local done = program:semaphore { cores = plan.cores, value = 0, name = "the writer's rows are done" }
    local function args(x, y)
        local part = plan.parts[y * p.cols + x + 1]
        return { product = shares(x, y), done = done, slices = part.slices, first_slice = part.first_slice, y = at.on_y, y_at = at.y }
    end
    -- NoC 0 is for x and y: what DRAM sends leaves its columns at once.
    program:kernel { name = "reader", kernel = "reader", processor = "reader", noc = 0, cores = plan.cores, args = args }
    program:kernel { name = "writer", kernel = "writer", processor = "writer", noc = 1, cores = plan.cores, args = args }
    if plan.layout ~= "csr" then
        program:circular_buffer { cores = plan.cores, index = OUT, pages = plan.tiles, format = p.dtype, address = at.y }
        program:kernel { name = "compute", kernel = "compute", processor = "compute", cores = plan.cores, args = args,
            fidelity = "hifi4", fp32_dst = true }
    end
    return program
end

-- A vector of tiles with numbers from -1 to 1, also where a slice has none.
local function make_x(host, p, plan, matrix)
    local given = matrices.load_vector(host, p, plan, matrix, "x", false)
    if given then
        return given
    end
    local x = host.buffer(plan.column_slices * host.tile_bytes(p.dtype))
    x:fill_random(p.dtype, 1, -1, 1)
    return x
end

local function place_vectors(host, p, plan, x)
    local tile_bytes = host.tile_bytes(p.dtype)
    local at = {
        window = host.l1_allocate { cores = plan.cores, bytes = math.max(64, plan.window * plan.bytes), name = "x" },
        y = host.l1_allocate { cores = plan.cores, bytes = plan.tiles * tile_bytes, name = "y" },
    }
    if p.from == "dram" then
        at.x = host.dram_buffer { pages = plan.column_slices, page_bytes = tile_bytes }
        at.on_y = host.dram_buffer { pages = plan.slices, page_bytes = tile_bytes }
        host.upload(x, at.x)
    else
        for core, part in ipairs(plan.parts) do
            local first, last = plan.owners.first[core], plan.owners.first[core + 1]
            if last > first then
                host.l1_write(part.x, part.y, at.window, x:part(first * tile_bytes, (last - first) * tile_bytes))
            end
        end
    end
    if plan.layout == "csr" then            -- rows that are not there are not written
        for _, part in ipairs(plan.parts) do
            host.l1_write(part.x, part.y, at.y, host.buffer(plan.tiles * tile_bytes))
        end
    end
    return at
end

local function fetch_y(host, p, plan, at)
    local tile_bytes = host.tile_bytes(p.dtype)
    local y = host.buffer(plan.slices * tile_bytes)
    if at.on_y then
        host.download(at.on_y, y)
        return y
    end
    for _, part in ipairs(plan.parts) do
        local own = host.buffer(part.slices * tile_bytes)
        host.l1_read(part.x, part.y, at.y, own)
        y:put(part.first_slice * tile_bytes, own)
    end
    return y
end

-- What a row's sum may lose, relative to the sum of magnitudes: each product and sum in single
-- precision, and the last rounding to BF16. A Dst of 32 bits aligns BF16's products to fewer bits.
local function bound(p)
    local of_fpu = p.dtype == "bf16" and p.layout ~= "csr"
    return of_fpu and 2 ^ -10 or 2 ^ -23, p.dtype == "bf16" and 2 ^ -8 or 2 ^ -23
end

local function report(host, p, plan, cycles, mean_cycles)
    product.report(host, plan)
    local cores = #plan.parts
    host.metric("cycles_per_entry", cycles * cores / math.max(1, plan.entries))
    host.metric("useful_flops_per_cycle", 2 * plan.entries / cycles)
    host.metric("mean_core_cycles", mean_cycles)
    product.roof(host, plan, cycles / host.number("chip.clock_hz"), 1)
    print(("%s from %s on %d x %d cores: %d cycles, %.2f cycles an entry and core, %.2f FLOP/cycle"):format(p.dtype, p.from, p.rows,
        p.cols, cycles, cycles * cores / math.max(1, plan.entries), 2 * plan.entries / cycles))
end

local parameters = matrices.parameters { "poisson7", "poisson5", "banded", "graph", "arrow", "file", "random" }
for _, parameter in ipairs {
    { name = "columns", type = "integer", default = 0, min = 0, max = 1 << 24, help = "random, file: columns; 0: as many as rows" },
    table.unpack(plans.parameters),
} do
    table.insert(parameters, parameter)
end
for _, parameter in ipairs {
    { name = "dtype", type = "choice", default = "fp32", choices = { "fp32", "bf16" }, help = "format of matrix and vectors" },
    { name = "from", type = "choice", default = "dram", choices = { "dram", "l1" },
      help = "where matrix, x and y are; l1: x is shared among the cores as y is" },
    { name = "rows", type = "integer", default = 7, min = 1, max = 10, help = "rows of cores" },
    { name = "cols", type = "integer", default = 8, min = 1, max = 8, help = "columns of cores" },
} do
    table.insert(parameters, parameter)
end

local inputs = { { name = "x", help = "the vector; without it, random numbers" }, table.unpack(matrices.inputs) }

return {
    summary = "sparse matrix times vector, in CSR or in sliced ELL",
    chips = { "tensix" },
    parameters = parameters,
    inputs = inputs,
    outputs = { { name = "y", help = "the product" } },
    kernels = { reader = reader, writer = writer, compute = compute },
    run = function(host, p)
        local is_in_l1 = p.from == "l1"
        local matrix = matrices.make(host, p)
        if p.sort > 1 then
            matrix = matrix:sorted(p.sort)
        end
        local plan = plans.make(host, p, matrix, is_in_l1)
        product.lay_out(host, p, plan, matrix, is_in_l1)
        product.check_room(host, plan, plan.window * plan.bytes + plan.tiles * host.tile_bytes(p.dtype))
        product.place(host, plan)
        local x = make_x(host, p, plan, matrix)
        local at = place_vectors(host, p, plan, x)

        local cycles
        local launch = host.launch(build(host, p, plan, at))
        host.measure(function() cycles = host.wait(launch) end)
        local y = fetch_y(host, p, plan, at)
        local unit, last = bound(p)
        host.check {
            error = matrix:product_error { x = x, y = y, slice = plan.slice, unit = unit, last = last }, tolerance = 1,
            reference = "the product in double precision, by row in units of what roundings may lose",
        }
        matrices.save_vector(host, p, plan, matrix, "y", y)
        report(host, p, plan, cycles, host.mean_cycles(launch))
        p.slice = plan.slice
    end,
}
