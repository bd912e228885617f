/* The schedule of visits to PEs: one bucket a cycle for the near future, and a list
 * beyond. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse/router/token.h"

enum {
    WSE_WHEEL_CYCLES = 8192,
    WSE_CHUNK_ENTRIES = 252,
};

/* An entry is the number of a PE. Its upper bits may hold the number of the one due bit
 * to visit, if nothing else stores it. */
#define WSE_WHEEL_NUMBER UINT32_C(0x007fffff)
#define WSE_WHEEL_SHIFT  23
#define WSE_WHEEL_BIT    UINT32_C(0x10000000)

static inline uint32_t wse_wheel_entry(uint32_t pe, uint32_t due)
{
    return pe | (uint32_t) __builtin_ctz(due) << WSE_WHEEL_SHIFT | WSE_WHEEL_BIT;
}
static inline uint32_t wse_wheel_due(uint32_t entry)
{
    return (entry & WSE_WHEEL_BIT) ? 1u << ((entry >> WSE_WHEEL_SHIFT) & 31) : 0;
}

/* A bucket is a list of chunks, the most recently filled first. Chunks are reused, so
 * that memory follows the number of waiting entries. */
typedef struct WseChunk {
    struct WseChunk *next;
    uint32_t count;
    uint32_t entries[WSE_CHUNK_ENTRIES];
} WseChunk;

typedef struct {
    WseChunk *buckets[WSE_WHEEL_CYCLES];
    uint64_t filled[WSE_WHEEL_CYCLES / 64]; /* bit set: not empty */
    WseChunk *spare;
    GArray *beyond;  /* of WseLater */
    uint32_t sorted; /* when `beyond` was last sorted into buckets */
} WseWheel;

typedef struct {
    uint32_t when;
    uint32_t entry;
} WseLater;

WseWheel *wse_wheel_new(void);
void wse_wheel_free(WseWheel *self);

/* Adds a chunk to the bucket. */
WseChunk *wse_wheel_grow(WseWheel *self, uint32_t bucket);

void wse_wheel_add_beyond(WseWheel *self, uint32_t now, uint32_t when, uint32_t entry);

/* `when` is after `now`. */
static inline void
wse_wheel_add(WseWheel *self, uint32_t now, uint32_t when, uint32_t entry)
{
    uint32_t at = when % WSE_WHEEL_CYCLES;
    WseChunk *chunk = self->buckets[at];

    if (G_UNLIKELY(when - now >= WSE_WHEEL_CYCLES)) {
        wse_wheel_add_beyond(self, now, when, entry);
        return;
    }
    if (chunk == NULL || chunk->count == WSE_CHUNK_ENTRIES) {
        chunk = wse_wheel_grow(self, at);
    }
    chunk->entries[chunk->count++] = entry;
}

/* Takes all chunks from the bucket of `now`; NULL if it is empty. Give every chunk back
 * with wse_wheel_give(). */
WseChunk *wse_wheel_take(WseWheel *self, uint32_t now);
void wse_wheel_give(WseWheel *self, WseChunk *chunk);

static inline bool wse_wheel_has(const WseWheel *self, uint32_t now)
{
    return self->buckets[now % WSE_WHEEL_CYCLES] != NULL;
}

/* Cycles from `now` until the next bucket must be taken; 0 if all are empty. The bucket
 * of `now` itself does not count. */
uint32_t wse_wheel_next(const WseWheel *self, uint32_t now);

struct WseRegion;

/* A message from one region to another, handled in the next cycle. */
typedef enum {
    WSE_MESSAGE_TOKEN, /* a token has been put into `ring` */
    WSE_MESSAGE_SPACE, /* a token has left it; token.head is when the space is free */
} WseMessageKind;

typedef struct {
    uint32_t pe; /* of the receiving region */
    uint8_t ring;
    uint8_t kind;
    WseToken token;
    WseTrail trail; /* of the token, if somebody watches */
} WseMessage;

typedef struct {
    struct WseRegion *to;
    GArray *messages; /* of WseMessage */
} WseMail;
