// SFPI code: a tile of the result for each function.
#include "api/compute/compute_kernel_api.h"
#include "api/compute/tile_move_copy.h"

#ifdef TRISC_MATH
#include "sfpi.h"

namespace ckernel::sfpu
{

// Lanes take different ways, one in another.
inline void pieces(float low)
{
    for (int i = 0; i < 8; i++) {
        sfpi::vFloat x = sfpi::dst_reg[0];
        sfpi::vFloat result = x;

        v_if(x < low)
        {
            result = x * 2.0f;
            v_if(x < -2.0f)
            {
                result = -4.0f;
            }
            v_endif;
        }
        v_elseif(x > 1.0f && x < 2.0f)
        {
            result = 0.5f * x + 1.0f;
        }
        v_else
        {
            result = sfpi::abs(x);
        }
        v_endif;
        sfpi::dst_reg[0] = result;
        sfpi::dst_reg++;
    }
}

// The mantissa of x, from 1 to 2, and its exponent, into another tile.
template <bool has_exponent> inline void parts(uint32_t in, uint32_t, uint32_t out)
{
    for (uint32_t i = 0; i < 8; i++) {
        const sfpi::vFloat x = sfpi::dst_reg[32 * in + i];
        sfpi::vFloat result = sfpi::setexp(sfpi::setsgn(x, 0), 127);

        if constexpr (has_exponent) {
            result +=
                sfpi::convert<sfpi::vFloat>(sfpi::exexp(x), sfpi::RoundMode::Nearest);
        }
        sfpi::dst_reg[32 * out + i] = result;
    }
}

inline void lanes()
{
    for (uint32_t i = 0; i < 8; i++) {
        sfpi::vInt number = sfpi::vConstTileId;

        sfpi::dst_reg[i] =
            sfpi::convert<sfpi::vFloat>(number, sfpi::RoundMode::Nearest);
    }
}

// Of the seven bits of a mantissa: leading zeros, and a mask and shifts of them.
inline void bits()
{
    sfpi::vConstIntPrgm0 = 0x7f;
    for (uint32_t i = 0; i < 8; i++) {
        sfpi::vFloat x = sfpi::dst_reg[i];
        sfpi::vUInt mantissa =
            (sfpi::as<sfpi::vUInt>(x) >> 16) & sfpi::vInt(sfpi::vConstIntPrgm0);
        sfpi::vInt zeros = sfpi::lz(mantissa);

        v_if(mantissa >= 64u || mantissa == 0)
        {
            zeros = sfpi::shft(mantissa, -2) ^ 1;
        }
        v_endif;
        sfpi::dst_reg[i] = sfpi::convert<sfpi::vFloat>(zeros, sfpi::RoundMode::Nearest);
    }
}

}  // namespace ckernel::sfpu
#endif

template <typename Function> void result(Function function)
{
    tile_regs_acquire();
    copy_tile(0, 0, 0);
    copy_tile(0, 1, 1);
    function();
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
}

void kernel_main()
{
    init_sfpu(0, 16);
    cb_wait_front(0, 2);
    result([] {
        MATH(SFPU_UNARY_CALL_NO_TEMPLATE_ARGS(DST_SYNC_MODE, DST_ACCUM_MODE, pieces, 0,
                                              VectorMode::RC, -1.0f));
    });
    result([] {
        MATH(SFPU_BINARY_CALL(DST_SYNC_MODE, DST_ACCUM_MODE, parts, (true), 1, 0, 0,
                              VectorMode::RC));
    });
    result([] {
        MATH(SFPU_BINARY_CALL(DST_SYNC_MODE, DST_ACCUM_MODE, parts, (false), 1, 1, 0,
                              VectorMode::R));
    });
    result([] {
        MATH(SFPU_UNARY_CALL_NO_TEMPLATE_ARGS(DST_SYNC_MODE, DST_ACCUM_MODE, lanes, 0,
                                              VectorMode::C));
    });
    result([] {
        MATH(SFPU_UNARY_CALL_NO_TEMPLATE_ARGS(DST_SYNC_MODE, DST_ACCUM_MODE, bits, 0,
                                              VectorMode::RC));
    });
    cb_pop_front(0, 2);
}
