/* The memory a script may use: Lua's heap and the host's buffers together. */
#include "workloads/sandbox/heap.h"

#include <glib.h>

static bool fits(const WlHeap *self, uint64_t growth_bytes)
{
    return self->limit_bytes == 0 ||
           (self->used_bytes <= self->limit_bytes &&
            growth_bytes <= self->limit_bytes - self->used_bytes);
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
    if (is_retry || new_bytes > self->limit_bytes) {
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
        self->used_bytes -= old_bytes;
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
    self->used_bytes += new_bytes;
    self->used_bytes -= old_bytes;
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
    self->used_bytes -= returned;
    return true;
}
