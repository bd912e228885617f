/* Memory for one packet at a time: allocated in pieces, released at once. */
#pragma once

#include <protobuf-c/protobuf-c.h>

#include <glib.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Arena, arena_free)

/* Borrowed. Allocation fails for a packet that wants too much; it cannot be
 * unpacked. */
ProtobufCAllocator *arena_allocator(Arena *self);

/* Releases everything. */
void arena_reset(Arena *self);
