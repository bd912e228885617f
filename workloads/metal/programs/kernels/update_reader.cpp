// All operands are in L1 from the start.
#include "api/dataflow/dataflow_api.h"
#include "update_layout.hpp"

namespace
{

void give(uint32_t cb, uint32_t pages)
{
    cb_reserve_back(cb, pages);
    cb_push_back(cb, pages);
}

}  // namespace

void kernel_main()
{
    constexpr uint32_t tiles = get_compile_time_arg_val(update::TILES);

    if (get_arg_val<uint32_t>(update::KIND) != update::SCALE) {
        give(update::CB_ABOVE, 1);
        give(update::CB_BELOW, 1);
        give(update::CB_B, tiles);
    }
    give(update::CB_A, tiles);
}
