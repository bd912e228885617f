/* The memory a script may use: Lua's heap and the host's buffers together. */
#include "workloads/sandbox/heap.h"

#include <glib.h>

enum {
    PORTION_BYTES = 1 << 20, /* taken from the account at a time */
};

static bool fits(WlHeap *self, uint64_t growth_bytes)
{
    const uint64_t free_bytes = self->granted_bytes - self->used_bytes;

    if (growth_bytes <= free_bytes) {
        return true;
    }
    const uint64_t missing = growth_bytes - free_bytes;
    const uint64_t portion = MAX(missing, PORTION_BYTES);

    if (sim_account_take(self->account, portion)) {
        self->granted_bytes += portion;
        return true;
    }
    if (sim_account_take(self->account, missing)) {
        self->granted_bytes += missing;
        return true;
    }
    self->wanted_bytes = growth_bytes;
    return false;
}

static void give_back(WlHeap *self, uint64_t bytes)
{
    self->used_bytes -= bytes;
    const uint64_t free_bytes = self->granted_bytes - self->used_bytes;

    if (free_bytes > 2 * (uint64_t) PORTION_BYTES) {
        const uint64_t surplus = free_bytes - PORTION_BYTES;

        sim_account_give(self->account, surplus);
        self->granted_bytes -= surplus;
    }
}

void heap_clear(WlHeap *self)
{
    sim_account_give(self->account, self->granted_bytes);
    self->granted_bytes = 0;
    self->used_bytes = 0;
}

/* NOTE: Lua's core answers a refusal with a full collection and the same request
 * again. Its string buffers do not: they give up at once, and the next request is
 * another one. Both end as exhausted here, a request that then fits does not. */
static bool admit(WlHeap *self, const void *block, size_t old_bytes, size_t new_bytes)
{
    bool is_retry = self->is_refusal_open && block == self->refused_block &&
                    new_bytes == self->refused_bytes;
    if (self->is_refusal_open && !is_retry) {
        self->is_exhausted = true;
    }
    if (fits(self, new_bytes - old_bytes)) {
        self->is_refusal_open = false;
        return true;
    }
    if (is_retry || new_bytes > sim_account_limit(self->account)) {
        self->is_exhausted = true;
    }
    self->is_refusal_open = true;
    self->refused_block = block;
    self->refused_bytes = new_bytes;
    return false;
}

void *heap_resize(void *heap, void *block, size_t old_bytes, size_t new_bytes)
{
    WlHeap *self = heap;
    if (block == NULL) {
        old_bytes = 0; /* here Lua passes the kind of object instead */
    }
    if (new_bytes == 0) {
        g_free(block);
        give_back(self, old_bytes);
        return NULL;
    }
    if (new_bytes > old_bytes && !admit(self, block, old_bytes, new_bytes)) {
        return NULL;
    }
    void *resized = g_try_realloc(block, new_bytes);
    if (resized == NULL) {
        self->is_exhausted = true;
        return NULL;
    }
    if (new_bytes > old_bytes) {
        self->used_bytes += new_bytes - old_bytes;
    } else {
        give_back(self, old_bytes - new_bytes);
    }
    return resized;
}

bool heap_is_exhausted(const WlHeap *self)
{
    return self->is_exhausted || self->is_refusal_open;
}

bool heap_account(WlHeap *self, int64_t bytes)
{
    if (bytes > 0) {
        if (!fits(self, (uint64_t) bytes)) {
            return false;
        }
        self->used_bytes += (uint64_t) bytes;
        return true;
    }
    uint64_t returned = (uint64_t) - (bytes + 1) + 1; /* the least integer has no -x */
    g_return_val_if_fail(returned <= self->used_bytes, true);
    give_back(self, returned);
    return true;
}

void heap_hand_over(WlHeap *from, WlHeap *to, uint64_t bytes)
{
    g_return_if_fail(from->account == to->account && bytes <= from->used_bytes);

    from->used_bytes -= bytes;
    from->granted_bytes -= bytes;
    to->used_bytes += bytes;
    to->granted_bytes += bytes;
}
