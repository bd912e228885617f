/* Remembers what PEs were given, and brings it to their memories. */
#include "arch/wse/given.h"

#include <string.h>

#include "sim/narrow.h"
#include "sim/pages.h"

enum {
    MOST = 5, /* pieces of a PE: its image, and what the host writes to few arrays */
};

typedef struct {
    WseBytes bytes;
    const uint8_t *from;
} Piece;

typedef struct {
    uint32_t count;
    bool is_whole;
    Piece pieces[MOST]; /* later ones lie over earlier ones */
} Given;

typedef struct {
    uint8_t *data;
    gsize bytes;
} Array;

struct WseGivens {
    Given *all; /* by PE */
    gint left;  /* PEs whose memories are not whole, and an open array */
    guint pe_count;
    GArray *arrays; /* of Array; only the host's thread adds some */
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
    self->left = sim_i32(pe_count);
    self->pe_count = pe_count;
    self->arrays = g_array_new(FALSE, FALSE, sizeof(Array));
    return self;
}

static void free_arrays(WseGivens *self)
{
    for (guint i = 0; i < self->arrays->len; i++) {
        const Array *array = &g_array_index(self->arrays, Array, i);

        sim_pages_free(array->data, array->bytes);
    }
    g_array_set_size(self->arrays, 0);
}

void wse_givens_free(WseGivens *self)
{
    if (self != NULL) {
        free_arrays(self);
        g_array_unref(self->arrays);
        g_free(self->all);
        g_free(self);
    }
}

uint8_t *wse_givens_open(WseGivens *self, gsize bytes)
{
    if (bytes == 0 || g_atomic_int_get(&self->left) != sim_i32(self->pe_count)) {
        return NULL;
    }
    const Array array = {.data = sim_pages_new(bytes), .bytes = bytes};

    if (array.data != NULL) {
        g_array_append_val(self->arrays, array);
        g_atomic_int_inc(&self->left);
    }
    return array.data;
}

/* One less needs the arrays. */
static void leave(WseGivens *self)
{
    if (g_atomic_int_dec_and_test(&self->left)) {
        free_arrays(self);
    }
}

void wse_givens_close(WseGivens *self)
{
    leave(self);
}

bool wse_givens_add(WseGivens *self, uint32_t pe, WseBytes bytes, const uint8_t *from)
{
    Given *given = &self->all[pe];

    if (given->is_whole || given->count == MOST) {
        return false;
    }
    if (bytes.low < bytes.high) {
        given->pieces[given->count++] = (Piece){.bytes = bytes, .from = from};
    }
    return true;
}

bool wse_givens_is_whole(const WseGivens *self, uint32_t pe)
{
    return self->all[pe].is_whole;
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

void wse_givens_make_whole(WseGivens *self, uint32_t pe, uint8_t *memory)
{
    static const WseBytes all = {.low = 0, .high = INT32_MAX};
    Given *given = &self->all[pe];

    if (!given->is_whole) {
        overlay(given, all, memory);
        given->is_whole = true;
        leave(self);
    }
}
