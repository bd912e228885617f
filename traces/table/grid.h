/* Text in aligned columns, for people. */
#pragma once

#include <stdio.h>

#include <glib.h>

typedef struct Grid Grid;

Grid *grid_new(guint column_count);
void grid_free(Grid *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Grid, grid_free)

/* A grid with its first line: the columns of `headings` are separated by |. */
Grid *grid_with(const char *headings);

/* Adds a line: one text per column; copied. */
void grid_add(Grid *self, const char *const *texts);

/* Adds the next column of a line; grid_printf() may add the rest. */
void grid_put(Grid *self, const char *text);

/* Adds the rest of a line, formatted by trace_number_text_add(): "%s|%.2f" for two
 * columns, "-" for NULL texts and numbers that are not finite. Columns of the format
 * beyond those of the grid are left out. */
void grid_printf(Grid *self, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Indents each line by `indent`. Columns of numbers are flush right. */
void grid_print(const Grid *self, FILE *stream, guint indent);
