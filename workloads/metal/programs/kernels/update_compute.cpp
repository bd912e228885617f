// A vector plus or minus a factor times another, or a sixth of a vector, in FP32.
#include "tile_vectors.hpp"
#include "update_layout.hpp"

using vectors::FRONT;

namespace
{

constexpr uint32_t tiles = get_compile_time_arg_val(update::TILES);

float number_at(uint32_t cb)
{
    return __builtin_bit_cast(float, read_tile_value(cb, 0, 0));
}

void add_product(bool is_less)
{
    cb_wait_front(update::CB_ABOVE, 1);
    cb_wait_front(update::CB_BELOW, 1);
    const float factor = number_at(update::CB_ABOVE) / number_at(update::CB_BELOW);

    for (uint32_t i = 0; i < tiles; i++) {
        vectors::scale_on_sfpu(update::CB_B, FRONT,
                               __builtin_bit_cast(uint32_t, factor),
                               update::CB_PRODUCT);
        if (is_less) {
            vectors::subtract_on_sfpu(update::CB_A, FRONT, update::CB_PRODUCT, FRONT,
                                      update::CB_OUT);
        } else {
            vectors::add_on_sfpu(update::CB_A, FRONT, update::CB_PRODUCT, FRONT,
                                 update::CB_OUT);
        }
    }
}

}  // namespace

void kernel_main()
{
    const uint32_t kind = get_arg_val<uint32_t>(update::KIND);

    vectors::start_sfpu(update::CB_A, update::CB_OUT);
    DeviceZoneScopedN("axpy");
    if (kind != update::SCALE) {
        add_product(kind == update::SUBTRACT);
    } else {
        for (uint32_t i = 0; i < tiles; i++) {
            vectors::scale_on_sfpu(update::CB_A, FRONT,
                                   __builtin_bit_cast(uint32_t, 1.0F / 6.0F),
                                   update::CB_OUT);
        }
    }
}
