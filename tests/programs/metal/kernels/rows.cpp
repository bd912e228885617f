// Tiles from rows and rows from tiles, and what the FPU does with tiles of Dst.
#include "api/compute/bcast.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/matmul.h"
#include "api/compute/pack_untilize.h"
#include "api/compute/reduce.h"
#include "api/compute/tile_move_copy.h"
#include "api/compute/tilize.h"
#include "api/compute/untilize.h"

template <typename Function> void result(Function function)
{
    tile_regs_acquire();
    function();
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
}

void copy_first()
{
    copy_tile_init(0);
    copy_tile(0, 0, 0);
}

constexpr auto LEFT = EltwiseBinaryReuseDestType::DEST_TO_SRCA;
constexpr auto RIGHT = EltwiseBinaryReuseDestType::DEST_TO_SRCB;

void kernel_main()
{
    compute_kernel_hw_startup(0, 0, 16);
    cb_wait_front(0, 3);
    cb_reserve_back(16, 6);
    tilize_init(0, 2, 16);
    tilize_block(0, 2, 16);
    tilize_uninit(0, 16);
    cb_push_back(16, 2);
    untilize_init(0);
    untilize_block(0, 2, 16);
    untilize_uninit(0);
    cb_push_back(16, 2);
    pack_untilize_init<2>(0, 16);
    pack_untilize_block<2>(0, 1, 16);
    pack_untilize_uninit(16);
    cb_push_back(16, 2);
    result([] {
        copy_first();
        sub_reuse_dest_init<LEFT>(0);
        sub_reuse_dest_tiles<LEFT>(0, 1, 0);
    });
    result([] {
        copy_first();
        binary_dest_reuse_tiles_init<EltwiseBinaryType::ELWSUB, RIGHT>(0);
        binary_dest_reuse_tiles<EltwiseBinaryType::ELWSUB, RIGHT>(0, 1, 0);
    });
    result([] {
        copy_first();
        mul_reuse_dest_init<LEFT>(0);
        mul_reuse_dest_tiles<LEFT>(0, 1, 0);
    });
    result([] {
        unary_bcast_init<BroadcastType::COL>(0);
        unary_bcast<BroadcastType::COL>(0, 0, 0);
    });
    result([] {
        matmul_init(0, 0, 1);
        matmul_tiles(0, 0, 2, 1, 0);
    });
    result([] {
        matmul_block_init(0, 0, 1, 1, 1, 1);
        matmul_block(0, 0, 2, 0, 0, 1, 1, 1, 1);
    });
    result([] {
        reduce_init<PoolType::MAX, ReduceDim::REDUCE_ROW>(0, 0, 16);
        reduce_tile<PoolType::MAX, ReduceDim::REDUCE_ROW>(0, 0, 1, 2, 0);
    });
    result([] {
        copy_first();
        transpose_dest_init();
        transpose_dest(0);
    });
    result([] {
        add_init(0, 0, true);
        add_tiles(0, 0, 0, 1, 0);
        add_tiles(0, 0, 0, 2, 0);
    });
    cb_pop_front(0, 3);
}
