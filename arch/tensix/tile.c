/* Rearranges the numbers of a tile without changing them. */
#include "arch/tensix/tile.h"

#include <stdbool.h>
#include <stddef.h>

void tensix_tile_transpose(uint32_t *to, const uint32_t *from)
{
    static const size_t source_face[] = {0, 2, 1, 3};

    for (size_t face = 0; face < 4; face++) {
        const uint32_t *source = from + source_face[face] * TENSIX_FACE_ELEMENTS;
        uint32_t *target = to + face * TENSIX_FACE_ELEMENTS;

        for (unsigned row = 0; row < TENSIX_FACE_SIDE; row++) {
            for (unsigned column = 0; column < TENSIX_FACE_SIDE; column++) {
                target[row * TENSIX_FACE_SIDE + column] =
                    source[column * TENSIX_FACE_SIDE + row];
            }
        }
    }
}

/* Row by row of a face, which compilers copy or fill at once. */
void tensix_tile_broadcast(uint32_t *restrict to,
                           const uint32_t *from,
                           TensixBroadcast kind)
{
    const bool is_row = kind == TENSIX_BROADCAST_ROW;
    const bool is_column = kind == TENSIX_BROADCAST_COLUMN;

    for (size_t face = 0; face < 4; face++) {
        const size_t source_face = is_row ? face % 2 : is_column ? face - face % 2 : 0;
        const uint32_t *source = from + source_face * TENSIX_FACE_ELEMENTS;
        uint32_t *target = to + face * TENSIX_FACE_ELEMENTS;

        for (unsigned row = 0; row < TENSIX_FACE_SIDE; row++) {
            for (unsigned column = 0; column < TENSIX_FACE_SIDE; column++) {
                target[column] = source[is_row ? column : 0];
            }
            source += is_column ? TENSIX_FACE_SIDE : 0;
            target += TENSIX_FACE_SIDE;
        }
    }
}
