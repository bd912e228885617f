-- How chips round, measured against IEEE 754: the experiments of workloads/doc/rounding.md.
--
--     gridloom run workloads/tutorial/arithmetic.lua --chip wormhole_n300
--     gridloom run workloads/tutorial/arithmetic.lua --chip wse2
--     gridloom run workloads/tutorial/arithmetic.lua arithmetic=ieee      the same units, if they rounded as IEEE 754 does
--
-- Each row does one operation on 1024 pairs of numbers and compares with the exact results. IEEE
-- 754 would be wrong by at most half a unit in the last place (ulp) of the result's format.
--
-- `gridloom new annotations gridloom.lua` makes a file from which editors complete these calls.

local A, B, OUT = 0, 1, 16          -- circular buffers
local TILE = 1024
local BITS = { bf16 = 8, fp16 = 11, fp32 = 24 }         -- of the mantissa, with the hidden one

-- Kernels for Tensix cores ---------------------------------------------------------------------

local operations = {}

function operations.add()
    add_tiles_init(A, B)
    add_tiles(A, B, 0, 0, 0)
end

function operations.multiply()
    mul_tiles_init(A, B)
    mul_tiles(A, B, 0, 0, 0)
end

function operations.add_on_sfpu()
    copy_tile(A, 0, 0) copy_tile(B, 0, 1)
    add_binary_tile(0, 1)
end

function operations.dot(args)                           -- products along a row, tile after tile
    mm_init_short(A, B)
    for k = 0, args.tiles - 1 do matmul_tiles(A, B, k, k, 0) end
end

local function reader(args)
    for _, cb in ipairs { A, B } do
        cb_reserve_back(cb, args.tiles)
        cb_push_back(cb, args.tiles)
    end
end

local function compute(args)
    binary_op_init_common(A, B, OUT)
    cb_wait_front(A, args.tiles)
    cb_wait_front(B, args.tiles)
    cb_reserve_back(OUT, 1)
    tile_regs_acquire()
    operations[args.operation](args)
    tile_regs_commit()
    tile_regs_wait()
    pack_tile(0, OUT)
    tile_regs_release()
    cb_push_back(OUT, 1)
end

local function writer()
    cb_wait_front(OUT, 1)
    cb_pop_front(OUT, 1)
end

-- Runs one operation on core (0, 0): buffers in, a buffer with one tile out.
---@param host gl.Host
local function on_core(host, it, a, b)
    local core, bytes = { 0, 0, 0, 0 }, host.tile_bytes(it.format)
    local tiles = #a // bytes
    host.l1_release()
    local program = host.program()
    local places = {}
    for name, cb in pairs { a = A, b = B, out = OUT } do
        local pages = cb == OUT and 1 or tiles
        places[cb] = host.l1_allocate { cores = core, bytes = pages * bytes, name = name }
        program:circular_buffer { cores = core, index = cb, pages = pages, format = it.format, address = places[cb] }
    end
    host.l1_write(0, 0, places[A], a)
    host.l1_write(0, 0, places[B], b)
    local args = { tiles = tiles, operation = it.operation }
    program:kernel { kernel = "reader", processor = "reader", cores = core, args = args }
    program:kernel {
        kernel = "compute", processor = "compute", cores = core, args = args,
        fp32_dst = it.fp32_dst, fidelity = it.fidelity or "hifi4",
    }
    program:kernel { kernel = "writer", processor = "writer", cores = core, args = args }
    host.wait(host.launch(program))
    local out = host.buffer(bytes)
    host.l1_read(0, 0, places[OUT], out)
    return out
end

-- A program for one PE -------------------------------------------------------------------------

local vector = {
    add = function(pe, type, a, b, out) pe[type == "f32" and "fadds" or "faddh"](pe, out, a, b) end,
    fused = function(pe, _, a, b, out) pe:fmacs(out, a, a, b) end,
    separate = function(pe, _, a, b, out)
        pe:fmuls(out, a, b)
        pe:fadds(out, out, a)
    end,
}

