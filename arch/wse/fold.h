/* The folds of one axis of a wafer. Lines (columns or rows) that repeat with a period
 * and do the same are simulated once: one period of them stands for all. Places of
 * lines are `whole` on the axis of the layout, and `kept` among those simulated. */
#pragma once

#include <stdbool.h>

#include <glib.h>

enum {
    WSE_MOST_FOLDS = 3,
    WSE_SEAM = 4,        /* lines that are compared with those a period further */
    WSE_SEAM_BEFORE = 2, /* of which so many are before the repeated ones */
};

typedef struct {
    guint first;   /* kept place of the lines that stand for others */
    guint period;  /* so many do */
    guint repeats; /* periods that are left out */
} WseFold;

typedef struct {
    guint length; /* of the whole axis */
    guint count;
    WseFold folds[WSE_MOST_FOLDS]; /* in the order of places */
} WseAxis;

/* The folds that leave out most; `classes` says which lines begin alike. */
WseAxis wse_axis_fold(const guint *classes, guint length);

/* Keeps a part more lines, or all of a fold: copies of the repeated ones, so many that
 * all which is compared lies among them, and all others on the side where lines begin
 * to differ. */
void wse_axis_unfold(WseAxis *self, guint fold, bool is_before);

/* Lines that are simulated. */
guint wse_axis_kept(const WseAxis *self);
/* The first whole place that a kept one stands for. */
guint wse_axis_whole(const WseAxis *self, guint kept);
/* The kept place that stands for a whole one. */
guint wse_axis_at(const WseAxis *self, guint whole);

/* The fold whose repeated lines the kept one is among, counted from 1; or 0. */
guint wse_axis_repeated(const WseAxis *self, guint kept);
/* The one whose compared lines a visit to the kept one may change; or 0. */
guint wse_axis_beside(const WseAxis *self, guint kept);
/* How many lines stand behind one of these; of 0: one. */
guint wse_axis_weight(const WseAxis *self, guint repeated);
