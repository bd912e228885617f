/* Aligned columns. */
#include "traces/table/grid.h"

#include <stdarg.h>
#include <stdbool.h>

#include "traces/table/number_text.h"

struct Grid {
    guint column_count;
    GPtrArray *texts; /* row by row */
};

Grid *grid_new(guint column_count)
{
    Grid *self = g_new0(Grid, 1);

    self->column_count = column_count;
    self->texts = g_ptr_array_new_with_free_func(g_free);
    return self;
}

void grid_free(Grid *self)
{
    if (self == NULL) {
        return;
    }
    g_ptr_array_unref(self->texts);
    g_free(self);
}

void grid_add(Grid *self, const char *const *texts)
{
    for (guint i = 0; i < self->column_count; i++) {
        g_ptr_array_add(self->texts, g_utf8_make_valid(texts[i], -1));
    }
}

Grid *grid_with(const char *headings)
{
    g_auto(GStrv) columns = g_strsplit(headings, "|", -1);
    Grid *self = grid_new(g_strv_length(columns));

    grid_add(self, (const char *const *) columns);
    return self;
}

void grid_put(Grid *self, const char *text)
{
    g_ptr_array_add(self->texts, g_utf8_make_valid(text, -1));
}

void grid_printf(Grid *self, const char *format, ...)
{
    /* Texts may have a |, and never this. */
    g_autofree char *columns = g_strdelimit(g_strdup(format), "|", '\x1f');
    g_autoptr(GString) text = g_string_new(NULL);
    va_list arguments;

    va_start(arguments, format);
    trace_number_text_add_list(text, "-", columns, arguments);
    va_end(arguments);
    g_auto(GStrv) texts = g_strsplit(text->str, "\x1f", -1);

    guint i = 0;

    do {
        g_assert(texts[i] != NULL);
        grid_put(self, texts[i++]);
    } while (self->texts->len % self->column_count != 0);
}

static const char *text_at(const Grid *self, guint row, guint column)
{
    return g_ptr_array_index(self->texts, row * self->column_count + column);
}

/* Every text below the first is a number. */
static bool is_numeric(const Grid *self, guint row_count, guint column)
{
    for (guint row = 1; row < row_count; row++) {
        const char *text = text_at(self, row, column);
        char *end = NULL;

        (void) g_ascii_strtod(text, &end);
        if (end == text || *end != '\0') {
            return false;
        }
    }
    return row_count > 1;
}

/* NOTE: printf's width counts bytes, not characters. */
static void append_aligned(GString *line, const char *text, glong width, bool is_right)
{
    int padding = (int) (width - g_utf8_strlen(text, -1));

    g_string_append_printf(line, "%*s%s%*s", is_right ? padding : 0, "", text,
                           is_right ? 0 : padding, "");
}

void grid_print(const Grid *self, FILE *stream, guint indent)
{
    guint row_count = self->texts->len / self->column_count;
    g_autofree glong *widths = g_new0(glong, self->column_count);
    g_autofree bool *are_numeric = g_new0(bool, self->column_count);

    for (guint column = 0; column < self->column_count; column++) {
        are_numeric[column] = is_numeric(self, row_count, column);
        for (guint row = 0; row < row_count; row++) {
            widths[column] =
                MAX(widths[column], g_utf8_strlen(text_at(self, row, column), -1));
        }
    }
    for (guint row = 0; row < row_count; row++) {
        GString *line = g_string_new(NULL);

        for (guint column = 0; column < self->column_count; column++) {
            append_aligned(line, text_at(self, row, column), widths[column],
                           are_numeric[column]);
            g_string_append(line, column + 1 < self->column_count ? "  " : "");
        }
        (void) fprintf(stream, "%*s%s\n", (int) indent, "", g_strchomp(line->str));
        g_string_free(line, TRUE);
    }
}
