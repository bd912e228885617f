/* Problems and tiles for tests of schedules. */
#include "tests/arch/model/schedule/case.h"

const GpuDependence schedule_case_alignment[3] = {
    {.step = 0, .space = {-1}},
    {.step = -1, .space = {-1}},
    {.step = -1, .space = {0}},
};

static uint64_t pick(GRand *random, uint64_t most)
{
    return (uint64_t) g_rand_int_range(random, 1, (gint32) most + 1);
}

ScheduleCase schedule_case_random(GRand *random, GpuScheduleShape shape)
{
    static const uint64_t most_space[] = {70, 22, 10};
    static const uint64_t most_steps[] = {40, 18, 10};
    const guint drawn = (guint) g_rand_int_range(random, 1, 4);
    const guint dimension =
        shape == GPU_SCHEDULE_ORTHOGONAL ? 1 : CLAMP(drawn, 1, GPU_TILING_DIMENSIONS);
    ScheduleCase self = {.setting.shape = shape};

    self.problem.dimension = dimension;
    self.problem.steps = pick(random, most_steps[dimension - 1]);
    self.tile.steps = 2 * pick(random, most_steps[dimension - 1] / 2);
    for (guint axis = 0; axis < dimension; axis++) {
        self.problem.space[axis] = pick(random, most_space[dimension - 1]);
        self.tile.space[axis] = pick(random, most_space[dimension - 1] / 2);
    }
    if (shape == GPU_SCHEDULE_DIAMOND) {
        self.tile.space[0] = 1;
    }
    if (shape == GPU_SCHEDULE_HALO) {
        self.tile.steps = 1;
    }
    if (shape == GPU_SCHEDULE_SKEWED || shape == GPU_SCHEDULE_ORTHOGONAL) {
        self.tile.steps = pick(random, most_steps[dimension - 1]);
    }
    return self;
}

ScheduleCase
schedule_case_of(uint64_t first, uint64_t second, uint64_t third, uint64_t steps)
{
    return (ScheduleCase){
        .problem = {.dimension = second == 0  ? 1
                                 : third == 0 ? 2
                                              : 3,
                    .space = {first, second, third},
                    .steps = steps},
    };
}

void schedule_case_tile(
    ScheduleCase *self, uint64_t first, uint64_t second, uint64_t third, uint64_t steps)
{
    self->tile = (GpuTile){.space = {first, second, third}, .steps = steps};
}

static void append_sizes(GString *text, guint dimension, const uint64_t *sizes)
{
    for (guint axis = 0; axis < dimension; axis++) {
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, axis == 0 ? " " : "x",
                               sizes[axis]);
    }
}

char *schedule_case_text(const ScheduleCase *self)
{
    GString *text = g_string_new(gpu_schedule_shape_name(self->setting.shape));

    append_sizes(text, self->problem.dimension, self->problem.space);
    g_string_append_printf(text, ", %" G_GUINT64_FORMAT " steps; tile",
                           self->problem.steps);
    append_sizes(text, self->problem.dimension, self->tile.space);
    g_string_append_printf(text, ", %" G_GUINT64_FORMAT " steps", self->tile.steps);
    return g_string_free(text, FALSE);
}

GpuSchedule *schedule_case_schedule(const ScheduleCase *self)
{
    g_autoptr(GError) error = NULL;
    GpuSchedule *schedule =
        gpu_schedule_new(&self->problem, &self->tile, &self->setting, &error);

    if (schedule == NULL) {
        fail_msg("%s", error->message);
    }
    return schedule;
}

GpuScheduleReport schedule_case_report(const ScheduleCase *self)
{
    g_autoptr(GpuSchedule) schedule = schedule_case_schedule(self);
    GpuDependence needs[GPU_DEPENDENCES_MOST];
    const guint count = gpu_schedule_needs(schedule, needs);
    GpuScheduleReport report;

    assert_true(gpu_schedule_check(schedule, needs, count, &report, NULL));
    return report;
}
