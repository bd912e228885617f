/* What the figures of the paper have in common. */
#include "tools/gridloom/gpu/figure.h"

#include <math.h>

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

CmdGpuFigureRow cmd_gpu_figure_row(const char *implementation,
                                   const GpuStencil *stencil,
                                   const char *quantity,
                                   const char *unit,
                                   double model)
{
    return (CmdGpuFigureRow){
        .implementation = implementation,
        .stencil = *stencil,
        .has_type = true,
        .condition = "",
        .quantity = quantity,
        .unit = unit,
        .model = model,
        .published = NAN,
        .source = "",
    };
}

void cmd_gpu_figure_publish(CmdGpuFigureRow *row, const CmdGpuPublishedRow *published)
{
    if (published != NULL) {
        row->published = published->value;
        row->source = published->source;
    }
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
