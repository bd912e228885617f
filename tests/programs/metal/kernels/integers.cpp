// Integers of 32 bits: a tile of the result for each function.
#include "api/compute/compute_kernel_api.h"
#include "api/compute/mul_int_sfpu.h"
#include "api/compute/tile_move_copy.h"

template <typename Function> void result(Function function)
{
    tile_regs_acquire();
    copy_tile(0, 0, 0);
    copy_tile(0, 1, 1);
    function();
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(2, 16);
    cb_push_back(16, 1);
    tile_regs_release();
}

constexpr auto INT32 = static_cast<uint32_t>(DataFormat::Int32);
constexpr auto FLOAT32 = static_cast<uint32_t>(DataFormat::Float32);

void kernel_main()
{
    init_sfpu(0, 16);
    cb_wait_front(0, 2);
    result([] { add_int_tile<DataFormat::Int32>(0, 1, 2); });
    result([] { sub_int_tile<DataFormat::Int32>(0, 1, 2); });
    result([] { mul_int_tile<DataFormat::Int32>(0, 1, 2); });
    result([] { bitwise_xor_binary_tile(0, 1, 2); });
    result([] {
        copy_dest_values(1, 2);
        left_shift_tile(2, 5);
    });
    result([] {
        copy_dest_values(0, 2);
        bitwise_and_tile(2, 0xff0);
    });
    result([] {
        copy_dest_values(0, 2);
        typecast_tile_init<INT32, FLOAT32>();
        typecast_tile<INT32, FLOAT32>(2);
        mul_unary_tile(2, 0x40000000);
        typecast_tile<FLOAT32, INT32>(2);
    });
    cb_pop_front(0, 2);
}
