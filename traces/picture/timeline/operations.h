/* The operations in the picture of a timeline, and their colours. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/picture/timeline_picture.h"

enum {
    OPERATIONS_COLOURED = 7,
    OPERATIONS_OTHER = OPERATIONS_COLOURED, /* all others together */
    OPERATIONS_CLASSES,
};

typedef struct {
    char *name;
    double cycles; /* over all lanes shown, in the window */
} Operation;

typedef struct {
    GArray *operations; /* of Operation, longest first */
    GArray *stalls;     /* the same for reasons */
    GHashTable *ranks;  /* name -> its index in `operations`, from 1 */
} Operations;

/* Zone lanes show what a kernel is doing, not what its units do. */
bool operations_is_zone(const TraceLane *lane);

/* Counts outermost slices, and stalls. Zones are left out. */
void operations_init(Operations *self, const TraceTimelinePicture *picture);
void operations_clear(Operations *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Operations, operations_clear)

/* The class of an operation: 0..OPERATIONS_OTHER. */
guint operations_class(const Operations *self, const char *name);

/* A static text. */
const char *operations_colour(guint class_index);
