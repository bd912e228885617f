/* Names and their numbers, from 1 on, in the order in which they are first seen. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

typedef struct Names Names;

Names *names_new(void);
void names_free(Names *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Names, names_free)

/* `name` outlives them; the same text has the same number wherever it lies. */
guint32 names_number(Names *self, const char *name);

/* Which numbers a sequence of packets has told its reader. All zero is none. */
typedef struct {
    uint64_t *words;
    guint word_count;
} NamesTold;

void names_told_clear(NamesTold *self);

/* Whether the number is new to it; afterwards it is not. */
bool names_told_is_new(NamesTold *self, guint32 number);
