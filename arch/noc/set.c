/* Implements sets of small numbers. */
#include "arch/noc/set.h"

#include "sim/narrow.h"

void noc_set_init(NocSet *self, gsize size)
{
    self->word_count = sim_u32((size + NOC_WORD - 1) / NOC_WORD);
    self->words = g_new0(uint64_t, self->word_count);
}

void noc_set_clear(NocSet *self)
{
    g_free(self->words);
    *self = (NocSet){0};
}

bool noc_set_is_empty(const NocSet *self)
{
    uint64_t any = 0;

    for (guint i = 0; i < self->word_count; i++) {
        any |= self->words[i];
    }
    return any == 0;
}

guint noc_set_count(const NocSet *self)
{
    guint count = 0;

    for (guint i = 0; i < self->word_count; i++) {
        count += (guint) __builtin_popcountll(self->words[i]);
    }
    return count;
}
