// The dot product of a core's tiles, then the sum over all cores.
#include "dot_layout.hpp"
#include "reduction_compute.hpp"

void kernel_main()
{
    using namespace reduction;
    constexpr uint32_t tiles = get_compile_time_arg_val(dot::TILES);
    const uint32_t second =
        get_arg_val<uint32_t>(dot::IS_SQUARE) != 0 ? dot::CB_A : dot::CB_B;
    const uint32_t children = get_arg_val<uint32_t>(dot::REDUCTION + CHILDREN);
    const bool is_root = get_arg_val<uint32_t>(dot::REDUCTION + IS_ROOT) != 0;

    if constexpr (is_fpu) {
        binary_op_init_common(dot::CB_A, second, CB_PARTIAL);
        DeviceZoneScopedN("local");
        vectors::dot(tiles, dot::CB_A, second, dot::CB_PRODUCT, dot::CB_RUNNING,
                     CB_PARTIAL);
    } else {
        vectors::start_sfpu(dot::CB_A, CB_PARTIAL);
        DeviceZoneScopedN("local");
        vectors::dot_on_sfpu(tiles, dot::CB_A, second, CB_PARTIAL);
    }
    DeviceZoneScopedN("reduction");
    combine(children, is_root);
    cb_wait_front(CB_RESULT, 1);
    cb_pop_front(CB_RESULT, 1);
}
