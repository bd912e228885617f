-- The arithmetic of conjugate gradients, by format: BF16 on the FPU, FP32 on the SFPU. Both
-- tables have the same functions, so a kernel of either variant works in either format.
--
-- A factor is what scale() takes: in BF16 a circular buffer with the number in its front tile,
-- in FP32 a number that the kernel knows.

local vectors = require("cores/tile_vectors")

local SIXTH_BF16 = 0x3e2b       -- 1/6, to the nearest
local SIXTH = string.unpack("<f", string.pack("<f", 1 / 6))

local fpu, sfpu = vectors.fpu, vectors.sfpu

local bf16 = { unit = "fpu", add = fpu.add, sub = fpu.sub, mul = fpu.mul, scale = fpu.scale, dot = fpu.dot }
local fp32 = {
    unit = "sfpu", add = sfpu.add, sub = sfpu.sub, mul = sfpu.mul, scale = sfpu.scale, dot = sfpu.dot, has_wide_dst = true,
}

-- Compute: sets up the units, for operands like those of `a` and `b` and results like `out`.
function bf16.start(a, b, out)
    binary_op_init_common(a, b, out)
end

function fp32.start(a, _, out)
    init_sfpu(a, out)
    add_binary_tile_init()
    mul_binary_tile_init()
    binop_with_scalar_tile_init()
end

-- Compute: the factor a / b of the numbers in the tiles at the front of two buffers, which
-- stay. In BF16 the SFPU divides and the quotient goes to `out`; in FP32 a RISC-V does.
function bf16.quotient(a, b, out)
    cb_wait_front(a, 1)
    cb_wait_front(b, 1)
    tile_regs_acquire()
    copy_tile_to_dst_init_short(a)
    copy_tile(a, 0, 0)
    copy_tile(b, 0, 1)
    recip_tile_init()
    recip_tile(1)
    mul_binary_tile_init()
    mul_binary_tile(0, 1)
    vectors.pack(0, out)
    return out
end

function fp32.quotient(a, b)
    cb_wait_front(a, 1)
    cb_wait_front(b, 1)
    local quotient = read_tile_value(a, 0, 0) / read_tile_value(b, 0, 0)
    scalar { float_divide = 1 }
    return quotient
end

-- Compute: a quotient is not needed any more.
function bf16.drop(factor)
    cb_pop_front(factor, 1)
end

function fp32.drop() end

-- Mover: makes the factor 1/6 in the buffer `out`. Compute: that factor.
function bf16.make_sixth(out)
    cb_reserve_back(out, 1)
    store_words(get_write_ptr(out), SIXTH_BF16)
    cb_push_back(out, 1)
end

function bf16.sixth(made)
    return made
end

function fp32.make_sixth() end

function fp32.sixth()
    return SIXTH
end

-- Compute: out = a times the tile at the front of `mask`, which stays; uses up n tiles of a.
function bf16.mask(n, a, mask, out)
    fpu.scale_by_tile(n, a, nil, mask, 0, out)
end

function fp32.mask(n, a, mask, out)
    for _ = 1, n do
        sfpu.mul(1, a, nil, mask, 0, out)
    end
end

-- The number in the first word of a tile.
function bf16.number_of(word)
    return (string.unpack("<f", string.pack("<I4", (word & 0xffff) << 16)))
end

function fp32.number_of(word)
    return (string.unpack("<f", string.pack("<I4", word)))
end

return { bf16 = bf16, fp32 = fp32 }
