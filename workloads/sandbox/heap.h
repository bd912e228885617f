/* The memory a script may use: Lua's heap and the host's buffers together. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/account.h"

typedef struct {
    SimAccount *account;    /* what it takes from; borrowed */
    uint64_t granted_bytes; /* taken from it, in large portions */
    uint64_t used_bytes;    /* of them */
    uint64_t wanted_bytes;  /* by the last request that was refused */
    bool is_exhausted;      /* the limit was passed; stays so */
    /* Lua asks once more after it collected garbage: only then is a refusal final. */
    bool is_refusal_open;
    const void *refused_block;
    size_t refused_bytes;
} WlHeap;

/* A lua_Alloc; `heap` is a WlHeap. */
void *heap_resize(void *heap, void *block, size_t old_bytes, size_t new_bytes);

/* Gives all of it back to the account. Call it when nothing is in use any more. */
void heap_clear(WlHeap *self);

/* True once a request was refused for good. Ask when Lua is not inside a request. */
bool heap_is_exhausted(const WlHeap *self);

/* Counts memory that Lua does not own; false if it would pass the limit. Negative
 * bytes give memory back and never fail. */
bool heap_account(WlHeap *self, int64_t bytes);

/* Of one account: what `from` has counted is counted by `to` from now on. */
void heap_hand_over(WlHeap *from, WlHeap *to, uint64_t bytes);
