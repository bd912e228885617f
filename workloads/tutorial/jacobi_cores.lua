-- Step 3 on Tensix cores: each core has a tile of 32 x 32 cells and reads its neighbours' tiles.
--
-- The matrix unit does the whole update. Left and right neighbours of all cells of a tile U are
-- U S, those above and below S U, where S has ones beside its diagonal. The halo comes by
-- products with neighbours' tiles: N with a single one picks the last row of the tile above as
-- row 0. All products add up in Dst, in 32 bits, and are rounded to BF16 once, when packed:
--
--     new = (S U + U S + N above + N' below + left N' + right N) / 4 + f / 4
--
-- An iteration reads one of two copies of u and writes the other. Semaphores say which copies
-- are complete: a neighbour counts mine up when it has written its tile.

local U, MATRICES, F, OUT = 0, 1, 2, 16         -- circular buffers
local TILE, BYTES = 32, 2 * 32 * 32

-- Where tiles come from: the core itself and its neighbours. `left` and `right` are the matrices
-- that the tile is multiplied with on that side; `opposite` is how the neighbour sees this core.
local SIDES = {
    { dx = 0, dy = 0, left = 0, right = 0, opposite = 1 },
    { dx = 0, dy = -1, left = 1, opposite = 3 },
    { dx = 0, dy = 1, left = 2, opposite = 2 },
    { dx = -1, dy = 0, right = 2, opposite = 5 },
    { dx = 1, dy = 0, right = 1, opposite = 4 },
}

local function reader(args)
    for cb, pages in pairs { [MATRICES] = 4, [F] = 1 } do       -- in L1 from the start
        cb_reserve_back(cb, pages)
        cb_push_back(cb, pages)
    end
    for iteration = 0, args.iterations - 1 do
        for _, side in ipairs(args.sides) do
            cb_reserve_back(U, 1)
            noc_semaphore_wait_min(get_semaphore(side.semaphore), iteration)    -- its tile is complete
            noc_async_read(get_noc_addr(side.x, side.y, args.u[1 + iteration % 2]), get_write_ptr(U), BYTES)
            noc_async_read_barrier()                    -- and has arrived
            cb_push_back(U, 1)
        end
    end
end

local function compute(args)
    mm_init(U, MATRICES, OUT)
    cb_wait_front(MATRICES, 4)
    cb_wait_front(F, 1)
    for _ = 1, args.iterations do
        tile_regs_acquire()
        matmul_tiles(MATRICES, F, 3, 0, 0)
        for _, side in ipairs(args.sides) do
            cb_wait_front(U, 1)
            if side.left then matmul_tiles(MATRICES, U, side.left, 0, 0) end
            if side.right then matmul_tiles(U, MATRICES, 0, side.right, 0) end
            cb_pop_front(U, 1)
        end
        tile_regs_commit()
        cb_reserve_back(OUT, 1)
        tile_regs_wait()
        pack_tile(0, OUT)
        tile_regs_release()
        cb_push_back(OUT, 1)
    end
end

local function writer(args)
    for iteration = 0, args.iterations - 1 do
        cb_wait_front(OUT, 1)
        noc_async_write(get_read_ptr(OUT), get_noc_addr(args.x, args.y, args.u[1 + (iteration + 1) % 2]), BYTES)
        noc_async_write_barrier()                       -- the tile is written: tell those who read it
        cb_pop_front(OUT, 1)
        for _, side in ipairs(args.sides) do
            noc_semaphore_inc(get_noc_addr(side.x, side.y, get_semaphore(side.opposite)), 1)
        end
    end
    noc_async_atomic_barrier()
end

-- S / 4, N / 4, N' / 4 and the unit matrix, as tiles.
local function matrices(host)
    local all = host.buffer(4 * BYTES)
    local function put(number, set)
        local matrix = host.buffer(BYTES)
        set(function(row, column, value) matrix:set("bf16", row * TILE + column, value) end)
        all:put(number * BYTES, matrix:tilize("bf16", TILE, TILE))
    end
    put(0, function(set)
        for i = 1, TILE - 1 do
            set(i - 1, i, 0.25)
            set(i, i - 1, 0.25)
        end
    end)
    put(1, function(set) set(0, TILE - 1, 0.25) end)
    put(2, function(set) set(TILE - 1, 0, 0.25) end)
    put(3, function(set) for i = 0, TILE - 1 do set(i, i, 1) end end)
    return all
end

-- Solves with right-hand side f / 4, a matrix in BF16. Returns u likewise, and cycles.
---@param host gl.Host
local function solve(host, p, f)
    local columns, rows = p.nx // TILE, p.ny // TILE
    local cores = { 0, 0, columns - 1, rows - 1 }
    local function l1(name, tiles) return host.l1_allocate { cores = cores, bytes = tiles * BYTES, name = name } end
    local u, at_matrices, at_f = { l1("u", 1), l1("next u", 1) }, l1("matrices", 4), l1("f", 1)
    local function each(f_of_core)
        for y = 0, rows - 1 do
            for x = 0, columns - 1 do f_of_core(x, y, (y * columns + x) * BYTES) end
        end
    end
    local shared, tiles = matrices(host), f:tilize("bf16", p.ny, p.nx)
    each(function(x, y, offset)
        host.l1_write(x, y, at_matrices, shared)
        host.l1_write(x, y, at_f, tiles:part(offset, BYTES))
        host.l1_write(x, y, u[1], host.buffer(BYTES))
    end)

    local program, semaphores = host.program(), {}
    for i = 1, #SIDES do semaphores[i] = program:semaphore { cores = cores, value = 0 } end
    program:circular_buffer { cores = cores, index = U, pages = 4, format = "bf16" }
    program:circular_buffer { cores = cores, index = MATRICES, pages = 4, format = "bf16", address = at_matrices }
    program:circular_buffer { cores = cores, index = F, pages = 1, format = "bf16", address = at_f }
    program:circular_buffer { cores = cores, index = OUT, pages = 2, format = "bf16" }
    local function arguments(x, y)
        local sides = {}
        for i, side in ipairs(SIDES) do
            local sx, sy = x + side.dx, y + side.dy
            if sx >= 0 and sx < columns and sy >= 0 and sy < rows then
                table.insert(sides, {
                    x = sx, y = sy, left = side.left, right = side.right,
                    semaphore = semaphores[i], opposite = semaphores[side.opposite],
                })
            end
        end
        return { x = x, y = y, u = u, iterations = p.iterations, sides = sides }
    end
    program:kernel { kernel = "reader", processor = "reader", cores = cores, args = arguments }
    program:kernel { kernel = "compute", processor = "compute", cores = cores, args = arguments, fp32_dst = true, fidelity = "hifi4" }
    program:kernel { kernel = "writer", processor = "writer", cores = cores, args = arguments }
    local launch, cycles = host.launch(program), 0
    host.measure(function() cycles = host.wait(launch) end, p.iterations)

    local result, one = host.buffer(#f), host.buffer(BYTES)
    each(function(x, y, offset)
        host.l1_read(x, y, u[1 + p.iterations % 2], one)
        result:put(offset, one)
    end)
    return result:untilize("bf16", p.ny, p.nx), cycles
end

return { solve = solve, format = "bf16", block = TILE, kernels = { reader = reader, compute = compute, writer = writer } }
