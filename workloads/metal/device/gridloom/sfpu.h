// Functions of the SFPU on tiles of Dst. Which of them the simulator has is in
// arch/tensix_operations.def; the others fail where they are called.
#pragma once

#include "gridloom/sfpu_function.h"

namespace ckernel
{

GRIDLOOM_NEAR(exp_tile, false)
GRIDLOOM_UNARY(exp2_tile)
GRIDLOOM_UNARY(expm1_tile)
GRIDLOOM_UNARY(log_tile)
GRIDLOOM_UNARY(log1p_tile)
GRIDLOOM_UNARY(recip_tile)
GRIDLOOM_UNARY(sqrt_tile)
GRIDLOOM_UNARY(rsqrt_tile)
GRIDLOOM_UNARY(cbrt_tile)
GRIDLOOM_NEAR(sigmoid_tile, false)
GRIDLOOM_NEAR(tanh_tile, false)
GRIDLOOM_NEAR(gelu_tile, true)
GRIDLOOM_UNARY(silu_tile)
GRIDLOOM_UNARY(mish_tile)
GRIDLOOM_UNARY(hardsigmoid_tile)
GRIDLOOM_UNARY(softsign_tile)
GRIDLOOM_UNARY(relu_tile)
GRIDLOOM_UNARY(square_tile)
GRIDLOOM_UNARY(abs_tile)
GRIDLOOM_UNARY(sign_tile)
GRIDLOOM_UNARY(signbit_tile)
GRIDLOOM_UNARY(negative_tile)
GRIDLOOM_UNARY(identity_tile)
GRIDLOOM_UNARY(sin_tile)
GRIDLOOM_UNARY(cos_tile)
GRIDLOOM_UNARY(tan_tile)
GRIDLOOM_UNARY(asin_tile)
GRIDLOOM_UNARY(acos_tile)
GRIDLOOM_UNARY(atan_tile)
GRIDLOOM_UNARY(sinh_tile)
GRIDLOOM_UNARY(cosh_tile)
GRIDLOOM_UNARY(erf_tile)
GRIDLOOM_UNARY(erfc_tile)
GRIDLOOM_UNARY(erfinv_tile)
GRIDLOOM_UNARY(floor_tile)
GRIDLOOM_UNARY(ceil_tile)
GRIDLOOM_UNARY(trunc_tile)
GRIDLOOM_UNARY(frac_tile)
GRIDLOOM_UNARY(logical_not_tile)
GRIDLOOM_UNARY(logical_not_unary_tile)
GRIDLOOM_UNARY(isinf_tile)
GRIDLOOM_UNARY(isnan_tile)
GRIDLOOM_UNARY(eqz_tile)
GRIDLOOM_UNARY(nez_tile)
GRIDLOOM_UNARY(ltz_tile)
GRIDLOOM_UNARY(gtz_tile)
GRIDLOOM_UNARY(lez_tile)
GRIDLOOM_UNARY(gez_tile)
GRIDLOOM_UNARY(typecast_tile)
GRIDLOOM_UNARY(sfpu_reduce_scalar)

GRIDLOOM_SFPU_INIT(binop_with_scalar_tile_init, binop_with_scalar_tile_init)
GRIDLOOM_SCALAR(add_unary_tile)
GRIDLOOM_SCALAR(sub_unary_tile)
GRIDLOOM_SCALAR(mul_unary_tile)
GRIDLOOM_SCALAR(div_unary_tile)
GRIDLOOM_SCALAR(rsub_unary_tile)
GRIDLOOM_SCALAR(rsub_tile)
GRIDLOOM_SCALAR(rdiv_tile)
GRIDLOOM_SCALAR(power_tile)
GRIDLOOM_SCALAR(log_with_base_tile)
GRIDLOOM_SCALAR(heaviside_tile)
GRIDLOOM_SCALAR(leaky_relu_tile)
GRIDLOOM_SCALAR(relu_max_tile)
GRIDLOOM_SCALAR(relu_min_tile)
GRIDLOOM_SCALAR(elu_tile)
GRIDLOOM_SCALAR(prelu_tile)
GRIDLOOM_SCALAR(unary_eq_tile)
GRIDLOOM_SCALAR(unary_ne_tile)
GRIDLOOM_SCALAR(unary_lt_tile)
GRIDLOOM_SCALAR(unary_gt_tile)
GRIDLOOM_SCALAR(unary_le_tile)
GRIDLOOM_SCALAR(unary_ge_tile)
GRIDLOOM_SCALAR(unary_max_tile)
GRIDLOOM_SCALAR(unary_min_tile)
GRIDLOOM_SCALAR(fill_tile_bitcast)
GRIDLOOM_SCALAR(left_shift_tile)
GRIDLOOM_SCALAR(right_shift_tile)
GRIDLOOM_SCALAR(bitwise_and_tile)
GRIDLOOM_SCALAR(bitwise_or_tile)
GRIDLOOM_SCALAR(bitwise_xor_tile)
GRIDLOOM_SCALAR(mask_tile)

GRIDLOOM_TWO_SCALARS(clamp_tile)
GRIDLOOM_TWO_SCALARS(hardtanh_tile)
GRIDLOOM_TWO_SCALARS(threshold_tile)
GRIDLOOM_TWO_SCALARS(selu_tile)

GRIDLOOM_BINARY(add_binary_tile, true)
GRIDLOOM_BINARY(sub_binary_tile, false)
GRIDLOOM_BINARY(mul_binary_tile, true)
GRIDLOOM_BINARY(div_binary_tile, false)
GRIDLOOM_BINARY(rsub_binary_tile, false)
GRIDLOOM_BINARY(power_binary_tile, false)
GRIDLOOM_BINARY(binary_max_tile, true)
GRIDLOOM_BINARY(binary_min_tile, true)
GRIDLOOM_BINARY(eq_binary_tile, true)
GRIDLOOM_BINARY(ne_binary_tile, true)
GRIDLOOM_BINARY(lt_binary_tile, false)
GRIDLOOM_BINARY(gt_binary_tile, false)
GRIDLOOM_BINARY(le_binary_tile, false)
GRIDLOOM_BINARY(ge_binary_tile, false)
GRIDLOOM_BINARY(add_int_tile, true)
GRIDLOOM_BINARY(sub_int_tile, false)
GRIDLOOM_BINARY(mul_int_tile, true)
GRIDLOOM_BINARY(copy_dest_values, false)

GRIDLOOM_SFPU_INIT(fill_tile_init, fill_tile)
template <auto... options> ALWI void fill_tile(uint32_t dst, float value)
{
    GRIDLOOM_NEEDS("fill_tile");
    GRIDLOOM_COMPUTE_IF(COMPUTES, "fill_tile", dst, __builtin_bit_cast(uint32_t, value));
}

GRIDLOOM_SFPU_INIT(mad_tile_init, mad_tile)
template <auto... options> ALWI void mad_tile(uint32_t a, uint32_t b, uint32_t c)
{
    GRIDLOOM_NEEDS("mad_tile");
    GRIDLOOM_COMPUTE_IF(COMPUTES, "mad_tile", a, b, c);
}

GRIDLOOM_SFPU_INIT(where_tile_init, where_tile)
template <auto... options> ALWI void where_tile(uint32_t condition, uint32_t a, uint32_t b, uint32_t out)
{
    GRIDLOOM_NEEDS("where_tile");
    if (out != condition) {
        gridloom::fail("where_tile into a fourth tile of Dst is not modelled: workloads/doc/metal.md");
    }
    GRIDLOOM_COMPUTE_IF(COMPUTES, "where_tile", condition, a, b);
}

}  // namespace ckernel

#undef GRIDLOOM_UNARY
#undef GRIDLOOM_NEAR
#undef GRIDLOOM_SCALAR
#undef GRIDLOOM_TWO_SCALARS
#undef GRIDLOOM_BINARY
#undef GRIDLOOM_SFPU_INIT
