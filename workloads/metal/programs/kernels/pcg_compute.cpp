// Conjugate gradients on the 7-point Laplacian, with 1/6 as preconditioner: all
// iterations and all operations in one kernel, in BF16 on the FPU. Each vector is a
// circular buffer with a page for every tile. A pass that changes a vector takes tiles
// from the front and puts them in at the back; a pass that only reads counts from the
// front.
#include "laplacian.hpp"

namespace pcg
{

constexpr uint32_t iterations = get_compile_time_arg_val(ITERATIONS);
constexpr uint32_t enough = get_compile_time_arg_val(ENOUGH);
constexpr uint32_t RESULT = reduction::CB_RESULT;

class Solver
{
  public:
    Solver()
        : is_sending(get_arg_val<uint32_t>(IS_SENDING) != 0),
          children(get_arg_val<uint32_t>(REDUCTION + reduction::CHILDREN)),
          is_root(get_arg_val<uint32_t>(REDUCTION + reduction::IS_ROOT) != 0)
    {
    }

    // Both say whether the norm is small enough.
    bool start()
    {
        binary_op_init_common(CB_P, CB_Q, CB_X);
        cb_wait_front(CB_CONSTANTS, 2);
        for (uint32_t vector : {CB_X, CB_R}) {
            cb_reserve_back(vector, tiles);
            cb_push_back(vector, tiles);
        }
        precondition();
        for (uint32_t k = 0; k < tiles; k++) {
            vectors::copy(CB_Q, k, CB_P);
        }
        dot(CB_R, CB_Q);
        vectors::copy(RESULT, FRONT, CB_DELTA);
        dot(CB_R, CB_R);
        return is_reached();
    }

    bool iterate()
    {
        bool is_done = false;

        {
            DeviceZoneScopedN("dot");
            dot(CB_R, CB_Q);
            keep_delta();
        }
        use_up(CB_Q, tiles);
        {
            DeviceZoneScopedN("spmv");
            multiply(is_sending);
        }
        {
            DeviceZoneScopedN("dot");
            dot(CB_P, CB_Q);
            divide(CB_DELTA, RESULT, CB_ALPHA);
            cb_pop_front(RESULT, 1);
        }
        {
            DeviceZoneScopedN("axpy");
            step();
        }
        {
            DeviceZoneScopedN("dot");
            dot(CB_R, CB_R);
            is_done = is_reached();
        }
        has_z = !is_done;
        if (is_done) {
            return true;
        }
        {
            DeviceZoneScopedN("axpy");
            precondition();
        }
        {
            DeviceZoneScopedN("dot");
            dot(CB_R, CB_Q);
            divide(RESULT, CB_DELTA, CB_BETA);
            keep_delta();
        }
        DeviceZoneScopedN("axpy");
        turn();
        return false;
    }

    void finish()
    {
        for (uint32_t vector : {CB_X, CB_R, CB_P}) {
            use_up(vector, tiles);
        }
        if (has_z) {
            use_up(CB_Q, tiles);
        }
        use_up(CB_DELTA, 1);
    }

  private:
    bool is_sending;
    uint32_t children;
    bool is_root;
    bool has_z = true;

    static bool is_reached()
    {
        cb_wait_front(RESULT, 1);
        const bool is_small =
            enough != 0 && is_enough(read_tile_value(RESULT, 0, 0), enough);
        cb_pop_front(RESULT, 1);
        return is_small;
    }

    static void use_up(uint32_t cb, uint32_t pages)
    {
        cb_wait_front(cb, pages);
        cb_pop_front(cb, pages);
    }

    static void keep_delta()
    {
        use_up(CB_DELTA, 1);
        vectors::copy(RESULT, FRONT, CB_DELTA);
    }

    // out = a / b on the SFPU, for the numbers in the tiles at the front, which stay.
    static void divide(uint32_t a, uint32_t b, uint32_t out)
    {
        cb_wait_front(a, 1);
        cb_wait_front(b, 1);
        tile_regs_acquire();
        copy_tile_to_dst_init_short(a);
        copy_tile(a, 0, 0);
        copy_tile(b, 0, 1);
        recip_tile_init();
        recip_tile(1);
        mul_binary_tile_init();
        mul_binary_tile(0, 1, 0);
        vectors::pack(0, out);
    }

    // Leaves the sum of products over all cores at the front of RESULT.
    void dot(uint32_t a, uint32_t b)
    {
        vectors::dot(tiles, a, b, CB_PRODUCT, CB_RUNNING, reduction::CB_PARTIAL);
        reduction::combine(children, is_root);
    }

    // z = r / 6, in the place of q.
    static void precondition()
    {
        for (uint32_t k = 0; k < tiles; k++) {
            vectors::scale(CB_R, k, CB_SIXTH, CB_Q);
        }
    }

    // x = x + alpha p, r = r - alpha q
    static void step()
    {
        for (uint32_t k = 0; k < tiles; k++) {
            vectors::scale(CB_P, k, CB_ALPHA, CB_PRODUCT);
            vectors::add(CB_X, FRONT, CB_PRODUCT, FRONT, CB_X);
        }
        for (uint32_t k = 0; k < tiles; k++) {
            vectors::scale(CB_Q, FRONT, CB_ALPHA, CB_PRODUCT);
            vectors::subtract(CB_R, FRONT, CB_PRODUCT, FRONT, CB_R);
        }
        cb_pop_front(CB_ALPHA, 1);
    }

    // p = z + beta p
    static void turn()
    {
        for (uint32_t k = 0; k < tiles; k++) {
            vectors::scale(CB_P, FRONT, CB_BETA, CB_PRODUCT);
            vectors::add(CB_Q, k, CB_PRODUCT, FRONT, CB_P);
        }
        cb_pop_front(CB_BETA, 1);
    }
};

}  // namespace pcg

void kernel_main()
{
    pcg::Solver solver;

    bool is_done = solver.start();
    for (uint32_t i = 0; i < pcg::iterations && !is_done; i++) {
        is_done = solver.iterate();
    }
    solver.finish();
}
