/* A search for designs as a picture: Figure C.3, rates over areas, or C.4, what of the
 * area is vector units and what is memory. */
#include "tools/gridloom/model/codesign/codesign.h"
#include "traces/picture/choices.h"

#define GIGA 1e9

/* What a picture borrows from. */
typedef struct {
    GPtrArray *texts;
    GPtrArray *lists;
    TraceChoicePanel panels[MODEL_CODESIGN_CLASSES];
} Album;

static const char *keep(Album *self, char *text)
{
    g_ptr_array_add(self->texts, text);
    return text;
}

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
static void add_gpus(const GpuCodesignClass *class, GArray *choices)
{
    for (guint i = 0; i < G_N_ELEMENTS(class->gains); i++) {
        const GpuCodesignGain *gain = &class->gains[i];
        const TraceChoice choice = {
            .x = gain->mm2, .y = gain->rate / GIGA, .sign = i + 1};

        g_array_append_val(choices, choice);
    }
}

static GArray *
choices_of(const ModelCodesign *self, const GpuCodesignClass *class, Album *album)
{
    GArray *choices = g_array_new(FALSE, TRUE, sizeof(TraceChoice));

    g_array_set_size(choices, self->question.designs->len);
    for (guint i = 0; i < self->question.designs->len; i++) {
        place_design(self, class, i, &g_array_index(choices, TraceChoice, i));
    }
    for (guint i = 0; i < class->front->len; i++) {
        const guint place = g_array_index(class->front, guint, i);
        TraceChoice *choice = &g_array_index(choices, TraceChoice, place);

        choice->is_front = true;
        choice->name =
            keep(album, gpu_design_text(gpu_codesign_design(class->sweep, place)));
    }
    TraceChoice *best = &g_array_index(choices, TraceChoice, class->best);

    best->is_chosen = true;
    best->name = keep(
        album, gpu_design_text(gpu_codesign_design(class->sweep, (guint) class->best)));
    if (!self->options->is_shares) {
        add_gpus(class, choices);
    }
    return choices;
}

static void add_panel(const ModelCodesign *self, guint index, Album *album)
{
    const GpuCodesignClass *class = &self->classes[index];
    GArray *choices = choices_of(self, class, album);

    g_ptr_array_add(album->lists, choices);
    album->panels[index] = (TraceChoicePanel){
        .title = keep(album, g_strdup_printf("%s stencils", class->title)),
        .note = keep(album,
                     g_strdup_printf("%u designs, %u on the front",
                                     self->question.designs->len, class->front->len)),
        .choices = (const TraceChoice *) (gpointer) choices->data,
        .choice_count = choices->len};
}

char *model_codesign_svg(gconstpointer study)
{
    const ModelCodesign *self = study;
    const bool is_shares = self->options->is_shares;
    g_autofree char *rules = gpu_codesign_rules_text(&self->options->rules);
    const char *const notes[] = {
        is_shares
            ? "Vector units are with their registers. The front is that of rates over "
              "areas."
            : "A design is n_SM x n_V, M_SM. GPUs without caches: their area less that "
              "of L1 and L2, and as fast.",
        rules, NULL};
    const char *gpus[2 * GPU_CODESIGN_BUILT + 1] = {NULL};
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) lists =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref);
    Album album = {.texts = texts, .lists = lists};
    g_autofree char *chosen = g_strdup_printf(
        "the best of %.6g to %.6g mm2", self->options->at.low, self->options->at.high);

    for (guint i = 0; i < self->class_count; i++) {
        add_panel(self, i, &album);
    }
    for (guint i = 0; i < 2 * GPU_CODESIGN_BUILT && !is_shares; i++) {
        gpus[i] = self->classes[0].gains[i].title;
    }
    return trace_choices_to_svg(&(TraceChoices){
        .title = is_shares ? "What designs of GPUs give their area to"
                           : "Designs of GPUs without caches for stencils",
        .x = is_shares ? "vector units, % of the area" : "area, mm2; less is better",
        .y = is_shares ? "shared memory, % of the area"
                       : "rate, 1e9 points per second; more is better",
        .is_linear = true,
        .is_cloud = is_shares,
        .point = "design",
        .signs = gpus,
        .chosen = chosen,
        .panels = album.panels,
        .panel_count = self->class_count,
        .notes = notes});
}
