/* Reads what a paper prints about stencils on a GPU. */
#include "tools/gridloom/gpu/figure.h"
#include "tools/gridloom/option_value.h"
#include "traces/error.h"
#include "traces/file/csv.h"
#include "workloads/search.h"

#define FILE_NAME "gpu"

enum {
    SOURCE,
    IMPLEMENTATION,
    SHAPE,
    DIMENSION,
    RADIUS,
    FUSION,
    TYPE,
    QUANTITY,
    UNIT,
    PUBLISHED,
    NOTE,
    COLUMN_COUNT,
};

static const char *const columns[COLUMN_COUNT] = {
    "source", "implementation", "shape", "dimension", "radius", "fusion",
    "dtype",  "quantity",       "unit",  "published", "note",
};

struct CmdGpuPublished {
    TraceCsv *csv;
    GArray *rows; /* of CmdGpuPublishedRow */
};

void cmd_gpu_published_free(CmdGpuPublished *self)
{
    if (self != NULL) {
        trace_csv_free(self->csv);
        g_array_unref(self->rows);
        g_free(self);
    }
}

/* The fields of a row, while it is read. */
typedef struct {
    const char *path;
    guint line;
    const char *fields[COLUMN_COUNT];
} Line;

static bool refuse(const Line *line, guint column, GError **error)
{
    return trace_refuse(error, "%s:%u: %s = %s", line->path, line->line,
                        columns[column], line->fields[column]);
}

static bool
read_count(const Line *line, guint column, guint most, guint *value, GError **error)
{
    guint64 number = 0;
    const bool is_read =
        g_ascii_string_to_unsigned(line->fields[column], 10, 1, most, &number, NULL);

    *value = (guint) number;
    return is_read || refuse(line, column, error);
}

static bool read_stencil(const Line *line, CmdGpuPublishedRow *row, GError **error)
{
    GpuStencil *stencil = &row->stencil;

    row->has_type = *line->fields[TYPE] != '\0';
    if (row->has_type && !gpu_type_find(line->fields[TYPE], &stencil->type)) {
        return refuse(line, TYPE, error);
    }
    if (*line->fields[SHAPE] == '\0') {
        return true;
    }
    if (!gpu_shape_find(line->fields[SHAPE], &stencil->shape)) {
        return refuse(line, SHAPE, error);
    }
    return read_count(line, DIMENSION, GPU_STENCIL_DIMENSIONS, &stencil->dimension,
                      error) &&
           read_count(line, RADIUS, GPU_STENCIL_RADIUS, &stencil->radius, error) &&
           read_count(line, FUSION, GPU_STENCIL_FUSION, &stencil->fusion, error);
}

static bool read_row(const Line *line, CmdGpuPublishedRow *row, GError **error)
{
    *row = (CmdGpuPublishedRow){
        .source = line->fields[SOURCE],
        .implementation = line->fields[IMPLEMENTATION],
        .quantity = line->fields[QUANTITY],
        .unit = line->fields[UNIT],
        .note = line->fields[NOTE],
    };
    return (option_is_number(line->fields[PUBLISHED], &row->value) ||
            refuse(line, PUBLISHED, error)) &&
           read_stencil(line, row, error);
}

static bool read_rows(CmdGpuPublished *self, const char *path, GError **error)
{
    int places[COLUMN_COUNT];

    for (guint i = 0; i < COLUMN_COUNT; i++) {
        places[i] = trace_csv_column(self->csv, columns[i]);
        if (places[i] < 0) {
            return sim_fail(error, TRACE_ERROR, TRACE_ERROR_READ,
                            "%s: there is no column %s", path, columns[i]);
        }
    }
    for (guint i = 0; i < trace_csv_row_count(self->csv); i++) {
        Line line = {.path = path, .line = trace_csv_line(self->csv, i)};
        CmdGpuPublishedRow row;

        for (guint k = 0; k < COLUMN_COUNT; k++) {
            line.fields[k] = trace_csv_field(self->csv, i, (guint) places[k]);
        }
        if (!read_row(&line, &row, error)) {
            return false;
        }
        g_array_append_val(self->rows, row);
    }
    return true;
}

CmdGpuPublished *cmd_gpu_published_load(GError **error)
{
    g_autofree char *path = search_find_or_fail(
        SEARCH_FIGURE, "file of published numbers", FILE_NAME, error);
    g_autoptr(CmdGpuPublished) self = NULL;
    g_autofree char *text = NULL;
    gsize length;

    if (path == NULL || !g_file_get_contents(path, &text, &length, error)) {
        return NULL;
    }
    self = g_new0(CmdGpuPublished, 1);
    self->rows = g_array_new(FALSE, FALSE, sizeof(CmdGpuPublishedRow));
    self->csv = trace_csv_parse(path, text, length, error);
    return self->csv != NULL && read_rows(self, path, error) ? g_steal_pointer(&self)
                                                             : NULL;
}

guint cmd_gpu_published_count(const CmdGpuPublished *self)
{
    return self->rows->len;
}

const CmdGpuPublishedRow *cmd_gpu_published_row(const CmdGpuPublished *self, guint row)
{
    return &g_array_index(self->rows, CmdGpuPublishedRow, row);
}

static bool is_of(const CmdGpuPublishedRow *row, const GpuStencil *stencil)
{
    return row->stencil.shape == stencil->shape &&
           row->stencil.dimension == stencil->dimension &&
           row->stencil.radius == stencil->radius &&
           row->stencil.fusion == stencil->fusion && row->has_type &&
           row->stencil.type == stencil->type;
}

const CmdGpuPublishedRow *cmd_gpu_published_find(const CmdGpuPublished *self,
                                                 const char *implementation,
                                                 const GpuStencil *stencil,
                                                 const char *quantity)
{
    for (guint i = 0; i < self->rows->len; i++) {
        const CmdGpuPublishedRow *row = cmd_gpu_published_row(self, i);

        if (g_str_equal(row->implementation, implementation) &&
            g_str_equal(row->quantity, quantity) && is_of(row, stencil)) {
            return row;
        }
    }
    return NULL;
}
