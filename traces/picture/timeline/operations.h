/* The operations in the picture of a timeline, and which of them get a colour of their
 * own. */
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
    double cycles; /* of all lanes shown, in the window */
} Operation;

typedef struct {
    GArray *operations; /* of Operation, those that take longest first */
    GArray *stalls;     /* the same of reasons */
    GHashTable *ranks;  /* name -> its place in `operations`, from 1 */
} Operations;

/* Lanes of zones show what a kernel is about, not what its units do. */
bool operations_is_zone(const TraceLane *lane);

/* Counts slices that lie in no other, and stalls. Zones are left out. */
void operations_init(Operations *self, const TraceTimelinePicture *picture);
void operations_clear(Operations *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Operations, operations_clear)

/* Its class: 0..OPERATIONS_OTHER. */
guint operations_class(const Operations *self, const char *name);

/* Borrowed, for ever. */
const char *operations_colour(guint class_index);
