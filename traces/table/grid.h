/* Columns of text, aligned for people. */
#pragma once

#include <stdio.h>

#include <glib.h>

typedef struct Grid Grid;

Grid *grid_new(guint column_count);
void grid_free(Grid *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Grid, grid_free)

/* With the first line: what stands between | is a column. */
Grid *grid_with(const char *headings);

/* As many texts as there are columns; copied. */
void grid_add(Grid *self, const char *const *texts);

/* The next column of a line, which grid_printf() may end. */
void grid_put(Grid *self, const char *text);

/* What a line still lacks, as trace_number_text_add() formats it: "%s|%.2f" for two
 * columns, "-" for texts of NULL and numbers that are not finite. Columns that the
 * format has beyond those of the grid are left out. */
void grid_printf(Grid *self, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Each line indented by `indent`; columns of numbers flush right. */
void grid_print(const Grid *self, FILE *stream, guint indent);
