// Functions of the SFPU on tiles of Dst. Which of them the simulator has is in
// arch/tensix_operations.def; the others fail where they are called.
#pragma once

#include "gridloom/sfpu/sfpu_function.h"

namespace ckernel
{

GRIDLOOM_NEAR(exp_tile, false)
GRIDLOOM_UNARY(exp2_tile)
GRIDLOOM_UNARY(log_tile)
GRIDLOOM_UNARY(recip_tile)
GRIDLOOM_UNARY(sqrt_tile)
GRIDLOOM_UNARY(rsqrt_tile)
GRIDLOOM_UNARY(cbrt_tile)
GRIDLOOM_NEAR(sigmoid_tile, false)
GRIDLOOM_NEAR(tanh_tile, false)
GRIDLOOM_NEAR(gelu_tile, true)
GRIDLOOM_UNARY(silu_tile)
GRIDLOOM_UNARY(mish_tile)
GRIDLOOM_UNARY(relu_tile)
GRIDLOOM_UNARY(square_tile)
GRIDLOOM_UNARY(abs_tile)
GRIDLOOM_UNARY(sign_tile)
GRIDLOOM_UNARY(negative_tile)
GRIDLOOM_UNARY(identity_tile)
GRIDLOOM_UNARY(tan_tile)
GRIDLOOM_UNARY(asin_tile)
GRIDLOOM_UNARY(acos_tile)
GRIDLOOM_UNARY(atan_tile)
GRIDLOOM_UNARY(erf_tile)
GRIDLOOM_UNARY(erfc_tile)
GRIDLOOM_UNARY(erfinv_tile)
GRIDLOOM_UNARY(floor_tile)
GRIDLOOM_UNARY(ceil_tile)
GRIDLOOM_UNARY(eqz_tile)
GRIDLOOM_UNARY(nez_tile)
GRIDLOOM_UNARY(ltz_tile)
GRIDLOOM_UNARY(gtz_tile)
GRIDLOOM_UNARY(lez_tile)
GRIDLOOM_UNARY(gez_tile)
GRIDLOOM_UNARY(sfpu_reduce_scalar)

GRIDLOOM_SFPU_INIT(binop_with_scalar_tile_init, binop_with_scalar_tile_init)
GRIDLOOM_SCALAR(add_unary_tile)
GRIDLOOM_SCALAR(sub_unary_tile)
GRIDLOOM_SCALAR(mul_unary_tile)
GRIDLOOM_SCALAR(rsub_unary_tile)
GRIDLOOM_SCALAR(rsub_tile)
GRIDLOOM_SCALAR(unary_max_tile)
GRIDLOOM_SCALAR(unary_min_tile)
GRIDLOOM_SCALAR(fill_tile_bitcast)

GRIDLOOM_TWO_SCALARS(clamp_tile)

GRIDLOOM_BINARY(add_binary_tile)
GRIDLOOM_BINARY(sub_binary_tile)
GRIDLOOM_BINARY(mul_binary_tile)
GRIDLOOM_BINARY(div_binary_tile)
GRIDLOOM_BINARY(rsub_binary_tile)
GRIDLOOM_BINARY(power_binary_tile)
GRIDLOOM_BINARY(binary_max_tile)
GRIDLOOM_BINARY(binary_min_tile)
GRIDLOOM_BINARY(add_int_tile)
GRIDLOOM_BINARY(sub_int_tile)

GRIDLOOM_SFPU_INIT(fill_tile_init, fill_tile)
template <auto... options> ALWI void fill_tile(uint32_t dst, float value)
{
    GRIDLOOM_NEEDS("fill_tile");
    GRIDLOOM_COMPUTE_IF(COMPUTES, "fill_tile", dst, __builtin_bit_cast(uint32_t, value));
}

GRIDLOOM_SFPU_INIT(mad_tile_init, mad_tile)
template <auto... options> ALWI void mad_tile(uint32_t a, uint32_t b, uint32_t c)
{
    GRIDLOOM_COMPUTE_IF(COMPUTES, "mad_tile", a, b, c, a);
}

GRIDLOOM_SFPU_INIT(where_tile_init, where_tile)
template <auto... options> ALWI void where_tile(uint32_t condition, uint32_t a, uint32_t b, uint32_t out)
{
    GRIDLOOM_COMPUTE_IF(COMPUTES, "where_tile", condition, a, b, out);
}

// The mask is in the tile behind the data, whatever its number.
GRIDLOOM_SFPU_INIT(mask_tile_init, mask_tile)
template <auto... options> ALWI void mask_tile(uint32_t data, uint32_t mask, auto...)
{
    GRIDLOOM_COMPUTE_IF(COMPUTES, "mask_tile", data, mask, data);
}

// Numbers of ArchFormat.
constexpr uint32_t format_number(uint32_t format)
{
    switch (static_cast<DataFormat>(format)) {
    case DataFormat::Float32:
        return 1;
    case DataFormat::Bfp8_b:
        return 2;
    case DataFormat::Bfp4_b:
        return 3;
    case DataFormat::UInt32:
        return 4;
    case DataFormat::Int32:
        return 5;
    case DataFormat::UInt16:
        return 6;
    case DataFormat::Tf32:
        return 7;
    default:
        return 0;
    }
}

template <uint32_t, uint32_t> ALWI void typecast_tile_init()
{
    GRIDLOOM_COMPUTE(COMPUTES, "typecast_tile_init");
}

ALWI void typecast_tile_init()
{
    GRIDLOOM_COMPUTE(COMPUTES, "typecast_tile_init");
}

template <uint32_t before, uint32_t after> ALWI void typecast_tile(uint32_t dst)
{
    GRIDLOOM_COMPUTE(COMPUTES, "typecast_tile", dst, format_number(before), format_number(after));
}

}  // namespace ckernel

#undef GRIDLOOM_UNARY
#undef GRIDLOOM_NEAR
#undef GRIDLOOM_SCALAR
#undef GRIDLOOM_TWO_SCALARS
#undef GRIDLOOM_BINARY
#undef GRIDLOOM_SFPU_INIT
