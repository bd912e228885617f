/* Remembers what PEs were given, and brings it to their memories. */
#include "arch/wse/data/given.h"

#include <string.h>

#include "sim/narrow.h"

enum {
    MOST = 5, /* pieces of a PE: its image, and what the host writes to few arrays */
};

typedef struct {
    WseBytes bytes;
    const uint8_t *from;
} Piece;

typedef struct {
    uint32_t count;
    Piece pieces[MOST]; /* later ones lie over earlier ones */
} Given;

struct WseGivens {
    Given *all;        /* by PE */
    bool *is_whole;    /* the same, asked for often: in few lines of the host's cache */
    gint has_whole;    /* memories; atomic */
    gint is_taken;     /* some of the last array, by a PE; atomic */
    GPtrArray *arrays; /* of SimShared; only the host's thread adds some */
};

WseBytes wse_bytes_filled(const uint8_t *memory, guint bytes)
{
    guint end = memory == NULL ? 0 : bytes;
    guint first = 0;

    while (end > 0 && memory[end - 1] == 0) {
        end--;
    }
    while (first < end && memory[first] == 0) {
        first++;
    }
    return (WseBytes){sim_i32(first), sim_i32(end)};
}

WseGivens *wse_givens_new(guint pe_count)
{
    WseGivens *self = g_new0(WseGivens, 1);

    self->all = g_new0(Given, pe_count);
    self->is_whole = g_new0(bool, pe_count);
    self->arrays = g_ptr_array_new_with_free_func((GDestroyNotify) sim_shared_unref);
    return self;
}

void wse_givens_free(WseGivens *self)
{
    if (self != NULL) {
        g_ptr_array_unref(self->arrays);
        g_free(self->is_whole);
        g_free(self->all);
        g_free(self);
    }
}

bool wse_givens_hold(WseGivens *self, SimShared *array)
{
    if (g_atomic_int_get(&self->has_whole) != 0) {
        return false;
    }
    g_ptr_array_add(self->arrays, sim_shared_ref(array));
    g_atomic_int_set(&self->is_taken, 0);
    return true;
}

void wse_givens_let_go(WseGivens *self)
{
    if (g_atomic_int_get(&self->is_taken) == 0) {
        g_ptr_array_remove_index(self->arrays, self->arrays->len - 1);
    }
}

bool wse_givens_add(WseGivens *self, uint32_t pe, WseBytes bytes, const uint8_t *from)
{
    Given *given = &self->all[pe];

    if (self->is_whole[pe] || given->count == MOST) {
        return false;
    }
    if (bytes.low < bytes.high) {
        given->pieces[given->count++] = (Piece){.bytes = bytes, .from = from};
        if (g_atomic_int_get(&self->is_taken) == 0) {
            g_atomic_int_set(&self->is_taken, 1);
        }
    }
    return true;
}

bool wse_givens_is_whole(const WseGivens *self, uint32_t pe)
{
    return self->is_whole[pe];
}

/* What lies in the bytes, of which the first goes to `to`. */
static void overlay(const Given *self, WseBytes bytes, uint8_t *to)
{
    for (uint32_t i = 0; i < self->count; i++) {
        const Piece *piece = &self->pieces[i];
        const int32_t low = MAX(bytes.low, piece->bytes.low);
        const int32_t high = MIN(bytes.high, piece->bytes.high);

        if (low < high) {
            memcpy(to + (low - bytes.low), piece->from + (low - piece->bytes.low),
                   (gsize) (high - low));
        }
    }
}

void wse_givens_copy(const WseGivens *self, uint32_t pe, WseBytes bytes, uint8_t *to)
{
    memset(to, 0, (gsize) (bytes.high - bytes.low));
    overlay(&self->all[pe], bytes, to);
}

const uint32_t *wse_givens_words(const WseGivens *self, uint32_t pe, WseBytes bytes)
{
    const Given *given = &self->all[pe];

    for (uint32_t i = given->count; i-- > 0;) {
        const Piece *piece = &given->pieces[i];
        const uint8_t *at = piece->from + (bytes.low - piece->bytes.low);

        if (piece->bytes.low <= bytes.low && bytes.high <= piece->bytes.high) {
            return (uintptr_t) at % sizeof(uint32_t) == 0 ? (gconstpointer) at : NULL;
        }
        if (piece->bytes.low < bytes.high && bytes.low < piece->bytes.high) {
            return NULL;
        }
    }
    return NULL;
}

void wse_givens_make_whole(WseGivens *self, uint32_t pe, uint8_t *memory)
{
    static const WseBytes all = {.low = 0, .high = INT32_MAX};

    if (!self->is_whole[pe]) {
        overlay(&self->all[pe], all, memory);
        self->is_whole[pe] = true;
        g_atomic_int_set(&self->has_whole, 1);
    }
}
