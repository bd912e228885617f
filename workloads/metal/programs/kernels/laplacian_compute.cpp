// q = A p in FP32, in a launch of its own.
#include "laplacian.hpp"

void kernel_main()
{
    const bool is_sending = get_arg_val<uint32_t>(pcg::IS_SENDING) != 0;

    vectors::start_sfpu(pcg::CB_P, pcg::CB_Q);
    cb_wait_front(pcg::CB_CONSTANTS, 2);
    DeviceZoneScopedN("spmv");
    pcg::multiply(is_sending);
}
