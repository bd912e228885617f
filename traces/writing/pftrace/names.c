/* Names by their texts; a cache finds those of the last records by their addresses. */
#include "traces/writing/pftrace/names.h"

Names *names_new(NamePieceFunc piece)
{
    Names *self = g_new0(Names, 1);

    self->numbers = g_hash_table_new(g_str_hash, g_str_equal);
    self->piece = piece;
    return self;
}

void names_free(Names *self)
{
    if (self != NULL) {
        g_hash_table_unref(self->numbers);
        g_free(self);
    }
}

void names_learn(Names *self, const char *text, Name *slot)
{
    guint32 number = GPOINTER_TO_UINT(g_hash_table_lookup(self->numbers, text));

    if (number == 0) {
        number = g_hash_table_size(self->numbers) + 1;
        g_hash_table_insert(self->numbers, (gpointer) text, GUINT_TO_POINTER(number));
    }
    *slot = (Name){.text = text, .number = number, .piece = self->piece(number)};
}

void names_told_clear(NamesTold *self)
{
    g_clear_pointer(&self->more, g_free);
    self->more_count = 0;
}

void names_told_add(NamesTold *self, guint32 number)
{
    const guint word = number / NAMES_WORD;
    uint64_t *bits = &self->first;

    if (word > self->more_count) {
        self->more = g_renew(uint64_t, self->more, word);
        memset(self->more + self->more_count, 0,
               (word - self->more_count) * sizeof(uint64_t));
        self->more_count = word;
    }
    if (word > 0) {
        bits = &self->more[word - 1];
    }
    *bits |= UINT64_C(1) << (number % NAMES_WORD);
}
