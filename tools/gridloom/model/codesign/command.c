/* gridloom model codesign: the best machine for a workload in an area. */
#include <math.h>

#include "tools/gridloom/chip_numbers.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/codesign/codesign.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/progress.h"

#define PERCENT 100.0

enum {
    LARGE_KILOBYTES = 48,
};

static void study_clear(ModelCodesign *self)
{
    for (guint i = 0; i < self->class_count; i++) {
        gpu_codesign_class_clear(&self->classes[i]);
    }
    g_clear_pointer(&self->question.designs, g_array_unref);
}

/* No design is in the range: says what there is. */
static bool refuse_range(const ModelCodesignOptions *options, GError **error)
{
    const GpuAreaRange all = {0, INFINITY};
    g_autoptr(GArray) designs = gpu_designs(&options->costs, &options->built, &all);
    const GpuDesign *smallest = &g_array_index(designs, GpuDesign, 0);
    const GpuDesign *largest = &g_array_index(designs, GpuDesign, designs->len - 1);
    g_autofree char *text = gpu_design_text(smallest);

    return option_fail(error,
                       "--area = %.6g:%.6g mm2, but no design is in it: the smallest, "
                       "%s, has %.2f mm2, the largest %.2f",
                       options->area.low, options->area.high, text, smallest->mm2,
                       largest->mm2);
}

/* No design is where one looks, or none runs anything: says which is the smallest. */
static bool refuse_at(const ModelCodesignOptions *options,
                      const GpuCodesignClass *class,
                      GError **error)
{
    const GpuAreaRange *at = &options->at;
    const GpuDesign *smallest;

    if (class->front->len == 0) {
        return option_fail(error,
                           "--at = %.6g:%.6g mm2: no design there or anywhere runs the "
                           "%s stencils: their smallest tile does not fit",
                           at->low, at->high, class->title);
    }
    smallest = gpu_codesign_design(class->sweep, g_array_index(class->front, guint, 0));
    g_autofree char *text = gpu_design_text(smallest);

    return option_fail(error,
                       "--at = %.6g:%.6g mm2: no design there runs the %s stencils; "
                       "the smallest in --area that does, %s, has %.2f mm2",
                       at->low, at->high, class->title, text, smallest->mm2);
}

/* Who is told how far a search is. */
typedef struct {
    Progress *progress;
    guint dimension;
} Teller;

/* A GpuCodesignStep. */
static void tell(gpointer data, guint done, guint count)
{
    const Teller *teller = data;
    g_autofree char *text =
        g_strdup_printf("%uD stencils, %.0f %%", teller->dimension,
                        floor(PERCENT * (double) done / (double) count));

    progress_tell(teller->progress, text);
}

static bool add_class(ModelCodesign *self, guint first_code, GError **error)
{
    const ModelCodesignOptions *options = self->options;
    g_autoptr(Progress) progress =
        progress_new("model codesign", !options->output.is_quiet);
    Teller teller = {progress, options->codes[first_code].stencil->dimension};
    GpuCodesignClass *class = &self->classes[self->class_count++];

    gpu_codesign_class_init(class, &self->question, first_code, tell, &teller);
    return class->best >= 0 || refuse_at(options, class, error);
}

static bool study_init(ModelCodesign *self, GError **error)
{
    const ModelCodesignOptions *options = self->options;
    GpuCodesignQuestion *question = &self->question;

    *question = (GpuCodesignQuestion){
        .costs = &options->costs,
        .gpu = &options->built,
        .rules = options->rules,
        .codes = options->codes,
        .code_count = options->code_count,
        .sizes = options->sizes,
        .area = options->area,
        .at = options->at,
        .designs = gpu_designs(&options->costs, &options->built, &options->area),
    };
    if (question->designs->len == 0) {
        return refuse_range(options, error);
    }
    for (guint i = 0; i < question->designs->len; i++) {
        const GpuDesign *design = &g_array_index(question->designs, GpuDesign, i);

        self->from_48_kilobytes += design->shared_kilobytes >= LARGE_KILOBYTES ? 1 : 0;
    }
    for (guint i = 0; i < GPU_CODESIGN_BUILT; i++) {
        g_autoptr(ArchParams) gpu =
            chip_numbers_load_gpu(gpu_codesign_built_names[i], error);

        if (gpu == NULL || !gpu_codesign_built_read(&question->built[i], gpu,
                                                    &options->costs, error)) {
            return false;
        }
    }
    for (guint i = 0; i < options->code_count; i++) {
        if ((i == 0 || options->codes[i].stencil->dimension !=
                           options->codes[i - 1].stencil->dimension) &&
            !add_class(self, i, error)) {
            return false;
        }
    }
    return true;
}

int model_codesign_run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    const ModelCodesignOptions *options = data;
    ModelCodesign study = {.options = options};
    const ModelPage page = {.name = "model codesign",
                            .chip = options->gpu,
                            .study = &study,
                            .parameters = model_codesign_parameters,
                            .metrics = model_codesign_metrics,
                            .csv = model_codesign_csv,
                            .svg = model_codesign_svg,
                            .print = model_codesign_print};
    g_autoptr(GError) error = NULL;
    int code;

    code = study_init(&study, &error)
               ? model_output_write(&options->output, &page, start)
               : complain_of(error);
    study_clear(&study);
    return code;
}
