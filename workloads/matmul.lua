-- C = A B on a grid of cores. Each core computes a rectangle of tiles of C. It reads the rows
-- of A and columns of B that it needs from DRAM, or has them in L1.

local A, B, OUT = 0, 1, 16      -- circular buffers
local TILE = 32                 -- rows and columns of a tile

-- One step of the inner dimension: a column of A's tiles and a row of B's.
local function reader(args)
    local page_bytes = get_tile_size(A)
    for k = 0, args.inner - 1 do
        cb_reserve_back(A, args.rows)
        cb_reserve_back(B, args.columns)
        local a, b = get_write_ptr(A), get_write_ptr(B)
        for i = 0, args.rows - 1 do
            noc_async_read_tile((args.first_row + i) * args.inner + k, args.a, a + i * page_bytes)
        end
        for j = 0, args.columns - 1 do
            noc_async_read_tile(k * args.all_columns + args.first_column + j, args.b, b + j * page_bytes)
        end
        noc_async_read_barrier()
        cb_push_back(A, args.rows)
        cb_push_back(B, args.columns)
    end
end

-- All steps lie in L1, one after the other.
local function resident_reader(args)
    cb_reserve_back(A, args.inner * args.rows)
    cb_push_back(A, args.inner * args.rows)
    cb_reserve_back(B, args.inner * args.columns)
    cb_push_back(B, args.inner * args.columns)
end

local function writer(args)
    local page_bytes = get_tile_size(OUT)
    for i = 0, args.rows - 1 do
        for j = 0, args.columns - 1 do
            cb_wait_front(OUT, 1)
            local page = (args.first_row + i) * args.all_columns + args.first_column + j
            noc_async_write_tile(page, args.c, get_read_ptr(OUT))
            noc_async_writes_flushed()
            cb_pop_front(OUT, 1)
        end
    end
    noc_async_write_barrier()
end

-- The whole rectangle stays in Dst over all steps of the inner dimension.
local function multiply(args)
    local tiles = args.rows * args.columns
    mm_init(A, B, OUT)
    tile_regs_acquire()
    for _ = 1, args.inner do
        cb_wait_front(A, args.rows)
        cb_wait_front(B, args.columns)
        if args.is_blocked then
            matmul_block(A, B, 0, 0, 0, false, args.columns, args.rows, 1)
        else
            for i = 0, args.rows - 1 do
                for j = 0, args.columns - 1 do
                    matmul_tiles(A, B, i, j, i * args.columns + j)
                end
            end
        end
        cb_pop_front(A, args.rows)
        cb_pop_front(B, args.columns)
    end
    tile_regs_commit()
    tile_regs_wait()
    for i = 0, tiles - 1 do
        cb_reserve_back(OUT, 1)
        pack_tile(i, OUT)
        cb_push_back(OUT, 1)
    end
    tile_regs_release()
end

