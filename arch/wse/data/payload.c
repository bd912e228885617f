/* Counts references to the words of a stream. */
#include "arch/wse/data/payload.h"

#include <stdbool.h>

#include "sim/narrow.h"

/* A number is the owner and an index; entries lie in chunks that never move, so that
 * other regions read them while the owner adds some. */
enum {
    OWNER_SHIFT = 26,
    INDEX_MASK = (1 << OWNER_SHIFT) - 1,
    CHUNK = 1024,
    CHUNKS = (INDEX_MASK + 1) / CHUNK,
};

typedef struct {
    gint references;
    guint is_fixed : 1; /* the words are somebody else's */
    guint count : 31;
    uint32_t *words;
} Entry;

struct WsePayloads {
    guint owner;
    guint entry_count;
    Entry *chunks[CHUNKS];
    GArray *spare;    /* of uint32_t: indices nobody uses */
    GMutex lock;      /* of what follows */
    GArray *returned; /* the same, from any region */
};

static Entry *entry_at(WsePayloads *self, uint32_t index)
{
    return &self->chunks[index / CHUNK][index % CHUNK];
}

WsePayloads *wse_payloads_new(guint owner)
{
    WsePayloads *self = g_new0(WsePayloads, 1);

    self->owner = owner;
    self->spare = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    self->returned = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_mutex_init(&self->lock);
    return self;
}

static void free_words(Entry *entry)
{
    if (!entry->is_fixed) {
        g_free(entry->words);
    }
}

void wse_payloads_free(WsePayloads *self)
{
    if (self == NULL) {
        return;
    }
    for (guint i = 0; i < self->entry_count; i++) {
        free_words(entry_at(self, i));
    }
    for (guint i = 0; i < CHUNKS && self->chunks[i] != NULL; i++) {
        g_free(self->chunks[i]);
    }
    g_array_unref(self->spare);
    g_array_unref(self->returned);
    g_mutex_clear(&self->lock);
    g_free(self);
}

static uint32_t spare_index(WsePayloads *self)
{
    if (self->spare->len == 0) {
        g_mutex_lock(&self->lock);
        GArray *returned = self->returned;
        self->returned = self->spare;
        self->spare = returned;
        g_mutex_unlock(&self->lock);
    }
    if (self->spare->len > 0) {
        uint32_t index = g_array_index(self->spare, uint32_t, self->spare->len - 1);

        g_array_set_size(self->spare, self->spare->len - 1);
        return index;
    }
    g_assert(self->entry_count <= INDEX_MASK);
    if (self->entry_count % CHUNK == 0) {
        self->chunks[self->entry_count / CHUNK] = g_new0(Entry, CHUNK);
    }
    return self->entry_count++;
}

static void set_words(Entry *entry, guint count, uint32_t *words, bool is_fixed)
{
    g_assert(count <= G_MAXINT32);
    entry->count = count & G_MAXINT32;
    entry->words = words;
    entry->is_fixed = is_fixed;
}

uint32_t wse_payloads_add(WsePayloads *self, guint count)
{
    uint32_t index = spare_index(self);
    Entry *entry = entry_at(self, index);

    if (entry->count != count || entry->is_fixed) {
        free_words(entry);
        set_words(entry, count, g_new(uint32_t, count), false);
    }
    entry->references = 1;
    return self->owner << OWNER_SHIFT | index;
}

uint32_t wse_payloads_add_fixed(WsePayloads *self, guint count, const uint32_t *words)
{
    uint32_t index = spare_index(self);
    Entry *entry = entry_at(self, index);

    free_words(entry);
    set_words(entry, count, (uint32_t *) words, true);
    entry->references = 1;
    return self->owner << OWNER_SHIFT | index;
}

guint wse_payload_owner(uint32_t number)
{
    return number >> OWNER_SHIFT;
}

uint32_t *wse_payloads_words(WsePayloads *self, uint32_t number)
{
    return entry_at(self, number & INDEX_MASK)->words;
}

guint wse_payloads_count(WsePayloads *self, uint32_t number)
{
    return entry_at(self, number & INDEX_MASK)->count;
}

void wse_payloads_hold(WsePayloads *self, uint32_t number, guint references)
{
    g_atomic_int_add(&entry_at(self, number & INDEX_MASK)->references,
                     sim_i32(references));
}

void wse_payloads_drop(WsePayloads *self, uint32_t number)
{
    uint32_t index = number & INDEX_MASK;

    if (g_atomic_int_dec_and_test(&entry_at(self, index)->references)) {
        g_mutex_lock(&self->lock);
        g_array_append_val(self->returned, index);
        g_mutex_unlock(&self->lock);
    }
}
