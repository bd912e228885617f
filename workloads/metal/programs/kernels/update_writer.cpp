// The result is in place when it is complete.
#include "api/dataflow/dataflow_api.h"
#include "update_layout.hpp"

void kernel_main()
{
    constexpr uint32_t tiles = get_compile_time_arg_val(update::TILES);

    cb_wait_front(update::CB_OUT, tiles);
    cb_pop_front(update::CB_OUT, tiles);
}
