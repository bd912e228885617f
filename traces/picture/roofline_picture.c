/* Groups runs by chip, and puts them into words. */
#include "traces/picture/roofline_picture.h"

#include <math.h>

#include "traces/error.h"
#include "traces/file/json_member.h"
#include "traces/file/quantity.h"
#include "traces/picture/roofline_chart.h"

#define SAME_PLACE 1e-9 /* intensities that differ less are one point */

/* A roof; drawn where it matters for one of the runs. */
typedef struct {
    const char *name;
    TraceRooflineLine line; /* the label is its own */
    bool is_shown;
} Roof;

/* Runs of one chip that share their roofs. */
typedef struct {
    const TraceRooflineRun *first;
    char *name;
    GArray *roofs;  /* of Roof */
    GArray *lines;  /* of TraceRooflineLine: of the roofs that are drawn */
    GArray *series; /* of TraceRooflineSeries; texts and marks are its own */
} Group;

static void roof_clear(gpointer data)
{
    g_free((gpointer) ((Roof *) data)->line.label);
}

static void mark_clear(const TraceRooflineMark *self)
{
    g_free((gpointer) self->label);
    g_free((gpointer) self->title);
    g_free((gpointer) self->steps);
}

static void series_clear(gpointer data)
{
    TraceRooflineSeries *self = data;

    for (gsize i = 0; i < self->mark_count; i++) {
        mark_clear(&self->marks[i]);
    }
    g_free((gpointer) self->marks);
    g_free((gpointer) self->label);
}

static void group_free(gpointer data)
{
    Group *self = data;

    g_free(self->name);
    g_array_unref(self->roofs);
    g_array_unref(self->lines);
    g_array_unref(self->series);
    g_free(self);
}

static Group *group_new(const TraceRooflineRun *first)
{
    Group *self = g_new0(Group, 1);

    self->first = first;
    self->name = g_strdup(first->chip);
    self->roofs = g_array_new(FALSE, FALSE, sizeof(Roof));
    self->lines = g_array_new(FALSE, FALSE, sizeof(TraceRooflineLine));
    self->series = g_array_new(FALSE, FALSE, sizeof(TraceRooflineSeries));
    g_array_set_clear_func(self->roofs, roof_clear);
    g_array_set_clear_func(self->series, series_clear);
    return self;
}

/* The roof with this name; NULL for none. */
static Roof *roof_of(const Group *self, const char *name)
{
    for (guint i = 0; i < self->roofs->len; i++) {
        Roof *roof = &g_array_index(self->roofs, Roof, i);

        if (g_str_equal(roof->name, name)) {
            return roof;
        }
    }
    return NULL;
}

/* Is the run on the same chip, and does none of its roofs contradict the group's? */
static bool
fits(const Group *self, const TraceRooflineSet *set, const TraceRooflineRun *run)
{
    if (!g_str_equal(self->first->chip, run->chip)) {
        return false;
    }
    for (guint i = 0; i < run->roofs->len; i++) {
        const TraceRooflineRoof *roof = trace_roofline_run_roof(run, i);
        const Roof *own = roof_of(self, roof->name);

        if (own != NULL &&
            !trace_machine_is_same(own->line.value,
                                   trace_roofline_set_roof(set, run, roof))) {
            return false;
        }
    }
    return true;
}

static void add_roof(Group *self,
                     const TraceRooflineSet *set,
                     const TraceRooflineRun *run,
                     const TraceRooflineRoof *roof)
{
    const double value = trace_roofline_set_roof(set, run, roof);
    g_autofree char *words = trace_roofline_set_words(set, value, roof->is_peak);
    const Roof own = {.name = roof->name,
                      .line = {.label = g_strdup_printf("%s %s", roof->name, words),
                               .value = value,
                               .is_peak = roof->is_peak}};

    g_array_append_val(self->roofs, own);
}

static void
add_roofs(Group *self, const TraceRooflineSet *set, const TraceRooflineRun *run)
{
    /* A machine alone is there for its results, if it has any. */
    const bool is_beside =
        run->rate <= 0 && self->series->len > 0 && !set->is_every_roof;

    for (guint i = 0; i < run->roofs->len; i++) {
        const TraceRooflineRoof *roof = trace_roofline_run_roof(run, i);

        if (trace_roofline_set_shows(set, roof)) {
            if (roof_of(self, roof->name) == NULL) {
                add_roof(self, set, run, roof);
            }
            Roof *own = roof_of(self, roof->name);

            own->is_shown = own->is_shown ||
                            (!is_beside && trace_roofline_set_matters(set, run, roof));
        }
    }
}

