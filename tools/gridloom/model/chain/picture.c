/* A study of chains as a picture. */
#include <math.h>

#include "tools/gridloom/model/chain/chain.h"
#include "traces/picture/plot.h"

enum {
    CURVE_POINTS = 61,
};

/* Series with all that they borrow. */
typedef struct {
    GArray *series;
    GPtrArray *kept;
} Picture;

static void picture_init(Picture *self)
{
    self->series = g_array_new(FALSE, FALSE, sizeof(TracePlotSeries));
    self->kept = g_ptr_array_new_with_free_func(g_free);
}

static void picture_clear(Picture *self)
{
    g_array_unref(self->series);
    g_ptr_array_unref(self->kept);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Picture, picture_clear)

/* Takes what `memory` is. */
static gpointer keep(Picture *self, gpointer memory)
{
    g_ptr_array_add(self->kept, memory);
    return memory;
}

/* Words along the hyperbola of tiles with one area: a curve, and its best point. */
static void
add_method(Picture *self, const ModelChainStudy *study, guint index, double spread)
{
    const ModelChainOptions *options = study->options;
    const ChainMethod method = study->methods[index];
    const ChainCost *cost = &study->costs[index];
    const double words = (double) options->survey.words[0];
    TracePlotPoint *points = keep(self, g_new0(TracePlotPoint, CURVE_POINTS));
    TracePlotPoint *best = keep(self, g_new0(TracePlotPoint, 1));
    char *name = keep(self, g_strdup(chain_method_name(method)));
    char *at = keep(self, g_strdup_printf("%s: tile of %.1f x %.1f", name, cost->rows,
                                          cost->columns));

    for (guint i = 0; i < CURVE_POINTS; i++) {
        const double share = 2.0 * i / (CURVE_POINTS - 1) - 1;
        const double rows = sqrt(words) * pow(spread, share);

        points[i].x = rows;
        points[i].y =
            chain_patch_words(method, options->chain.sizes, rows, words / rows);
    }
    *best = (TracePlotPoint){cost->rows, cost->words};
    const TracePlotSeries both[] = {
        {name, TRACE_PLOT_LINE, points, CURVE_POINTS, NULL},
        {at, TRACE_PLOT_POINTS, best, 1, NULL},
    };

    g_array_append_vals(self->series, both, G_N_ELEMENTS(both));
}

static char *methods_svg(const ModelChainStudy *study)
{
    const double spread = 4; /* of the sides, from the square on */
    const ModelChainOptions *options = study->options;
    g_auto(Picture) picture = {0};
    g_autofree char *title = g_strdup_printf(
        "%s through %" G_GUINT64_FORMAT " words of fast memory (%s)",
        options->kind == MODEL_CHAIN_PAIR ? "Two products in one pass" : "One product",
        options->survey.words[0], chain_form_name(options->form));

    picture_init(&picture);
    for (guint i = 0; i < study->method_count; i++) {
        add_method(&picture, study, i, spread);
    }
    return trace_plot_to_svg(&(TracePlot){
        .title = title,
        .x = "rows of the tile that stays, words (columns: what is left of M)",
        .y = "words moved",
        .is_log_x = true,
        .note = "Lines: equations D.2, D.4, D.7, D.11; points: closed forms",
        .series = (const TracePlotSeries *) picture.series->data,
        .series_count = picture.series->len,
    });
}

static void
add_savings(Picture *self, const ModelChainStudy *study, ChainForm form, uint64_t words)
{
    const ChainSurveySetting *setting = &study->options->survey;
    const guint count = setting->to - setting->from + 1;
    const bool has_band = form == study->options->form;
    TracePlotPoint *points = keep(self, g_new0(TracePlotPoint, count));
    TracePlotSpan *band = keep(self, g_new0(TracePlotSpan, count));
    char *name = keep(self, g_strdup_printf("%" G_GUINT64_FORMAT " words, %s%s", words,
                                            chain_form_name(form),
                                            has_band ? ", least to most" : ""));

    for (guint i = 0; i < count; i++) {
        const ChainSurveyRow *row =
            chain_survey_row(study->survey, form, words, setting->from + i);

        points[i] = (TracePlotPoint){row->length, row->average};
        band[i] = (TracePlotSpan){row->minimum, row->maximum};
    }
    const TracePlotSeries series = {name, TRACE_PLOT_BOTH, points, count,
                                    has_band ? band : NULL};

    g_array_append_val(self->series, series);
}

static char *survey_svg(const ModelChainStudy *study)
{
    const ChainSurveySetting *setting = &study->options->survey;
    g_auto(Picture) picture = {0};
    g_autofree char *title =
        g_strdup_printf("What hyper-nodes save on %u random chains of each length",
                        setting->chain_count);

    picture_init(&picture);
    for (guint i = 0; i < setting->words_count; i++) {
        for (guint form = 0; form < CHAIN_SURVEY_FORMS; form++) {
            add_savings(&picture, study, (ChainForm) form, setting->words[i]);
        }
    }
    return trace_plot_to_svg(&(TracePlot){
        .title = title,
        .x = "matrices in the chain",
        .y = "fewer words moved, F against S, %",
        .note = "Sizes: multiples of 8 in 320..1024, each as likely (assumed)",
        .series = (const TracePlotSeries *) picture.series->data,
        .series_count = picture.series->len,
    });
}

char *model_chain_svg(gconstpointer study)
{
    const ModelChainStudy *self = study;

    switch (self->options->kind) {
    case MODEL_CHAIN_TREE:
        return model_chain_tree_svg(self);
    case MODEL_CHAIN_SURVEY:
        return survey_svg(self);
    case MODEL_CHAIN_SINGLE:
    case MODEL_CHAIN_PAIR:
        break;
    }
    return methods_svg(self);
}
