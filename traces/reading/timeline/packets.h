/* The packets of a trace's bytes, one after another. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "traces/perfetto.pb-c.h"
#include "traces/reading/timeline/arena.h"

typedef enum {
    PACKETS_NEXT,  /* there is one */
    PACKETS_END,   /* the bytes are over */
    PACKETS_CUT,   /* they end within one */
    PACKETS_WRONG, /* what follows is none */
} PacketsStep;

typedef struct {
    const guint8 *bytes; /* borrowed */
    gsize size;
    gsize at; /* of what comes next */
    Arena *arena;
} PacketsReader;

/* `packet` is valid until the next call. */
PacketsStep packets_next(PacketsReader *self, Perfetto__TracePacket **packet);
