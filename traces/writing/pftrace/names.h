/* Numbers of names: a file has a name once in each sequence, then its number. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "traces/writing/pftrace/wire.h"

/* A name with its number, counted from 1 in order of first use, and the piece of a
 * packet with it. */
typedef struct {
    const char *text;
    guint32 number; /* 0: none so far */
    WirePiece piece;
} Name;

enum {
    NAMES_CACHE = 1024,
};

typedef WirePiece (*NamePieceFunc)(guint32 number);

/* Names of one kind. */
typedef struct {
    Name cache[NAMES_CACHE]; /* by where the text is */
    GHashTable *numbers;     /* by text */
    NamePieceFunc piece;
} Names;

Names *names_new(NamePieceFunc piece);
void names_free(Names *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Names, names_free)

/* Looks the name up by its text, and keeps it in `slot`. */
void names_learn(Names *self, const char *text, Name *slot);

/* `text` must outlive the names. Equal texts have the same number. The name is there up
 * to the next call. */
static inline const Name *names_find(Names *self, const char *text)
{
    const guintptr address = (guintptr) text;
    Name *slot = &self->cache[(address ^ (address >> 10)) % NAMES_CACHE];

    if (G_UNLIKELY(slot->text != text)) {
        names_learn(self, text, slot);
    }
    return slot;
}

/* The names that a sequence has already written out. All zero: none. */
typedef struct {
    uint64_t first; /* the word of the first numbers */
    uint64_t *more;
    guint more_count;
} NamesTold;

enum {
    NAMES_WORD = 64, /* bits */
};

void names_told_clear(NamesTold *self);
void names_told_add(NamesTold *self, guint32 number);

static inline bool names_told_has(const NamesTold *self, guint32 number)
{
    const guint word = number / NAMES_WORD;
    uint64_t bits = self->first;

    if (word > 0) {
        bits = word <= self->more_count ? self->more[word - 1] : 0;
    }
    return (bits >> (number % NAMES_WORD) & 1) != 0;
}
