/* Hands out memory from blocks, which are freed together. */
#include "workloads/csl/syntax/arena.h"

#include <string.h>

#define BLOCK_BYTES ((size_t) 1 << 16)
#define ALIGNMENT   ((size_t) 16)

struct CslArena {
    GPtrArray *blocks;
    char *next;
    size_t left_bytes;
    size_t used_bytes;
};

CslArena *csl_arena_new(void)
{
    CslArena *self = g_new0(CslArena, 1);

    self->blocks = g_ptr_array_new_with_free_func(g_free);
    return self;
}

void csl_arena_free(CslArena *self)
{
    if (self == NULL) {
        return;
    }
    g_ptr_array_free(self->blocks, TRUE);
    g_free(self);
}

size_t csl_arena_bytes(const CslArena *self)
{
    return self->used_bytes;
}

void *csl_arena_allocate(CslArena *self, size_t bytes)
{
    const size_t rounded = (bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    void *memory;

    self->used_bytes += rounded;
    if (rounded > BLOCK_BYTES / 4) {
        memory = g_malloc0(rounded);
        g_ptr_array_add(self->blocks, memory);
        return memory;
    }
    if (rounded > self->left_bytes) {
        self->next = g_malloc0(BLOCK_BYTES);
        self->left_bytes = BLOCK_BYTES;
        g_ptr_array_add(self->blocks, self->next);
    }
    memory = self->next;
    self->next += rounded;
    self->left_bytes -= rounded;
    return memory;
}

void csl_arena_give_back(CslArena *self, void *memory, size_t bytes)
{
    const size_t rounded = (bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1);

    if (rounded > BLOCK_BYTES / 4 || (char *) memory + rounded != self->next) {
        return;
    }
    memset(memory, 0, rounded);
    self->next = memory;
    self->left_bytes += rounded;
    self->used_bytes -= rounded;
}
