/* An arena: one block that is used again and again, and pieces that did not fit. */
#include "traces/reading/timeline/arena.h"

enum {
    BLOCK_BYTES = 1 << 16,
    ALIGNMENT = 16,
};

/* A packet of ours takes a few times its size; one that was made up could take a
 * hundred times. */
#define LIMIT_BYTES ((gsize) 1 << 30)

struct Arena {
    ProtobufCAllocator allocator;
    guint8 *block;
    gsize used;
    GPtrArray *pieces;
    gsize piece_bytes;
};

static void *give(void *data, size_t size)
{
    Arena *self = data;
    const gsize rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *piece = self->block + self->used;

    if (size > LIMIT_BYTES) {
        return NULL;
    }
    if (rounded <= BLOCK_BYTES - self->used) {
        self->used += rounded;
        return piece;
    }
    if (rounded > LIMIT_BYTES - self->piece_bytes) {
        return NULL;
    }
    self->piece_bytes += rounded;
    piece = g_malloc(rounded);
    g_ptr_array_add(self->pieces, piece);
    return piece;
}

static void take_back(void *data, void *piece)
{
    (void) data;
    (void) piece;
}

Arena *arena_new(void)
{
    Arena *self = g_new0(Arena, 1);

    self->allocator =
        (ProtobufCAllocator){.alloc = give, .free = take_back, .allocator_data = self};
    self->block = g_malloc(BLOCK_BYTES);
    self->pieces = g_ptr_array_new_with_free_func(g_free);
    return self;
}

void arena_free(Arena *self)
{
    if (self != NULL) {
        g_ptr_array_unref(self->pieces);
        g_free(self->block);
        g_free(self);
    }
}

ProtobufCAllocator *arena_allocator(Arena *self)
{
    return &self->allocator;
}

void arena_reset(Arena *self)
{
    self->used = 0;
    self->piece_bytes = 0;
    if (self->pieces->len > 0) {
        g_ptr_array_set_size(self->pieces, 0);
    }
}
