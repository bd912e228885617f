/* A search for designs as a picture: Figure C.3, rates over areas, or C.4, what of the
 * area is vector units and what is memory. */
#include "tools/gridloom/model/codesign/codesign.h"
#include "traces/picture/choice_list.h"

#define GIGA 1e9

static void place_design(const ModelCodesign *self,
                         const GpuCodesignClass *class,
                         guint design,
                         TraceChoice *choice)
{
    const GpuDesign *at = gpu_codesign_design(class->sweep, design);

    if (self->options->is_shares) {
        gpu_codesign_shares(&self->question, at, &choice->x, &choice->y);
    } else {
        choice->x = at->mm2;
        choice->y = class->rates[design] / GIGA;
    }
}

/* A sign for each, since there is no room for names among so many points. */
static void add_gpus(const GpuCodesignClass *class, TraceChoiceList *list)
{
    for (guint i = 0; i < G_N_ELEMENTS(class->gains); i++) {
        const GpuCodesignGain *gain = &class->gains[i];

        trace_choice_list_add(
            list, (TraceChoice){.x = gain->mm2, .y = gain->rate / GIGA, .sign = i + 1});
    }
}

static bool is_on_front(const GpuCodesignClass *class, guint design)
{
    for (guint i = 0; i < class->front->len; i++) {
        if (g_array_index(class->front, guint, i) == design) {
            return true;
        }
    }
    return false;
}

static void add_panel(const ModelCodesign *self,
                      const GpuCodesignClass *class,
                      TraceChoiceList *list)
{
    trace_choice_list_panel(list, "%s stencils", class->title);
    trace_choice_list_caption(list, "%u designs, %u on the front",
                              self->question.designs->len, class->front->len);
    for (guint i = 0; i < self->question.designs->len; i++) {
        TraceChoice choice = {.is_front = is_on_front(class, i),
                              .is_chosen = (int) i == class->best};
        g_autofree char *name =
            choice.is_front || choice.is_chosen
                ? gpu_design_text(gpu_codesign_design(class->sweep, i))
                : NULL;

        place_design(self, class, i, &choice);
        choice.name = name;
        trace_choice_list_add(list, choice);
    }
    if (!self->options->is_shares) {
        add_gpus(class, list);
    }
}

char *model_codesign_svg(gconstpointer study)
{
    const ModelCodesign *self = study;
    const bool is_shares = self->options->is_shares;
    g_autofree char *rules = gpu_codesign_rules_text(&self->options->rules);
    const char *gpus[2 * GPU_CODESIGN_BUILT + 1] = {NULL};
    g_autoptr(TraceChoiceList) list = trace_choice_list_new();
    g_autofree char *chosen = g_strdup_printf(
        "the best of %.6g to %.6g mm2", self->options->at.low, self->options->at.high);

    for (guint i = 0; i < self->class_count; i++) {
        add_panel(self, &self->classes[i], list);
    }
    trace_choice_list_note(
        list, "%s",
        is_shares
            ? "Vector units are with their registers. The front is that of rates over "
              "areas."
            : "A design is n_SM x n_V, M_SM. GPUs without caches: their area less that "
              "of L1 and L2, and as fast.");
    trace_choice_list_note(list, "%s", rules);
    for (guint i = 0; i < 2 * GPU_CODESIGN_BUILT && !is_shares; i++) {
        gpus[i] = self->classes[0].gains[i].title;
    }
    return trace_choice_list_to_svg(
        list, (TraceChoices){
                  .title = is_shares ? "What designs of GPUs give their area to"
                                     : "Designs of GPUs without caches for stencils",
                  .x = is_shares ? "vector units, % of the area"
                                 : "area, mm2; less is better",
                  .y = is_shares ? "shared memory, % of the area"
                                 : "rate, 1e9 points per second; more is better",
                  .is_linear = true,
                  .is_cloud = is_shares,
                  .point = "design",
                  .signs = gpus,
                  .chosen = chosen});
}
