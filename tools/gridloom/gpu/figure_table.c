/* Rows of a figure as CSV and as JSON. */
#include <math.h>

#include "tools/gridloom/gpu/figure.h"

static void append_number(GString *text, double value)
{
    if (isfinite(value)) {
        char buffer[G_ASCII_DTOSTR_BUF_SIZE];

        g_string_append(text, g_ascii_formatd(buffer, sizeof buffer, "%.10g", value));
    }
}

static const char *type_of(const CmdGpuFigureRow *row)
{
    return row->has_type ? gpu_type_name(row->stencil.type) : "";
}

static void append_row(GString *text, const CmdGpuFigureRow *row)
{
    g_string_append_printf(text, "%s,", row->implementation);
    if (row->stencil.dimension > 0) {
        g_autofree char *name = gpu_stencil_name(&row->stencil);

        g_string_append_printf(text, "%s,%u,", name, row->stencil.fusion);
    } else {
        g_string_append(text, ",,");
    }
    g_string_append_printf(text, "%s,%s,%s,%s,", type_of(row), row->condition,
                           row->quantity, row->unit);
    append_number(text, row->model);
    g_string_append_c(text, ',');
    append_number(text, row->published);
    g_string_append_printf(text, ",%s\n", row->source);
}

char *cmd_gpu_figure_to_csv(const CmdGpuFigure *self)
{
    GString *text =
        g_string_new("implementation,stencil,fusion,dtype,condition,quantity,"
                     "unit,model,published,source\n");

    for (guint i = 0; i < self->rows->len; i++) {
        append_row(text, &g_array_index(self->rows, CmdGpuFigureRow, i));
    }
    return g_string_free(text, FALSE);
}

static JsonObject *row_to_json(const CmdGpuFigureRow *row)
{
    JsonObject *object = json_object_new();

    json_object_set_string_member(object, "implementation", row->implementation);
    if (row->stencil.dimension > 0) {
        g_autofree char *name = gpu_stencil_name(&row->stencil);

        json_object_set_string_member(object, "stencil", name);
        json_object_set_int_member(object, "fusion", row->stencil.fusion);
    }
    json_object_set_string_member(object, "dtype", type_of(row));
    json_object_set_string_member(object, "condition", row->condition);
    json_object_set_string_member(object, "quantity", row->quantity);
    json_object_set_string_member(object, "unit", row->unit);
    json_object_set_double_member(object, "model", row->model);
    json_object_set_double_member(object, "published", row->published);
    json_object_set_string_member(object, "source", row->source);
    return object;
}

JsonArray *cmd_gpu_figure_to_json(const CmdGpuFigure *self)
{
    JsonArray *rows = json_array_new();

    for (guint i = 0; i < self->rows->len; i++) {
        json_array_add_object_element(
            rows, row_to_json(&g_array_index(self->rows, CmdGpuFigureRow, i)));
    }
    return rows;
}
