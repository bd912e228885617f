/* Slices narrower than a column of pixels, accumulated column by column. */
#pragma once

#include <glib.h>

#include "traces/picture/svg.h"

enum {
    COLUMN_STALLED = 8, /* after the classes of operations */
    COLUMN_CLASSES,
};

typedef struct {
    guint count;
    guint width;  /* pixels of each */
    float *parts; /* [column][class]: share of the column */
} Columns;

/* So many pixels, in columns of `width`. */
void columns_init(Columns *self, guint pixels, guint width);
void columns_clear(Columns *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Columns, columns_clear)

/* Adds the span x..x + width, in pixels from the left. */
void columns_add(Columns *self, guint class_index, double x, double width);

/* Draws the columns in a row of this height and clears them: from the bottom,
 * operations in the colour of the most frequent one, then stalls. */
void columns_draw(Columns *self, TraceSvg *svg, double x, double y, double height);
