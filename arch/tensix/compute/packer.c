/* Packers: rectify numbers, convert them, and add them to L1. */
#include "arch/tensix/compute/packer.h"

#include <string.h>

#include "arch/tensix/bf16_rounding.h"
#include "arch/tensix/format.h"
#include "arch/tensix/tile.h"

static float rectified(const TensixPacker *self, float number)
{
    const float threshold = tensix_number_to_float(self->threshold);

    switch (self->relu) {
    case TENSIX_RELU_ZERO:
        return number <= 0 ? 0 : number;
    case TENSIX_RELU_MIN_THRESHOLD:
        return number <= threshold ? 0 : number;
    case TENSIX_RELU_MAX_THRESHOLD:
        if (number <= 0) {
            return 0;
        }
        return number > threshold ? threshold : number;
    case TENSIX_RELU_NONE:
    case TENSIX_RELUS:
        break;
    }
    return number;
}

/* Adds a tile of L1 to one that was packed. */
static void add(uint8_t *to, const uint8_t *from, ArchFormat format)
{
    uint32_t sums[TENSIX_TILE_ELEMENTS];
    const bool is_half = format == ARCH_FORMAT_BF16;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        const double sum =
            tensix_format_number(from, format, i) + tensix_format_number(to, format, i);
        uint32_t bits = tensix_number_from_result((float) sum);

        bits = tensix_number_exponent(bits) == 0 ? 0 : bits;
        sums[i] = is_half ? tensix_round_even(bits, 16) : bits;
    }
    tensix_pack(to, format, sums, TENSIX_ARITHMETIC_IEEE);
}

void tensix_packer_write(const TensixPacker *self,
                         uint8_t *l1,
                         ArchFormat format,
                         const uint32_t *dst,
                         TensixArithmetic arithmetic)
{
    uint32_t numbers[TENSIX_TILE_ELEMENTS];
    uint8_t packed[sizeof numbers];

    if (self->relu != TENSIX_RELU_NONE && !arch_format_is_integer(format)) {
        for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
            numbers[i] = tensix_number_from_float(
                rectified(self, tensix_number_to_float(dst[i])));
        }
        dst = numbers;
    }
    if (!self->accumulates) {
        tensix_pack(l1, format, dst, arithmetic);
        return;
    }
    tensix_pack(packed, format, dst, arithmetic);
    add(packed, l1, format);
    memcpy(l1, packed, arch_format_tile_bytes(format));
}
