-- Sweeps of a level on cores, and what goes along z: one launch for all that a level does before or
-- after the coarser ones. Vectors lie in L1, a tile for each layer (cores/grid.lua); products with the
-- matrix are those of cores/laplacian7.lua.
--
-- A sweep is u = u + weight (f - A u). The new u replaces the old one, of which the reader sends edges
-- to other cores: a page in `sent` tells the compute kernel that all are sent. Then the reader takes
-- the new tiles and gives them as the next sweep's u.

local arithmetic = require("cores/pcg_arithmetic")
local core_grid = require("cores/grid")
local laplacian = require("cores/laplacian7_operator")
local vectors = require("cores/tile_vectors")

local smoothing = {}

-- Circular buffers; the Laplacian has 13 from `stencil` on. `new` lies on u, `whole` and `r` on q.
local cb = {
    u = 0, f = 1, q = 2, whole = 3, r = 4, weights = 5, constants = 6, mask = 7, sent = 8, stencil = 9, difference = 22, product = 23,
    coarse = 24, new = 25,
}

-- Kernels. args has: tiles, coarse (layers of the next level), format, stencil, masks, is_masked, weights
-- (places of those of sweeps), is_zero (u is 0 at first), residual (whether r is wanted at the end), restricts (and along
-- z to `coarse`), prolongs (from `coarse`, before all sweeps).

local function give(buffer, pages)
    cb_reserve_back(buffer, pages)
    cb_push_back(buffer, pages)
end

local function take(buffer, pages)
    cb_wait_front(buffer, pages)
    cb_pop_front(buffer, pages)
end

-- Products with the matrix.
local function products(args)
    return #args.weights - (args.is_zero and 1 or 0) + (args.residual and 1 or 0)
end

local function reader(args)
    give(cb.constants, args.stencil.constant_count)
    if args.format ~= "fp32" then
        give(cb.weights, args.weight_count)
    end
    if args.masks > 0 and products(args) > 0 then
        give(cb.mask, args.masks)
    end
    if #args.weights > 0 or args.residual then
        give(cb.f, args.tiles)
    end
    if args.prolongs then
        give(cb.coarse, args.coarse)
        give(cb.u, args.tiles)
    end
    if args.prolongs or args.is_zero then
        take(cb.new, args.tiles)
    end
    local count = products(args)
    for i = 0, count - 1 do
        give(cb.u, args.tiles)
        laplacian.send(args.stencil, i * args.tiles)
        give(cb.sent, 1)
        if i < count - 1 or not args.residual then
            take(cb.new, args.tiles)
        end
    end
    laplacian.finish(args.stencil)
end

local function writer(args)
    for i = 0, products(args) - 1 do
        laplacian.fill(args.stencil, i * args.tiles)
    end
    laplacian.leave(args.stencil)
    if args.restricts then
        take(cb.coarse, args.coarse)
    end
end

local function multiply(args)
    local unit = arithmetic[args.format]
    laplacian.apply(args.stencil)
    for _ = 1, args.is_masked and args.tiles or 0 do
        unit.mask(1, cb.whole, cb.mask, cb.q)
    end
    take(cb.sent, 1)
end

-- out = weight number `which` times a.
local function scale(args, a, at, which, out)
    if args.format == "fp32" then
        vectors.sfpu.scale(1, a, at, args.numbers[which], out)
    else
        vectors.fpu.scale_by_tile(1, a, at, cb.weights, which - 1, out)
    end
end

local function sweep(args, which)
    local unit = arithmetic[args.format]
    multiply(args)
    for k = 0, args.tiles - 1 do
        unit.sub(1, cb.f, k, cb.q, nil, cb.difference)
        scale(args, cb.difference, nil, which, cb.product)
        unit.add(1, cb.u, nil, cb.product, nil, cb.new)
    end
end

local function sweeps(args)
    for i, which in ipairs(args.weights) do
        if i == 1 and args.is_zero then
            for k = 0, args.tiles - 1 do
                scale(args, cb.f, k, which, cb.new)
            end
        else
            sweep(args, which)
        end
    end
end

-- r = f - A u
local function residual(args)
    local unit = arithmetic[args.format]
    multiply(args)
    for k = 0, args.tiles - 1 do
        unit.sub(1, cb.f, k, cb.q, nil, cb.r)
    end
    cb_pop_front(cb.u, args.tiles)
end

-- Along z 1, 2, 1 of r.
local function restrict(args)
    local unit = arithmetic[args.format]
    for k = 0, args.coarse - 1 do
        unit.add(1, cb.r, 2 * k, cb.r, 2 * k + 2, cb.difference)
        unit.add(1, cb.r, 2 * k + 1, cb.r, 2 * k + 1, cb.product)
        unit.add(1, cb.difference, nil, cb.product, nil, cb.coarse)
    end
