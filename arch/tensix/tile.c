/* Moves within a tile that leave its numbers alone. */
#include "arch/tensix/tile.h"

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

void tensix_tile_broadcast(uint32_t *to, const uint32_t *from, TensixBroadcast kind)
{
    for (unsigned row = 0; row < TENSIX_TILE_SIDE; row++) {
        unsigned source_row = kind == TENSIX_BROADCAST_COLUMN ? row : 0;

        for (unsigned column = 0; column < TENSIX_TILE_SIDE; column++) {
            unsigned source_column = kind == TENSIX_BROADCAST_ROW ? column : 0;

            to[tensix_tile_index(row, column)] =
                from[tensix_tile_index(source_row, source_column)];
        }
    }
}
