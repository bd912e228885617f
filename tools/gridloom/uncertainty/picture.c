/* Draws what moves the time of a run. */
#include <math.h>

#include "tools/gridloom/uncertainty/study.h"
#include "traces/picture/tornado.h"

enum {
    BARS_SHOWN = 20,
    NOTE_BYTES = 16,
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

/* All trials at ends of ranges, key by key. The caller frees it. */
static TraceTornadoEnd *ends_of(const UncertaintyStudy *self, double unit)
{
    static const TraceTornadoKind kinds[] = {[ARCH_RANGE_BELOW] = TRACE_TORNADO_LOW,
                                             [ARCH_RANGE_ABOVE] = TRACE_TORNADO_HIGH,
                                             [ARCH_RANGE_OTHER] = TRACE_TORNADO_OTHER};
    const double *seconds = trace_trials_number(&self->numbers, 0)->trials;
    TraceTornadoEnd *ends = g_new(TraceTornadoEnd, wl_trials_count(self->trials));

    for (guint i = 0; i < wl_trials_key_count(self->trials); i++) {
        const WlTrialKey *key = wl_trials_key(self->trials, i);

        for (guint k = 0; k < key->end_count; k++) {
            ends[key->first_end + k] =
                (TraceTornadoEnd){.kind = kinds[arch_range_end_side(key->range, k)],
                                  .text = arch_range_end(key->range, k),
                                  .value = seconds[key->first_end + k] / unit};
        }
    }
    return ends;
}

char *uncertainty_to_svg(gconstpointer study)
{
    const UncertaintyStudy *self = study;
    const double seconds = trace_trials_number(&self->numbers, 0)->value;
    const Scale scale = scale_of(seconds);
    const TraceInterval interval = uncertainty_interval(self, 0);
    g_autofree char *title = g_strdup_printf("What moves the time of %s", self->name);
    g_autofree char *x = g_strdup_printf("%s, one key changed at a time", scale.name);
    g_autoptr(GArray) influences = uncertainty_influences(self);
    g_autofree TraceTornadoEnd *ends = ends_of(self, scale.unit);
    TraceTornadoBar bars[BARS_SHOWN];
    char notes[BARS_SHOWN][NOTE_BYTES];
    guint count = 0;

    for (; count < MIN(influences->len, BARS_SHOWN); count++) {
        const TraceInfluence *influence =
            &g_array_index(influences, TraceInfluence, count);
        const WlTrialKey *key = wl_trials_key(self->trials, influence->key);

        if (influence->most == influence->least) {
            break;
        }
        (void) g_snprintf(notes[count], NOTE_BYTES,
                          isnan(influence->correlation) ? "-" : "%+.2f",
                          influence->correlation);
        bars[count] = (TraceTornadoBar){.label = key->path,
                                        .note = notes[count],
                                        .ends = &ends[key->first_end],
                                        .end_count = key->end_count};
    }
    const TraceTornado tornado = {
        .title = title,
        .x = x,
        .note = "rank correlation",
        .value = seconds / scale.unit,
        .low = interval.low / scale.unit,
        .high = interval.high / scale.unit,
        .band_text = "5 % to 95 % of samples of all keys",
        .bars = bars,
        .bar_count = count,
    };

    return trace_tornado_to_svg(&tornado);
}
