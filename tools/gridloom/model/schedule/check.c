/* Going through a schedule point by point. */
#include "tools/gridloom/model/schedule/check.h"

#include <string.h>

#include "arch/model/schedule/recurrence.h"
#include "traces/file/json_member.h"

enum {
    TILES = 2, /* a side, of a problem that is made smaller */
};

/* Each size, borders and all, keeps a whole tile in the middle. */
static GpuTilingProblem smaller(const GpuTilingProblem *problem, const GpuTile *tile)
{
    GpuTilingProblem part = *problem;

    part.steps = MIN(problem->steps, TILES * tile->steps + 1);
    part.space[0] =
        MIN(problem->space[0], TILES * (2 * tile->space[0] + tile->steps) + 1);
    for (guint axis = 1; axis < problem->dimension; axis++) {
        part.space[axis] =
            MIN(problem->space[axis], TILES * tile->space[axis] + tile->steps);
    }
    return part;
}

static bool is_large(const GpuTilingProblem *problem)
{
    double points = (double) problem->steps;

    for (guint axis = 0; axis < problem->dimension; axis++) {
        points *= (double) problem->space[axis];
    }
    return points > (double) GPU_SCHEDULE_CHECK_MOST;
}

/* Some numbers between 0 and 1, the same each time. */
static double *initial_values(const GpuTilingProblem *problem)
{
    static const guint32 seed = 1;
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    gsize count = 1;

    for (guint axis = 0; axis < problem->dimension; axis++) {
        count *= problem->space[axis] + 2;
    }
    double *values = g_new(double, count);

    for (gsize i = 0; i < count; i++) {
        values[i] = g_rand_double(random);
    }
    return values;
}

/* A score of 1 where two letters of four are the same, by numbers in place of letters;
 * less for others and for gaps. */
static double
score(guint term, uint64_t step, const uint64_t *place, gconstpointer data)
{
    static const guint letters = 4;

    (void) data;
    if (term != 1) {
        return -0.5;
    }
    return (step * step) % letters == (place[0] * 3) % letters ? 1 : -0.75;
}

/* Jacobi; Smith-Waterman for shapes that cannot have it. */
static void
stencil_of(const GpuSchedule *schedule, guint dimension, GpuRecurrence *stencil)
{
    static const GpuRecurrenceTerm terms[] = {
        {.need = {.step = 0, .space = {-1}}},
        {.need = {.step = -1, .space = {-1}}},
        {.need = {.step = -1, .space = {0}}},
    };

    gpu_recurrence_jacobi(dimension, stencil);
    for (guint i = 0; i < stencil->term_count; i++) {
        if (!gpu_schedule_admits(schedule, &stencil->terms[i].need, 1, NULL)) {
            *stencil = (GpuRecurrence){
                .semiring = GPU_MAX_PLUS,
                .terms = terms,
                .term_count = G_N_ELEMENTS(terms),
                .weight = score,
            };
            return;
        }
    }
}

static bool run(ModelScheduleCheck *self, const GpuSchedule *schedule, GError **error)
{
    const int64_t last = (int64_t) self->problem.steps - 1;
    g_autofree double *initial = initial_values(&self->problem);
    GpuRecurrence stencil;

    stencil_of(schedule, self->problem.dimension, &stencil);
    self->is_alignment = stencil.semiring == GPU_MAX_PLUS;
    g_autoptr(GpuField) field =
        gpu_field_new(&self->problem, initial, self->is_alignment, error);
    g_autoptr(GpuField) plain =
        gpu_field_new(&self->problem, initial, false, field == NULL ? NULL : error);

    if (field == NULL || plain == NULL ||
        !gpu_field_run(field, &stencil, schedule, error)) {
        return false;
    }
    gpu_field_sweep(plain, &stencil);
    self->is_same = memcmp(gpu_field_step(field, last), gpu_field_step(plain, last),
                           gpu_field_layer(field) * sizeof *initial) == 0;
    return true;
}

