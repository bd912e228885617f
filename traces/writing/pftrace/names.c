/* Interns names: looked up by address first, which is quick, and only then by text. */
#include "traces/writing/pftrace/names.h"

#include <string.h>

enum {
    CACHE_SLOTS = 1024,
    WORD_BITS = 64,
};

typedef struct {
    const char *name;
    guint32 number;
} Slot;

struct Names {
    Slot cache[CACHE_SLOTS];
    GHashTable *numbers; /* by text */
};

Names *names_new(void)
{
    Names *self = g_new0(Names, 1);

    self->numbers = g_hash_table_new(g_str_hash, g_str_equal);
    return self;
}

void names_free(Names *self)
{
    if (self != NULL) {
        g_hash_table_unref(self->numbers);
        g_free(self);
    }
}

guint32 names_number(Names *self, const char *name)
{
    const guintptr address = (guintptr) name;
    Slot *slot = &self->cache[(address ^ (address >> 10)) % CACHE_SLOTS];

    if (slot->name != name) {
        gpointer number = g_hash_table_lookup(self->numbers, name);

        if (number == NULL) {
            number = GUINT_TO_POINTER(g_hash_table_size(self->numbers) + 1);
            g_hash_table_insert(self->numbers, (gpointer) name, number);
        }
        *slot = (Slot){.name = name, .number = GPOINTER_TO_UINT(number)};
    }
    return slot->number;
}

void names_told_clear(NamesTold *self)
{
    g_clear_pointer(&self->words, g_free);
    self->word_count = 0;
}

bool names_told_is_new(NamesTold *self, guint32 number)
{
    const guint word = number / WORD_BITS;
    const uint64_t bit = UINT64_C(1) << (number % WORD_BITS);

    if (word >= self->word_count) {
        self->words = g_renew(uint64_t, self->words, word + 1);
        memset(self->words + self->word_count, 0,
               (word + 1 - self->word_count) * sizeof(uint64_t));
        self->word_count = word + 1;
    }
    if ((self->words[word] & bit) != 0) {
        return false;
    }
    self->words[word] |= bit;
    return true;
}
