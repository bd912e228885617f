/* Memory for one packet at a time: handed out in pieces, taken back at once. */
#pragma once

#include <protobuf-c/protobuf-c.h>

#include <glib.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Arena, arena_free)

/* Borrowed. A packet that wants too much gets nothing, and cannot be unpacked. */
ProtobufCAllocator *arena_allocator(Arena *self);

/* Takes everything back. */
void arena_reset(Arena *self);