static const GArray *lines_of(Group *self)
{
    for (guint i = 0; i < self->roofs->len; i++) {
        const Roof *roof = &g_array_index(self->roofs, Roof, i);

        if (roof->is_shown) {
            g_array_append_val(self->lines, roof->line);
        }
    }
    return self->lines;
}

/* The way of the run's iterations below a roof. */
static void add_steps(const TraceRooflineSet *set,
                      guint index,
                      const TraceRooflineRoof *roof,
                      TraceRooflineMark *mark)
{
    const TraceRooflineRun *run = trace_roofline_set_run(set, index);
    const TraceRun *file =
        index < set->files->len ? g_ptr_array_index(set->files, index) : NULL;
    JsonArray *path = file != NULL ? trace_json_array(file->result, "path") : NULL;
    GArray *steps;

    if (path == NULL) {
        return;
    }
    steps = g_array_new(FALSE, FALSE, sizeof(TraceRooflineStep));
    for (guint i = 0; i < trace_json_count(path); i++) {
        JsonObject *object = trace_json_item(path, i);
        const double rate = trace_json_number(object, "rate", 0);
        const double moved =
            trace_json_number(trace_json_object(object, "achieved"), roof->name, 0);
        const TraceRooflineStep step = {rate / moved,
                                        trace_roofline_set_done(set, run, rate)};

        if (rate > 0 && moved > 0 && isfinite(step.intensity) && isfinite(step.rate)) {
            g_array_append_val(steps, step);
        }
    }
    mark->steps = g_array_steal(steps, &mark->step_count);
    g_array_unref(steps);
}

static TraceRooflineMark
mark_of(const TraceRooflineSet *set, guint index, const TraceRooflineRoof *roof)
{
    const TraceRooflineRun *run = trace_roofline_set_run(set, index);
    g_autofree char *letter = trace_roofline_set_letter(set, index);
    g_autofree char *name = trace_roofline_set_name(set, index);
    const double rate = trace_roofline_set_done(set, run, run->rate);
    g_autofree char *rate_words = trace_roofline_set_words(set, rate, true);
    g_autofree char *part = quantity_percent(trace_roofline_roof_percent(roof));
    const double intensity = trace_roofline_run_intensity(run, roof);

    return (TraceRooflineMark){
        .label = g_strdup_printf("%s %s", letter, roof->name),
        .title = g_strdup_printf("%s, %s: %.4g FLOP/B, %s, %s of this roof", name,
                                 roof->name, intensity, rate_words, part),
        .intensity = intensity,
        .rate = rate,
    };
}

/* "A stencil25, simulated: 43 % of f32 arithmetic"; the caller frees it. */
static char *series_words(const TraceRooflineSet *set, guint index)
{
    const TraceRooflineRun *run = trace_roofline_set_run(set, index);
    const TraceRooflineRoof *bound = trace_roofline_run_bound(run);
    g_autofree char *letter = trace_roofline_set_letter(set, index);
    g_autofree char *detail = trace_roofline_set_detail(set, index);
    g_autofree char *words =
        g_strdup_printf("%s %s, %s", letter, run->workload, detail);

    if (bound == NULL) {
        return g_steal_pointer(&words);
    }
    g_autofree char *part = quantity_percent(trace_roofline_roof_percent(bound));

    return g_strdup_printf("%s: %s of %s", words, part, bound->name);
}

/* Two roofs of one memory, of the data sheet and measured, have one point. */
static bool has_mark(const GArray *marks, double intensity)
{
    for (guint i = 0; i < marks->len; i++) {
        const double there = g_array_index(marks, TraceRooflineMark, i).intensity;

        if (fabs(there / intensity - 1) < SAME_PLACE) {
            return true;
        }
    }
    return false;
}

/* False where the run has no point. */
static bool add_series(Group *self, const TraceRooflineSet *set, guint index)
{
    const TraceRooflineRun *run = trace_roofline_set_run(set, index);
    g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(TraceRooflineMark));
    TraceRooflineSeries series = {.origin = run->origin};

    for (guint i = 0; i < run->roofs->len; i++) {
        const TraceRooflineRoof *roof = trace_roofline_run_roof(run, i);

        if (trace_roofline_set_has_point(set, run, roof) &&
            trace_roofline_set_matters(set, run, roof) &&
            !has_mark(marks, trace_roofline_run_intensity(run, roof))) {
            TraceRooflineMark mark = mark_of(set, index, roof);

            add_steps(set, index, roof, &mark);
            g_array_append_val(marks, mark);
        }
    }
    if (marks->len == 0) {
        return false;
    }
    if (marks->len == 1) {
        TraceRooflineMark *only = &g_array_index(marks, TraceRooflineMark, 0);

        g_free((gpointer) only->label);
        only->label = trace_roofline_set_letter(set, index);
    }
    series.label = series_words(set, index);
    series.marks = g_array_steal(marks, &series.mark_count);
    g_array_append_val(self->series, series);
    return true;
}

