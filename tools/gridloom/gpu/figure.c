/* Code that the paper's figures share. */
#include "tools/gridloom/gpu/figure.h"

#include <math.h>
#include <stdarg.h>

#include "traces/table/record.h"
#include "traces/table/rows.h"

void cmd_gpu_figure_init(CmdGpuFigure *self,
                         const ArchParams *gpu,
                         const CmdGpuPublished *published)
{
    *self = (CmdGpuFigure){.gpu = gpu,
                           .published = published,
                           .rows = g_array_new(FALSE, FALSE, sizeof(CmdGpuFigureRow)),
                           .texts = g_string_chunk_new(256),
                           .notes = g_ptr_array_new_with_free_func(g_free)};
}

void cmd_gpu_figure_clear(CmdGpuFigure *self)
{
    g_clear_pointer(&self->rows, g_array_unref);
    g_clear_pointer(&self->texts, g_string_chunk_free);
    g_clear_pointer(&self->notes, g_ptr_array_unref);
    g_clear_pointer(&self->svg, g_free);
}

bool cmd_gpu_figure_model(const CmdGpuFigure *self,
                          const char *implementation,
                          const GpuStencil *stencil,
                          double clock_hz,
                          GpuStencilModel *model,
                          GError **error)
{
    const GpuStencilSetting setting = {.gpu = self->gpu, .clock_hz = clock_hz};

    return gpu_stencil_model(stencil, gpu_implementation_find(implementation), &setting,
                             model, error);
}

void cmd_gpu_figure_add(CmdGpuFigure *self, const CmdGpuFigureRow *row)
{
    g_array_append_vals(self->rows, row, 1);
}

void cmd_gpu_figure_note(CmdGpuFigure *self, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_ptr_array_add(self->notes, g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

const char *cmd_gpu_figure_text(CmdGpuFigure *self, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);

    va_end(arguments);
    return g_string_chunk_insert(self->texts, text);
}

/* A RecordFunc. */
static JsonObject *row_json(gconstpointer item, gconstpointer context)
{
    const CmdGpuFigureRow *row = item;
    const CmdGpuPublishedRow *published = row->published;
    JsonObject *object = RECORD(VALUE("implementation", row->implementation));

    (void) context;
    if (row->stencil.dimension > 0) {
        g_autofree char *name = gpu_stencil_name(&row->stencil);

        RECORD_ADD(object, VALUE("stencil", name),
                   VALUE("fusion", row->stencil.fusion));
    }
    RECORD_ADD(object,
               VALUE("dtype", row->has_no_type ? "" : gpu_type_name(row->stencil.type)),
               VALUE("condition", row->condition != NULL ? row->condition : ""),
               VALUE("quantity", row->quantity), VALUE("unit", row->unit),
               VALUE("model", row->model),
               VALUE("published", published != NULL ? published->value : NAN),
               VALUE("source", published != NULL ? published->source : ""));
    return object;
}

JsonArray *cmd_gpu_figure_to_json(const CmdGpuFigure *self)
{
    return record_list(self->rows, row_json, NULL);
}

char *cmd_gpu_figure_to_csv(const CmdGpuFigure *self)
{
    return trace_rows_csv(cmd_gpu_figure_to_json(self),
                          "implementation,stencil,fusion,dtype,condition,quantity,"
                          "unit,model:%.10g,published:%.10g,source",
                          "");
}
