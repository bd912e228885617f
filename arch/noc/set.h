/* A set of small numbers, a bit each. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

enum {
    NOC_WORD = 64, /* bits */
};

typedef struct {
    uint64_t *words;
    guint word_count;
} NocSet;

/* A set for numbers below `size`. */
void noc_set_init(NocSet *self, gsize size);
void noc_set_clear(NocSet *self);

bool noc_set_is_empty(const NocSet *self);
guint noc_set_count(const NocSet *self);

/* Without a branch, which would be unpredictable. */
static inline void noc_set_add_if(NocSet *self, uint32_t number, bool is_in)
{
    self->words[number / NOC_WORD] |= (uint64_t) is_in << (number % NOC_WORD);
}

static inline void noc_set_add(NocSet *self, uint32_t number)
{
    noc_set_add_if(self, number, true);
}

static inline void noc_set_remove(NocSet *self, uint32_t number)
{
    self->words[number / NOC_WORD] &= ~(UINT64_C(1) << (number % NOC_WORD));
}
