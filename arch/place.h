/* A place in a script: the line that a kernel has got to. */
#pragma once

#include <glib.h>

typedef struct {
    const char *file; /* NULL: unknown; else it lasts as long as the kernel's program */
    guint line;
} ArchPlace;

/* The place of the call that a kernel makes, or waits in. */
typedef ArchPlace (*ArchPlaceFunc)(gpointer data);

/* " at file:line", or nothing where it is unknown; the caller frees it. */
char *arch_place_text(ArchPlace place);