bool model_schedule_check(const GpuTilingProblem *problem,
                          const GpuTile *tile,
                          const GpuScheduleSetting *setting,
                          ModelScheduleCheck *check,
                          GError **error)
{
    g_autoptr(GpuSchedule) whole = gpu_schedule_new(problem, tile, setting, error);
    GpuDependence needs[GPU_DEPENDENCES_MOST];
    ModelScheduleCheck found = {.problem = *problem};

    if (whole == NULL) {
        return false;
    }
    if (is_large(problem)) {
        found.is_part = true;
        found.problem = smaller(problem, tile);
    }
    g_autoptr(GpuSchedule) schedule =
        gpu_schedule_new(&found.problem, tile, setting, error);

    if (schedule == NULL ||
        !gpu_schedule_check(schedule, needs, gpu_schedule_needs(schedule, needs),
                            &found.report, error) ||
        !run(&found, schedule, error)) {
        return false;
    }
    *check = found;
    return true;
}

bool model_schedule_check_is_passed(const ModelScheduleCheck *self)
{
    return gpu_schedule_report_is_sound(&self->report) && self->is_same;
}

static void add_count(GString *text, uint64_t count, const char *what)
{
    if (count > 0) {
        g_string_append_printf(text, "; %" G_GUINT64_FORMAT " %s", count, what);
    }
}

static void add_faults(GString *text, const GpuScheduleReport *report)
{
    if (gpu_schedule_report_is_sound(report)) {
        g_string_append(text, ", each once and in a legal order");
        return;
    }
    add_count(text, report->missing, "left out");
    add_count(text, report->repeated, "visits too many");
    add_count(text, report->early, "values wanted too early");
    add_count(text, report->crossing, "values from tiles of the same wavefront");
}

static void add_problem(GString *text, const GpuTilingProblem *problem)
{
    g_string_append(text, "schedule of a problem made smaller: ");
    for (guint axis = 0; axis < problem->dimension; axis++) {
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, axis == 0 ? "" : "x",
                               problem->space[axis]);
    }
    g_string_append_printf(text, ", %" G_GUINT64_FORMAT " steps\n", problem->steps);
}

char *model_schedule_check_text(const ModelScheduleCheck *self)
{
    const GpuScheduleReport *report = &self->report;
    GString *text = g_string_new("");

    if (self->is_part) {
        add_problem(text, &self->problem);
    }
    g_string_append_printf(text, "schedule: %" G_GUINT64_FORMAT " points",
                           report->points);
    add_faults(text, report);
    g_string_append_printf(
        text,
        "\nschedule: %" G_GUINT64_FORMAT " wavefronts (%" G_GUINT64_FORMAT
        " without a tile), %" G_GUINT64_FORMAT " tiles (%" G_GUINT64_FORMAT
        " of a wavefront at most), %" G_GUINT64_FORMAT " strips (%" G_GUINT64_FORMAT
        " of a tile at most)",
        report->wavefronts, report->empty_wavefronts, report->tiles, report->widest,
        report->strips, report->longest);
    g_string_append_printf(text, "\nschedule: %s by tiles %s",
                           self->is_alignment ? "Smith-Waterman" : "Jacobi",
                           self->is_same ? "has the bits of the plain loop nest"
                                         : "differs from the plain loop nest");
    return g_string_free(text, FALSE);
}

static void add_member(JsonObject *object, const char *name, uint64_t value)
{
    json_object_set_int_member(object, name, (gint64) value);
}

JsonObject *model_schedule_check_json(const ModelScheduleCheck *self)
{
    const GpuScheduleReport *report = &self->report;
    JsonObject *object = json_object_new();

    trace_json_set_counts(object, "space", self->problem.space,
                          self->problem.dimension);
    add_member(object, "steps", self->problem.steps);
    json_object_set_boolean_member(object, "is_part", self->is_part);
    add_member(object, "points", report->points);
    add_member(object, "missing", report->missing);
    add_member(object, "repeated", report->repeated);
    add_member(object, "early", report->early);
    add_member(object, "crossing", report->crossing);
    add_member(object, "wavefronts", report->wavefronts);
    add_member(object, "empty_wavefronts", report->empty_wavefronts);
    add_member(object, "tiles", report->tiles);
    add_member(object, "tiles_per_wavefront", report->widest);
    add_member(object, "strips", report->strips);
    add_member(object, "strips_per_tile", report->longest);
    json_object_set_string_member(object, "stencil",
                                  self->is_alignment ? "smith-waterman" : "jacobi");
    json_object_set_boolean_member(object, "is_same", self->is_same);
    json_object_set_boolean_member(object, "is_passed",
                                   model_schedule_check_is_passed(self));
    return object;
}