end

-- u = u + the correction, which has the coarse layers.
local function prolong(args)
    local unit, last = arithmetic[args.format], args.coarse
    for k = 0, last do
        if k > 0 and k < last then
            unit.add(1, cb.coarse, k - 1, cb.coarse, k, cb.difference)
            scale(args, cb.difference, nil, args.half, cb.product)
        else
            scale(args, cb.coarse, math.min(k, last - 1), args.half, cb.product)
        end
        unit.add(1, cb.u, nil, cb.product, nil, cb.new)
        if k < last then
            unit.add(1, cb.u, nil, cb.coarse, k, cb.new)
        end
    end
end

local function compute(args)
    local unit = arithmetic[args.format]
    unit.start(cb.u, cb.constants, cb.new)
    cb_wait_front(cb.constants, args.stencil.constant_count)
    if args.format ~= "fp32" then
        cb_wait_front(cb.weights, args.weight_count)
    end
    if args.prolongs then
        cb_wait_front(cb.coarse, args.coarse)
        zone("prolong" .. args.level, function() prolong(args) end)
    end
    if #args.weights > 0 then
        zone(args.zone, function() sweeps(args) end)
    end
    if args.residual then
        zone(args.is_norm and "norm" or "residual" .. args.level, function() residual(args) end)
    end
    if args.restricts then
        zone("restrict" .. args.level, function() restrict(args) end)
    end
    if args.residual then
        take(cb.r, args.tiles)
    end
end

smoothing.kernels = { smoothing_reader = reader, smoothing_writer = writer, smoothing = compute }

-- Host

-- smoothing.bytes(host, format): L1 of each core for buffers, beside the Laplacian's.
function smoothing.bytes(host, format)
    return 5 * host.tile_bytes(format)
end

-- smoothing.build(host, size, at, it): a program of a level. `at` has addresses: u, f, q, t (coarse
-- layers), constants, mask, weights, ring (the Laplacian's). `it` has format, coarse, numbers (all that
-- tiles of weights are filled with), weights (the places of those of the sweeps), half (the place of
-- 1/2), level, zone (of sweeps), is_norm (the residual is for its norm), is_zero, residual, restricts, prolongs.
function smoothing.build(host, size, at, it)
    local cores, program = { 0, 0, size.cols - 1, size.rows - 1 }, host.program()
    local function buffer(index, pages, address)
        program:circular_buffer { cores = cores, index = index, pages = pages, format = it.format, address = address }
    end
    for index, address in pairs { [cb.u] = at.u, [cb.new] = at.u, [cb.f] = at.f, [cb.q] = at.q, [cb.whole] = at.q, [cb.r] = at.q } do
        buffer(index, size.tiles, address)
    end
    buffer(cb.weights, #it.numbers, at.weights)
    buffer(cb.constants, laplacian.constant_count(size), at.constants)
    buffer(cb.mask, core_grid.mask_count(size), at.mask)
    buffer(cb.sent, 1)
    buffer(cb.difference, 2)
    buffer(cb.product, 2)
    if it.coarse > 0 then
        buffer(cb.coarse, it.coarse, at.t)
    end
    local describe = laplacian.describe(host, program, {
        size = size, cores = cores, format = it.format, halo = true, zero_fill = true, memory = at.ring, first_buffer = cb.stencil,
        x = cb.u, y = cb.q, constants = cb.constants, x_address = at.u,
    })
    local function args(x, y)
        local stencil, masks = describe(x, y), core_grid.mask_total(size, x, y)
        local is_masked = masks > 0
        stencil.y = is_masked and cb.whole or cb.q
        return {
            tiles = size.tiles, coarse = it.coarse, format = it.format, stencil = stencil, masks = masks, is_masked = is_masked,
            weights = it.weights, numbers = it.numbers, half = it.half, level = it.level, weight_count = #it.numbers, is_zero = it.is_zero,
            residual = it.residual, restricts = it.restricts, prolongs = it.prolongs, zone = it.zone, is_norm = it.is_norm,
        }
    end
    for processor, kernel in pairs { reader = "smoothing_reader", writer = "smoothing_writer", compute = "smoothing" } do
        local is_compute = processor == "compute"
        program:kernel {
            kernel = kernel, processor = processor, cores = cores, args = args, code = is_compute and "large" or nil,
            fp32_dst = is_compute and arithmetic[it.format].has_wide_dst or nil, fidelity = is_compute and "hifi4" or nil,
        }
    end
    return program
end

return smoothing
