/* Memory that is freed all at once: trees and comptime values live as long as it. */
#pragma once

#include <stddef.h>

#include <glib.h>

typedef struct CslArena CslArena;

CslArena *csl_arena_new(void);
void csl_arena_free(CslArena *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CslArena, csl_arena_free)

/* Bytes that have been handed out. */
size_t csl_arena_bytes(const CslArena *self);

/* Zeroed bytes, aligned for every type. */
void *csl_arena_allocate(CslArena *self, size_t bytes);

/* Takes back what was handed out last, of that many bytes; else does nothing. */
void csl_arena_give_back(CslArena *self, void *memory, size_t bytes);

#define CSL_ARENA_ARRAY(self, type, count)                                             \
    ((type *) csl_arena_allocate((self), sizeof(type) * (count)))
