// A function of the SFPU for each tile of the result.
#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"

// Tiles 0, 1 and 2 of Dst are the first three of the input; tile 0 is the result.
template <typename Function> void result(Function function)
{
    tile_regs_acquire();
    copy_tile_to_dst_init_short(0);
    for (uint32_t i = 0; i < 3; i++) {
        copy_tile(0, i, i);
    }
    function();
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
}

#define UNARY(name)                                                                    \
    result([] {                                                                        \
        name##_init();                                                                 \
        name(0);                                                                       \
    })
#define SCALAR(name, bits)                                                             \
    result([] {                                                                        \
        name##_init();                                                                 \
        name(0, bits);                                                                 \
    })
// From tiles 0 and 1 into 3, and from there to 0.
#define BINARY(name)                                                                   \
    result([] {                                                                        \
        name##_init();                                                                 \
        name(0, 1, 3);                                                                 \
        copy_dest_values(3, 0);                                                        \
    })

constexpr uint32_t HALF = 0x3f000000;
constexpr uint32_t ONE = 0x3f800000;
constexpr uint32_t MINUS_ONE = 0xbf800000;

void kernel_main()
{
    init_sfpu(0, 16);
    cb_wait_front(0, 3);
    UNARY(sin_tile);
    UNARY(cos_tile);
    UNARY(expm1_tile);
    UNARY(sinh_tile);
    UNARY(hardsigmoid_tile);
    UNARY(softsign_tile);
    UNARY(trunc_tile);
    UNARY(logical_not_tile);
    UNARY(signbit_tile);
    UNARY(isfinite_tile);
    SCALAR(leaky_relu_tile, HALF);
    SCALAR(relu_max_tile, ONE);
    SCALAR(elu_tile, HALF);
    SCALAR(unary_gt_tile, HALF);
    SCALAR(unary_le_tile, HALF);
    SCALAR(rdiv_tile, HALF);
    SCALAR(power_tile, 3);
    result([] { hardtanh_tile(0, MINUS_ONE, ONE); });
    BINARY(add_binary_tile);
    BINARY(sub_binary_tile);
    BINARY(mul_binary_tile);
    BINARY(div_binary_tile);
    BINARY(binary_max_tile);
    BINARY(lt_binary_tile);
    BINARY(ge_binary_tile);
    result([] { mask_tile(0, 2); });
    result([] {
        where_tile<DataFormat::Float16_b>(2, 0, 1, 3);
        copy_dest_values(3, 0);
    });
    result([] { addcmul_tile(0, 1, 2, 0, HALF); });
    result([] {
        log1p_tile_init();
        abs_tile(0);
        log1p_tile(0);
    });
    cb_pop_front(0, 3);
}
