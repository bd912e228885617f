/* What the figures of the paper have in common. */
#include "tools/gridloom/gpu/figure.h"

#include <math.h>

void gpu_figure_init(GpuFigure *self,
                     const ArchParams *gpu,
                     const GpuPublished *published)
{
    *self = (GpuFigure){.gpu = gpu,
                        .published = published,
                        .rows = g_array_new(FALSE, FALSE, sizeof(GpuFigureRow)),
                        .texts = g_string_chunk_new(256),
                        .notes = g_ptr_array_new_with_free_func(g_free)};
}

void gpu_figure_clear(GpuFigure *self)
{
    g_clear_pointer(&self->rows, g_array_unref);
    g_clear_pointer(&self->texts, g_string_chunk_free);
    g_clear_pointer(&self->notes, g_ptr_array_unref);
    g_clear_pointer(&self->svg, g_free);
}

bool gpu_figure_model(const GpuFigure *self,
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

GpuFigureRow gpu_figure_row(const char *implementation,
                            const GpuStencil *stencil,
                            const char *quantity,
                            const char *unit,
                            double model)
{
    return (GpuFigureRow){
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

void gpu_figure_publish(GpuFigureRow *row, const GpuPublishedRow *published)
{
    if (published != NULL) {
        row->published = published->value;
        row->source = published->source;
    }
}

void gpu_figure_add(GpuFigure *self, const GpuFigureRow *row)
{
    g_array_append_vals(self->rows, row, 1);
}

void gpu_figure_note(GpuFigure *self, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_ptr_array_add(self->notes, g_strdup_vprintf(format, arguments));
    va_end(arguments);
}