static Group *
find_group(GPtrArray *groups, const TraceRooflineSet *set, const TraceRooflineRun *run)
{
    Group *group;

    for (guint i = 0; i < groups->len; i++) {
        if (fits(g_ptr_array_index(groups, i), set, run)) {
            return g_ptr_array_index(groups, i);
        }
    }
    group = group_new(run);
    g_ptr_array_add(groups, group);
    return group;
}

/* Groups of one chip are told apart by their first run. */
static void name_groups(const TraceRooflineSet *set, GPtrArray *groups)
{
    for (guint i = 0; i < groups->len; i++) {
        Group *group = g_ptr_array_index(groups, i);
        guint same = 0;
        guint index = 0;

        for (guint k = 0; k < groups->len; k++) {
            const Group *other = g_ptr_array_index(groups, k);

            same += g_str_equal(other->first->chip, group->first->chip);
        }
        if (same > 1 && g_ptr_array_find(set->runs, group->first, &index) &&
            index < trace_roofline_set_run_count(set)) {
            g_autofree char *letter = trace_roofline_set_letter(set, index);

            g_free(group->name);
            group->name = g_strdup_printf("%s, for %s", group->first->chip, letter);
        }
    }
}

static char *find_title(const TraceRooflineSet *set)
{
    const TraceRooflineRun *first = trace_roofline_set_run(set, 0);

    if (set->title != NULL) {
        return g_strdup(set->title);
    }
    const guint more = trace_roofline_set_run_count(set) - 1;

    return more > 0 ? g_strdup_printf("%s on %s and %u more", first->workload,
                                      first->chip, more)
                    : g_strdup_printf("%s on %s", first->workload, first->chip);
}

static char *
draw(const TraceRooflineSet *set, const char *title, const GPtrArray *groups)
{
    static const char *const axes[] = {
        [TRACE_ROOFLINE_SECOND] = "rate while programs ran [FLOP/s]",
        [TRACE_ROOFLINE_WATT] = "rate while programs ran, per watt [FLOP/s/W]",
        [TRACE_ROOFLINE_CYCLE] = "rate [FLOP/cycle]",
    };
    g_autofree char *found = title == NULL ? find_title(set) : NULL;
    g_autofree TraceRooflineChip *chips = g_new0(TraceRooflineChip, groups->len);

    for (guint i = 0; i < groups->len; i++) {
        Group *group = g_ptr_array_index(groups, i);
        const GArray *lines = lines_of(group);

        chips[i] = (TraceRooflineChip){
            .name = group->name,
            .is_published = group->first->is_quoted,
            .lines = (const TraceRooflineLine *) (const void *) lines->data,
            .line_count = lines->len,
            .series = (const TraceRooflineSeries *) (const void *) group->series->data,
            .series_count = group->series->len,
        };
    }
    return trace_roofline_chart_to_svg(&(TraceRooflineChart){
        .title = title != NULL ? title : found,
        .rate = axes[set->scale],
        .notes = (const char *const *) set->warnings->pdata,
        .note_count = set->warnings->len,
        .chips = chips,
        .chip_count = groups->len,
    });
}

char *trace_roofline_picture_new(const TraceRooflineSet *set,
                                 const char *title,
                                 GError **error)
{
    g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func(group_free);
    bool is_any = false;

    for (guint i = 0; i < trace_roofline_set_count(set); i++) {
        const TraceRooflineRun *run = trace_roofline_set_run(set, i);

        if (run->roofs->len > 0) {
            Group *group = find_group(groups, set, run);

            add_roofs(group, set, run);
            is_any = add_series(group, set, i) || is_any;
        }
    }
    if (!is_any) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_LACKS,
                    "%s: no run has operations, bytes through --memory %s, and their "
                    "roofs",
                    ((const TraceRun *) g_ptr_array_index(set->files, 0))->name,
                    set->level == TRACE_ROOFLINE_ALL_LEVELS
                        ? "all"
                        : trace_roofline_level_name((TraceRooflineLevel) set->level));
        return NULL;
    }
    name_groups(set, groups);
    return draw(set, title, groups);
}
