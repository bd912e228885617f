/* Reads traffic matrices from text. */
#include <string.h>

#include "arch/error.h"
#include "arch/traffic/matrix.h"
#include "sim/narrow.h"

enum {
    SHOWN_LETTERS = 24, /* of a field that is no number */
};

typedef struct {
    const char *name;
    const char *at; /* the rest of the text */
    const char *end;
    guint line;
    ArchNocMatrix *matrix;
    double *shares; /* of a row */
} Parser;

static bool
refuse_field(const Parser *self, guint column, const char *field, GError **error)
{
    g_autofree char *start = g_strndup(field, SHOWN_LETTERS);
    g_autofree char *shown = g_strescape(start, NULL);

    return arch_refuse(error, "%s:%u: column %u = %s, allowed are numbers from 0 to 1",
                       self->name, self->line, column + 1,
                       *shown != '\0' ? shown : "(nothing)");
}

static bool read_number(const char *field, double *number)
{
    char *end;

    *number = g_ascii_strtod(field, &end);
    return end != field && *end == '\0';
}

static bool read_row(const Parser *self, const char *line, GError **error)
{
    const guint node_count = arch_noc_matrix_nodes(self->matrix);
    g_auto(GStrv) fields = g_strsplit(line, ",", sim_i32(node_count) + 1);
    const guint count = g_strv_length(fields);

    if (arch_noc_matrix_rows(self->matrix) == node_count) {
        return arch_refuse(error, "%s:%u: row %u, allowed are %u, one for each node",
                           self->name, self->line, node_count + 1, node_count);
    }
    if (count != node_count) {
        return arch_refuse(error,
                           "%s:%u: %s numbers than nodes, allowed are %u, one for each "
                           "target",
                           self->name, self->line,
                           count < node_count ? "fewer" : "more", node_count);
    }
    for (guint i = 0; i < count; i++) {
        g_strstrip(fields[i]);
        if (!read_number(fields[i], &self->shares[i])) {
            return refuse_field(self, i, fields[i], error);
        }
    }
    if (!arch_noc_matrix_add(self->matrix, self->shares, error)) {
        g_prefix_error(error, "%s:%u: ", self->name, self->line);
        return false;
    }
    return true;
}

/* Takes the next line, without its end; the caller frees it. NULL: no more. */
static char *next_line(Parser *self)
{
    const gsize left = (gsize) (self->end - self->at);
    const char *end = left > 0 ? memchr(self->at, '\n', left) : NULL;
    char *line;

    if (left == 0) {
        return NULL;
    }
    end = end != NULL ? end : self->end;
    line = g_strndup(self->at, (gsize) (end - self->at));
    self->at = end < self->end ? end + 1 : end;
    self->line++;
    return line;
}

static bool parse(Parser *self, GError **error)
{
    if (memchr(self->at, '\0', (gsize) (self->end - self->at)) != NULL) {
        return arch_refuse(error, "%s: no text, it has a byte 0", self->name);
    }
    for (char *line = next_line(self); line != NULL; line = next_line(self)) {
        g_autofree char *owned = g_strstrip(line);

        if (*owned != '\0' && *owned != '#' && !read_row(self, owned, error)) {
            return false;
        }
    }
    if (!arch_noc_matrix_check(self->matrix, error)) {
        g_prefix_error(error, "%s: ", self->name);
        return false;
    }
    return true;
}

ArchNocMatrix *arch_noc_matrix_parse(
    const char *name, const char *text, gsize length, guint node_count, GError **error)
{
    g_autoptr(ArchNocMatrix) matrix = arch_noc_matrix_new(node_count);
    g_autofree double *shares = g_new(double, node_count);
    Parser parser = {.name = name,
                     .at = text,
                     .end = text + length,
                     .matrix = matrix,
                     .shares = shares};

    return parse(&parser, error) ? g_steal_pointer(&matrix) : NULL;
}
