/* The lines beside a fold, each of which has to be equal to the one a period further.
 * Visits change PEs and their neighbours, and depend on no others, nor on the order in
 * a cycle: what one sends, another takes in a later cycle. So where all of
 * these are known to be equal, equal visits leave them equal, and nothing is compared:
 * only visits at the outer lines, to which unequal PEs may be neighbours, and what the
 * wheel alone knew make it necessary. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/wse/fold.h"

/* What an event at a PE of a line may make unequal: bits of the compared lines, the
 * first of which is WSE_SEAM_BEFORE lines before the repeated ones. */
typedef struct {
    uint8_t visit;  /* by a visit, in the row or column across */
    uint8_t around; /* and in those beside it */
    uint8_t due;    /* by what becomes due */
} WseSeamReach;

typedef struct {
    guint first;  /* kept place of the first compared line */
    guint period; /* lines to the ones that these have to be equal to */
    guint length; /* of a line */
    guint step;   /* PEs from line to line */
    guint across; /* PEs from one of a line to the next */
    guint count;
    guint *places;         /* of lines, at which something is to be compared */
    uint8_t *marks;        /* by place: which of the lines */
    WseSeamReach *reaches; /* by line from the one before the first on */
    uint64_t compared;     /* PEs so far */
    bool is_before;        /* where lines differ: before the repeated ones */
} WseSeam;

/* The seam of a fold; all of it is to be compared. */
void wse_seam_begin(
    WseSeam *self, const WseFold *fold, guint length, guint step, guint across);
void wse_seam_end(WseSeam *self);

/* A PE, at a place of a line, is visited in this cycle, or got something to do from the
 * wheel. The line is one of those that wse_axis_beside() tells. */
void wse_seam_note_visit(WseSeam *self, guint line, guint place);
void wse_seam_note_due(WseSeam *self, guint line, guint place);

/* Whether lines are equal, in blocks of so many bytes: as far as that is not known. If
 * they are not, `is_before` says where. */
bool wse_seam_is_alike(WseSeam *self, const char *blocks, gsize bytes);