---@param host gl.Host
local function on_pe(host, it, a, b)
    local type = it.format == "fp32" and "f32" or "f16"
    local wafer = host.wafer { columns = 1, rows = 1, layout = function(layout)
        layout:set_tile_code({ 0, 0 }, "pe", function(pe)
            local function column(name)
                return pe:mem1d_dsd { base = pe:array { name = name, type = type, count = TILE }, extent = TILE }
            end
            local at_a, at_b, at_out = column("a"), column("b"), column("out")
            pe:bind_local_task(8, "go", function() vector[it.operation](pe, type, at_a, at_b, at_out) end)
            pe:activate(8)
        end)
    end }
    wafer:copy_to { { name = "a", buffer = a, count = TILE }, { name = "b", buffer = b, count = TILE } }
    wafer:launch()
    local out = host.buffer(#a)
    wafer:copy_from { name = "out", buffer = out, count = TILE }
    return out
end

-- Experiments ----------------------------------------------------------------------------------

local function noise(host, format, seed, count)
    local buffer = host.buffer(count * (format == "fp32" and 4 or 2))
    buffer:fill_random(format, seed, 0.5, 2)
    return buffer
end

local function constant(host, format, x)
    local buffer = noise(host, format, 1, TILE)
    buffer:fill_with(format, x)
    return buffer
end

-- A matrix of 32 x 32 in a tile is stored in four quarters; only the dot product has to know.
local function place_of(row, column)
    return (row // 16 * 2 + column // 16) * 256 + row % 16 * 16 + column % 16
end

local exact = {
    add = function(a, b) return a + b end,
    multiply = function(a, b) return a * b end,
    fused = function(a, b) return a + a * b end,
}
exact.add_on_sfpu, exact.separate = exact.add, exact.fused

-- The exact results, in double precision.
local function exact_of(it, a, b)
    local list = {}
    for i = 0, TILE - 1 do
        if it.operation == "dot" then
            local row, column, sum = i // 32, i % 32, 0
            for k = 0, it.terms - 1 do
                local tile = k // 32 * TILE
                sum = sum + a:get(it.format, tile + place_of(row, k % 32)) * b:get(it.format, tile + place_of(k % 32, column))
            end
            list[place_of(row, column)] = sum
        else
            list[i] = exact[it.operation](a:get(it.format, i), b:get(it.format, i))
        end
    end
    return list
end

-- The last place of a number in a format; that of subnormals is the smallest number there is.
local function ulp(x, format)
    local exponent = tonumber(("%a"):format(x):match("p([-+]%d+)"))
    return 2.0 ^ (math.max(exponent, format == "fp16" and -14 or -126) - BITS[format] + 1)
end

-- The left matrix of a dot product whose terms fall or rise from tile to tile, by a factor of 2.
local function ordered(host, it)
    local a, tiles = noise(host, it.format, 1, it.terms * 32), it.terms // 32
    for t = 0, tiles - 1 do
        local one = constant(host, it.format, 2.0 ^ (it.order == "falling" and -t or t - tiles))
        a:put(t * #one, one)
    end
    return a
end

-- Does one experiment; returns how many results differ from IEEE's, and the largest error in ulp.
local function measure(host, it)
    local count = it.terms and it.terms * 32 or TILE
    local a = it.order and ordered(host, it) or it.a and constant(host, it.format, it.a) or noise(host, it.format, 1, count)
    local b = it.b and constant(host, it.format, it.b) or noise(host, it.format, 2, count)
    local out = (host.family == "tensix" and on_core or on_pe)(host, it, a, b)
    local rounded, differing, largest = host.buffer(#out), 0, 0
    for i, x in pairs(exact_of(it, a, b)) do
        rounded:set(it.format, i, x)
        differing = differing + (rounded:get(it.format, i) ~= out:get(it.format, i) and 1 or 0)
        largest = math.max(largest, x == 0 and 0 or math.abs(out:get(it.format, i) - x) / ulp(x, it.format))
    end
    return differing, largest
end

local BF16, FP32, SMALL = "bf16", "fp32", 0x1p-130
local experiments = {
    tensix = {
        { "rounding", "add, BF16", { operation = "add", format = BF16 }, 0.5 },
        { "rounding", "add, 1 + 2^-8: a tie", { operation = "add", format = BF16, a = 1, b = 0x1p-8 }, 0.5 },
        { "subnormals", "add, 2^-130 + 2^-130, FP32", { operation = "add_on_sfpu", format = FP32, fp32_dst = true, a = SMALL, b = SMALL }, math.huge },
        { "accumulation", "dot, 32 terms", { operation = "dot", format = BF16, terms = 32 }, 4 },
        { "accumulation", "dot, 256 terms", { operation = "dot", format = BF16, terms = 256 }, 32 },
        { "accumulation", "dot, 256 terms, largest first", { operation = "dot", format = BF16, terms = 256, order = "falling" }, 32 },
        { "accumulation", "dot, 256 terms, smallest first", { operation = "dot", format = BF16, terms = 256, order = "rising" }, 32 },
        { "fp32_dst", "dot, 256 terms, Dst of 32 bits", { operation = "dot", format = BF16, terms = 256, fp32_dst = true }, 1 },
        { "fidelity", "multiply, LoFi: 1 phase", { operation = "multiply", format = BF16, fidelity = "lofi" }, 16 },
        { "fidelity", "multiply, HiFi2", { operation = "multiply", format = BF16, fidelity = "hifi2" }, 8 },
        { "fidelity", "multiply, HiFi3", { operation = "multiply", format = BF16, fidelity = "hifi3" }, 8 },
        { "fidelity", "multiply, HiFi4: all bits", { operation = "multiply", format = BF16, fidelity = "hifi4" }, 8 },
        { "Src", "add, FP32 through Src", { operation = "add", format = FP32, fp32_dst = true }, 0x1p14 },
        { "Dst", "add, FP32 on the SFPU", { operation = "add_on_sfpu", format = FP32, fp32_dst = true }, 0.5 },
        { "Dst", "add, BF16 on the SFPU", { operation = "add_on_sfpu", format = BF16 }, 1 },
    },
    wse = {
        { "rounding", "add, f32", { operation = "add", format = FP32 }, 0.5 },
        { "rounding", "add, f16", { operation = "add", format = "fp16" }, 0.5 },
        { "rounding", "a + a b, fused", { operation = "fused", format = FP32 }, 0.5 },
        { "rounding", "a + a b, two operations", { operation = "separate", format = FP32 }, 1 },
        { "subnormals", "add, 2^-130 + 2^-130, f32", { operation = "add", format = FP32, a = SMALL, b = SMALL }, 0.5 },
    },
}

return {
    summary = "how chips round: each effect in one experiment, against IEEE 754",
    chips = { "tensix", "wse" },
    parameters = {},
    kernels = { reader = reader, compute = compute, writer = writer },
    run = function(host)
        local rows, worst = {}, 0
        for _, experiment in ipairs(experiments[host.family]) do
            local effect, name, it, allowed = table.unpack(experiment)
            local differing, largest = measure(host, it)
            table.insert(rows, { effect, name, differing, ("%.4g"):format(largest) })
            worst = math.max(worst, allowed == math.huge and 0 or largest / allowed)
        end
        host.table { name = "rounding", columns = { "effect", "experiment", "differ from IEEE", "largest error, ulp" }, rows = rows }
        host.check { error = worst, tolerance = 1, reference = "bounds from the rules on the page, as fractions" }
    end,
}
