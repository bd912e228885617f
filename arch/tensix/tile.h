/* The layout of a tile of 32 x 32 numbers: four faces of 16 x 16, one after another. */
#pragma once

#include <stdint.h>

enum {
    TENSIX_FACE_SIDE = 16,
    TENSIX_FACE_ELEMENTS = TENSIX_FACE_SIDE * TENSIX_FACE_SIDE,
    TENSIX_TILE_SIDE = 2 * TENSIX_FACE_SIDE,
    TENSIX_TILE_ELEMENTS = TENSIX_TILE_SIDE * TENSIX_TILE_SIDE,
};

/* What a broadcast repeats over the whole tile. */
typedef enum {
    TENSIX_BROADCAST_ROW,    /* row 0, down */
    TENSIX_BROADCAST_COLUMN, /* column 0, to the right */
    TENSIX_BROADCAST_SCALAR, /* the element of row 0 and column 0 */
} TensixBroadcast;

/* The index of an element: faces 0 and 1 hold rows 0 to 15, faces 2 and 3 the others.
 */
static inline unsigned tensix_tile_index(unsigned row, unsigned column)
{
    unsigned face = row / TENSIX_FACE_SIDE * 2 + column / TENSIX_FACE_SIDE;

    return face * TENSIX_FACE_ELEMENTS + row % TENSIX_FACE_SIDE * TENSIX_FACE_SIDE +
           column % TENSIX_FACE_SIDE;
}

/* Whole tiles; `to` and `from` may not overlap. A transposition swaps faces 1 and 2 and
 * turns each face, as unpacker 0 does on the way to SrcA. */
void tensix_tile_transpose(uint32_t *to, const uint32_t *from);
void tensix_tile_broadcast(uint32_t *to, const uint32_t *from, TensixBroadcast kind);

/* The same with 16 bits a number. */
void tensix_tile_transpose_16(uint16_t *to, const uint16_t *from);
void tensix_tile_broadcast_16(uint16_t *to, const uint16_t *from, TensixBroadcast kind);
