/* Columns of text, aligned for people. */
#pragma once

#include <stdio.h>

#include <glib.h>

typedef struct Grid Grid;

Grid *grid_new(guint column_count);
void grid_free(Grid *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Grid, grid_free)

/* As many texts as there are columns; copied. */
void grid_add(Grid *self, const char *const *texts);

/* Each line indented by `indent`; columns of numbers flush right. */
void grid_print(const Grid *self, FILE *stream, guint indent);
