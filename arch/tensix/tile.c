/* Rearranges the numbers of a tile without changing them. */
#include "arch/tensix/tile.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "arch/tensix/compute/lanes.h"

/* Numbers of `size` bytes each. */
TENSIX_LANE void transpose(char *restrict to, const char *from, size_t size)
{
    static const size_t source_face[] = {0, 2, 1, 3};

    for (size_t face = 0; face < 4; face++) {
        const char *source = from + source_face[face] * TENSIX_FACE_ELEMENTS * size;
        char *target = to + face * TENSIX_FACE_ELEMENTS * size;

        for (size_t row = 0; row < TENSIX_FACE_SIDE; row++) {
            for (size_t column = 0; column < TENSIX_FACE_SIDE; column++) {
                memcpy(target + (row * TENSIX_FACE_SIDE + column) * size,
                       source + (column * TENSIX_FACE_SIDE + row) * size, size);
            }
        }
    }
}

void tensix_tile_transpose(uint32_t *to, const uint32_t *from)
{
    transpose((char *) to, (const char *) from, sizeof *to);
}

void tensix_tile_transpose_16(uint16_t *to, const uint16_t *from)
{
    transpose((char *) to, (const char *) from, sizeof *to);
}

/* Row by row of a face, which compilers copy or fill at once. */
TENSIX_LANE void
broadcast(char *restrict to, const char *from, TensixBroadcast kind, size_t size)
{
    const bool is_row = kind == TENSIX_BROADCAST_ROW;
    const bool is_column = kind == TENSIX_BROADCAST_COLUMN;

    for (size_t face = 0; face < 4; face++) {
        const size_t source_face = is_row ? face % 2 : is_column ? face - face % 2 : 0;
        const char *source = from + source_face * TENSIX_FACE_ELEMENTS * size;
        char *target = to + face * TENSIX_FACE_ELEMENTS * size;

        for (unsigned row = 0; row < TENSIX_FACE_SIDE; row++) {
            memcpy(target, source, is_row ? TENSIX_FACE_SIDE * size : size);
            for (size_t column = 1; !is_row && column < TENSIX_FACE_SIDE; column++) {
                memcpy(target + column * size, target, size);
            }
            source += is_column ? TENSIX_FACE_SIDE * size : 0;
            target += TENSIX_FACE_SIDE * size;
        }
    }
}

void tensix_tile_broadcast(uint32_t *to, const uint32_t *from, TensixBroadcast kind)
{
    broadcast((char *) to, (const char *) from, kind, sizeof *to);
}

void tensix_tile_broadcast_16(uint16_t *to, const uint16_t *from, TensixBroadcast kind)
{
    broadcast((char *) to, (const char *) from, kind, sizeof *to);
}