-- Small integers are exact in every format, fidelity and order of addition. Other numbers show
-- the rounding.
local function make_matrix(host, p, rows, columns, seed)
    local matrix = host.buffer(rows * columns * host.tile_bytes(p.dtype) // (TILE * TILE))
    if p.values == "exact" then
        matrix:fill_random(p.dtype, seed, -1, 1, 1)
    else
        matrix:fill_random(p.dtype, seed, -1, 1)
    end
    return matrix
end

local function dram_buffer(host, p, rows, columns)
    return host.dram_buffer { pages = rows * columns // (TILE * TILE), page_bytes = host.tile_bytes(p.dtype) }
end

-- Puts both matrices into DRAM and adds the kernel that reads them.
local function place_in_dram(host, p, program, cores, share, a, b)
    local on_a, on_b = dram_buffer(host, p, p.m, p.k), dram_buffer(host, p, p.k, p.n)
    host.upload(a:tilize(p.dtype, p.m, p.k), on_a)
    host.upload(b:tilize(p.dtype, p.k, p.n), on_b)
    local one = share(0, 0)
    program:circular_buffer { cores = cores, index = A, pages = 2 * one.rows, format = p.dtype }
    program:circular_buffer { cores = cores, index = B, pages = 2 * one.columns, format = p.dtype }
    program:kernel {
        name = "reader", kernel = "reader", processor = "reader", cores = cores,
        args = function(x, y)
            local args = share(x, y)
            args.a, args.b = on_a, on_b
            return args
        end,
    }
end

-- Puts the tiles of each core into its L1, in the order of use.
local function place_in_l1(host, p, program, cores, share, a, b)
    local page_bytes = host.tile_bytes(p.dtype)
    local tiles_a, tiles_b = a:tilize(p.dtype, p.m, p.k), b:tilize(p.dtype, p.k, p.n)
    local one = share(0, 0)
    local bytes_a, bytes_b = one.inner * one.rows * page_bytes, one.inner * one.columns * page_bytes
    local at_a = host.l1_allocate { cores = cores, bytes = bytes_a, name = "A" }
    local at_b = host.l1_allocate { cores = cores, bytes = bytes_b, name = "B" }
    for y = 0, p.rows - 1 do
        for x = 0, p.cols - 1 do
            local args = share(x, y)
            local part_a, part_b = host.buffer(bytes_a), host.buffer(bytes_b)
            for k = 0, args.inner - 1 do
                for i = 0, args.rows - 1 do
                    local page = (args.first_row + i) * args.inner + k
                    part_a:put((k * args.rows + i) * page_bytes, tiles_a:part(page * page_bytes, page_bytes))
                end
                local page = k * args.all_columns + args.first_column
                part_b:put(k * args.columns * page_bytes, tiles_b:part(page * page_bytes, args.columns * page_bytes))
            end
            host.l1_write(x, y, at_a, part_a)
            host.l1_write(x, y, at_b, part_b)
        end
    end
    program:circular_buffer { cores = cores, index = A, pages = one.inner * one.rows, format = p.dtype, address = at_a }
    program:circular_buffer { cores = cores, index = B, pages = one.inner * one.columns, format = p.dtype, address = at_b }
    program:kernel { name = "reader", kernel = "resident_reader", processor = "reader", cores = cores, args = share }
end

local function build(host, p, a, b, c)
    local cores = { 0, 0, p.cols - 1, p.rows - 1 }
    local rows, columns = p.m // TILE // p.rows, p.n // TILE // p.cols
    local program = host.program()
    local function share(x, y)
        return {
            rows = rows, columns = columns, inner = p.k // TILE, all_columns = p.n // TILE,
            first_row = y * rows, first_column = x * columns, c = c, is_blocked = p.blocked,
        }
    end
    local place = p.from == "dram" and place_in_dram or place_in_l1
    place(host, p, program, cores, share, a, b)
    program:circular_buffer { cores = cores, index = OUT, pages = 2, format = p.dtype }
    program:kernel { name = "writer", kernel = "writer", processor = "writer", cores = cores, args = share }
    program:kernel {
        name = "compute", kernel = "multiply", processor = "compute", cores = cores, args = share,
        fidelity = p.fidelity, fp32_dst = p.dtype == "fp32",
    }
    return program
end

-- Checks that the matrices divide among the cores and that a core's rectangle fits into Dst.
local function check_sizes(p)
    for _, part in ipairs { { "m", p.m, p.rows }, { "n", p.n, p.cols }, { "k", p.k, 1 } } do
        local name, size, cores = table.unpack(part)
        if size % (TILE * cores) ~= 0 then
            error(("%s=%d is not a multiple of 32 x %d cores"):format(name, size, cores), 0)
        end
    end
    local tiles = (p.m // TILE // p.rows) * (p.n // TILE // p.cols)
    local room = p.dtype == "fp32" and 4 or 8
    if tiles > room then
        error(("each core would hold %d tiles of the result in Dst, there is room for %d: "
            .. "use more cores or a smaller matrix"):format(tiles, room), 0)
    end
end

-- Six standard deviations of the lost digits: those of products of numbers in -1..1 by the
-- fidelity, and those of sums by a 16-bit Dst, once per step of the inner dimension.
local function tolerance(p)
    if p.values == "exact" then
        return 0
    end
    local dropped = { lofi = 2 ^ -4, hifi2 = 2 ^ -6, hifi3 = 2 ^ -7, hifi4 = 0 }
    local size = math.sqrt(p.k) / 3
    return 6 * size * (dropped[p.fidelity] / math.sqrt(3) + 2 ^ -8 * (1 + math.sqrt(p.k // TILE)))
end

return {
    summary = "matrix product, blocks of tiles in Dst, on a grid of cores",
    chips = { "tensix" },
    parameters = {
        { name = "m", type = "integer", default = 64, min = 32, max = 4096, help = "rows of A and C" },
        { name = "k", type = "integer", default = 512, min = 32, max = 4096, help = "columns of A, rows of B" },
        { name = "n", type = "integer", default = 128, min = 32, max = 4096, help = "columns of B and C" },
        { name = "dtype", type = "choice", default = "bf16", choices = { "bf16", "fp32" }, help = "format of the numbers" },
        { name = "fidelity", type = "choice", default = "hifi4", choices = { "lofi", "hifi2", "hifi3", "hifi4" },
          help = "passes of the multiplier over the bits of its operands" },
        { name = "blocked", type = "switch", default = true, help = "keep an operand in Src, matmul_block" },
        { name = "from", type = "choice", default = "dram", choices = { "dram", "l1" }, help = "where A and B are" },
        { name = "values", type = "choice", default = "exact", choices = { "exact", "random" },
          help = "-1, 0 and 1, checked bit for bit, or numbers between" },
        { name = "rows", type = "integer", default = 1, min = 1, max = 10, help = "rows of cores" },
        { name = "cols", type = "integer", default = 1, min = 1, max = 8, help = "columns of cores" },
    },
    kernels = { reader = reader, resident_reader = resident_reader, writer = writer, multiply = multiply },
    run = function(host, p)
        check_sizes(p)
        local a = make_matrix(host, p, p.m, p.k, 1)
        local b = make_matrix(host, p, p.k, p.n, 2)
        local on_c = dram_buffer(host, p, p.m, p.n)
        local program = build(host, p, a, b, on_c)

        local cycles
        local launch = host.launch(program)
        host.measure(function() cycles = host.wait(launch) end)
        local tiled = host.buffer(p.m * p.n * host.tile_bytes(p.dtype) // (TILE * TILE))
        host.download(on_c, tiled)
        local c = tiled:untilize(p.dtype, p.m, p.n)
        local expected = a:product(p.dtype, b, p.m, p.k, p.n)
        host.check {
            error = c:error(p.dtype, expected), tolerance = tolerance(p),
            reference = "the product in double precision, rounded at the end",
        }

        local products = (p.m // TILE) * (p.n // TILE) * (p.k // TILE)
        host.metric("flops_per_cycle", 2 * p.m * p.n * p.k / cycles)
        host.metric("cycles_per_matmul_tile", cycles * p.rows * p.cols / products)
        print(("%d x %d x %d %s %s on %d x %d cores: %d cycles, %.1f FLOP/cycle"):format(
            p.m, p.k, p.n, p.dtype, p.fidelity, p.rows, p.cols, cycles, 2 * p.m * p.n * p.k / cycles))
    end,
}
