/* Draws what moves the time of a run. */
#include <math.h>

#include "tools/gridloom/uncertainty/result.h"
#include "traces/picture/tornado.h"

enum {
    BARS_SHOWN = 20,
};

/* Times in the unit in which they read well. */
typedef struct {
    const char *name;
    double unit;
} Scale;

static Scale scale_of(double seconds)
{
    static const Scale scales[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    gsize i = 0;

    while (i + 1 < G_N_ELEMENTS(scales) && fabs(seconds) < scales[i].unit) {
        i++;
    }
    return scales[i];
}

static TraceTornadoKind kind_of(ArchRangeSide side)
{
    switch (side) {
    case ARCH_RANGE_BELOW:
        return TRACE_TORNADO_LOW;
    case ARCH_RANGE_ABOVE:
        return TRACE_TORNADO_HIGH;
    case ARCH_RANGE_OTHER:
        break;
    }
    return TRACE_TORNADO_OTHER;
}

/* Of TraceTornadoEnd. */
static GArray *ends_of(const UncertaintyStudy *self, guint key, double unit)
{
    GArray *ends = g_array_new(FALSE, FALSE, sizeof(TraceTornadoEnd));

    for (guint i = 0; i < self->ends->len; i++) {
        const UncertaintyEnd *end = &g_array_index(self->ends, UncertaintyEnd, i);
        const ArchRange *range = uncertainty_plan_key(self->plan, end->key)->range;

        if (end->key == key) {
            const TraceTornadoEnd drawn = {
                .kind = kind_of(arch_range_end_side(range, end->end)),
                .text = arch_range_end(range, end->end),
                .value = uncertainty_study_metric(self, 0)->ends[i] / unit};

            g_array_append_val(ends, drawn);
        }
    }
    return ends;
}

/* Bars and what they point to. */
typedef struct {
    GArray *bars;    /* of TraceTornadoBar */
    GPtrArray *ends; /* of GArray */
    GPtrArray *notes;
} Draft;

static void draft_clear(Draft *self)
{
    g_array_unref(self->bars);
    g_ptr_array_unref(self->ends);
    g_ptr_array_unref(self->notes);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Draft, draft_clear)

static void add_bars(Draft *self, const UncertaintyStudy *study, double unit)
{
    g_autoptr(GArray) influences = uncertainty_influences(study, 0);

    for (guint i = 0; i < influences->len && self->bars->len < BARS_SHOWN; i++) {
        const UncertaintyInfluence *influence =
            &g_array_index(influences, UncertaintyInfluence, i);
        TraceTornadoBar bar = {
            .label = uncertainty_plan_key(study->plan, influence->key)->path};
        GArray *ends;
        char *note;

        if (influence->most == influence->least) {
            break;
        }
        ends = ends_of(study, influence->key, unit);
        note = isnan(influence->correlation)
                   ? g_strdup("-")
                   : g_strdup_printf("%+.2f", influence->correlation);
        bar.note = note;
        bar.ends = (const TraceTornadoEnd *) (gpointer) ends->data;
        bar.end_count = ends->len;
        g_ptr_array_add(self->ends, ends);
        g_ptr_array_add(self->notes, note);
        g_array_append_val(self->bars, bar);
    }
}

char *uncertainty_to_svg(const UncertaintyStudy *self)
{
    const double seconds = uncertainty_study_metric(self, 0)->value;
    const Scale scale = scale_of(seconds);
    const UncertaintyInterval interval = uncertainty_interval(self, 0);
    g_autofree char *title = g_strdup_printf("What moves the time of %s", self->name);
    g_autofree char *x = g_strdup_printf("%s, one key changed at a time", scale.name);
    g_auto(Draft)
        draft = {.bars = g_array_new(FALSE, FALSE, sizeof(TraceTornadoBar)),
                 .ends = g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref),
                 .notes = g_ptr_array_new_with_free_func(g_free)};

    add_bars(&draft, self, scale.unit);
    const TraceTornado tornado = {
        .title = title,
        .x = x,
        .note = "rank correlation",
        .value = seconds / scale.unit,
        .low = interval.low / scale.unit,
        .high = interval.high / scale.unit,
        .band_text = "5 % to 95 % of samples of all keys",
        .bars = (const TraceTornadoBar *) (gpointer) draft.bars->data,
        .bar_count = draft.bars->len,
    };

    return trace_tornado_to_svg(&tornado);
}
