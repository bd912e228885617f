/* Times by the widths of ways and of the SFPU. */
#include "arch/tensix/rates.h"

#include "arch/tensix.h"
#include "sim/narrow.h"

enum {
    KERNEL_LANES = 32, /* that kernels count on */
};

static guint number(const ArchParams *params, const char *key)
{
    return sim_u32(arch_params_uint(params, key));
}

static guint quotient_up(guint a, guint b)
{
    return (a + b - 1) / b;
}

static guint at_width(guint cycles, guint bytes, guint width, guint measured_width)
{
    const guint data = quotient_up(bytes, width);
    const guint measured_data = quotient_up(bytes, measured_width);

    if (width == measured_width) {
        return cycles;
    }
    return MAX(data, MAX(cycles, measured_data) - measured_data + data);
}

guint tensix_unpack_cycles(const ArchParams *params, const char *cycles, guint bytes)
{
    return at_width(number(params, cycles), bytes,
                    number(params, "unpack.l1_bytes_per_cycle"),
                    number(params, "unpack.measured_bytes_per_cycle"));
}

guint tensix_pack_cycles(const ArchParams *params, const char *cycles, guint bytes)
{
    return at_width(number(params, cycles), bytes,
                    number(params, "pack.l1_bytes_per_cycle"),
                    number(params, "pack.measured_bytes_per_cycle"));
}

guint tensix_unpack_dst_cycles(const ArchParams *params)
{
    const guint from_l1 =
        tensix_unpack_cycles(params, "unpack.one_operand_fp32_cycles_per_tile",
                             arch_format_tile_bytes(ARCH_FORMAT_FP32));

    return MAX(number(params, "unpack.dst_fp32_cycles_per_tile"), from_l1);
}

static guint lanes(const ArchParams *params, bool is_fp32)
{
    return number(params, is_fp32 ? "sfpu.fp32_lane_count" : "sfpu.lane_count");
}

guint tensix_tile_vectors(const ArchParams *params, bool is_fp32)
{
    return quotient_up(ARCH_TILE_ELEMENTS, lanes(params, is_fp32));
}

guint tensix_vector_passes(const ArchParams *params, bool is_fp32)
{
    return quotient_up(KERNEL_LANES, lanes(params, is_fp32));
}
